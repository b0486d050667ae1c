// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/contractions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

/// A variable with a letter for each axis.
struct Named {
  Variable x;
  std::string labels;

  std::int64_t extent(char label) const { return x.shape()[static_cast<int>(labels.find(label))]; }
  /// The product of some extents.
  std::int64_t extent(const std::string& some) const {
    std::int64_t all = 1;
    for (const char label : some) all *= extent(label);
    return all;
  }
};

/// The axes in the order of `labels`, which are those of `a` in some order.
Variable arranged(const Named& a, const std::string& labels) {
  if (a.labels == labels) return a.x;
  Shape order;
  for (const char label : labels) order.push_back(static_cast<std::int64_t>(a.labels.find(label)));
  return transpose(a.x, order);
}

/// Without the axes that nobody asks for.
Named summed(const Named& a, const std::string& kept) {
  std::vector<std::int64_t> axes;
  Named out{a.x, {}};
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    if (has(kept, a.labels[i])) {
      out.labels += a.labels[i];
    } else {
      axes.push_back(static_cast<std::int64_t>(i));
    }
  }
  if (!axes.empty()) out.x = sum(a.x, axes);
  return out;
}

/// The products of two, summed over what neither `kept` names.
Named product(const Named& first, const Named& second, const std::string& kept) {
  const Named a = summed(first, kept + second.labels), b = summed(second, kept + first.labels);
  std::string batch, contracted, free_a, free_b;
  for (const char label : a.labels) {
    (!has(b.labels, label) ? free_a : has(kept, label) ? batch : contracted) += label;
  }
  for (const char label : b.labels) {
    if (!has(a.labels, label)) free_b += label;
  }
  const std::int64_t n = a.extent(batch), m = a.extent(free_a), k = a.extent(contracted),
                     columns = b.extent(free_b);
  const Variable left = arranged(a, batch + free_a + contracted),
                 right = arranged(b, batch + contracted + free_b);
  const Variable y = batch.empty()
                         ? matmul(reshape(left, {m, k}), reshape(right, {k, columns}))
                         : batch_matmul(reshape(left, {n, m, k}), reshape(right, {n, k, columns}));
  Shape shape;
  for (const char label : batch + free_a) shape.push_back(a.extent(label));
  for (const char label : free_b) shape.push_back(b.extent(label));
  return {reshape(y, shape), batch + free_a + free_b};
}

[[noreturn]] void refuse(std::string_view subscripts, const char* what) {
  throw cupyxx::ValueError(cupyxx::message("einsum: ", what, "; \"", subscripts, "\""));
}

/// The subscripts with letters in the place of "...".
struct Subscripts {
  std::vector<std::string> operands;
  std::string result;
};

void check_letters(std::string_view all, const std::string& labels) {
  for (const char label : labels) {
    if (std::isalpha(static_cast<unsigned char>(label)) == 0) {
      refuse(all, R"(subscripts are letters, commas, "->" and "...")");
    }
  }
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Puts the last `count` of the spare letters where "..." stands; false where it does not.
bool replace_ellipsis(std::string& labels, const std::string& spare, std::size_t count) {
  const std::size_t at = labels.find("...");
  if (at == std::string::npos) return false;
  labels.replace(at, 3, spare.substr(spare.size() - count));
  return true;
}

Subscripts parsed(std::string_view all, const std::vector<Variable>& operands) {
  std::string text;
  for (const char c : all) {
    if (c != ' ') text += c;
  }
  const std::size_t arrow = text.find("->");
  Subscripts out{split_at_commas(text.substr(0, arrow)), {}};
  if (out.operands.size() != operands.size()) {
    refuse(all, "there are not as many subscripts as operands");
  }
  std::string unused;
  for (const char* letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"; *letter != 0;
       ++letter) {
    if (!has(text, *letter)) unused += *letter;
  }
  std::size_t most = 0;
  std::vector<std::size_t> unnamed;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto ndim = static_cast<std::size_t>(operands[i].ndim());
    const bool has_ellipsis = out.operands[i].find("...") != std::string::npos;
    const std::size_t named = out.operands[i].size() - (has_ellipsis ? 3 : 0);
    if (named > ndim || (!has_ellipsis && named != ndim)) {
      refuse(all, "an operand has another number of axes");
    }
    unnamed.push_back(ndim - named);
    most = std::max(most, unnamed.back());
  }
  if (most > unused.size()) refuse(all, "there are too many axes");
  const std::string spare = unused.substr(0, most);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    replace_ellipsis(out.operands[i], spare, unnamed[i]);
    check_letters(all, out.operands[i]);
  }
  if (arrow != std::string::npos) {
    out.result = text.substr(arrow + 2);
    if (!replace_ellipsis(out.result, spare, most) && most > 0) {
      refuse(all, "the result does not name the axes of \"...\"");
    }
    check_letters(all, out.result);
  } else {
    std::map<char, int> counts;
    for (const std::string& labels : out.operands) {
      for (const char label : labels) ++counts[label];
    }
    out.result = spare;
    for (const auto& [label, count] : counts) {
      if (count == 1 && !has(spare, label)) out.result += label;
    }
  }
  std::string inputs;
  for (const std::string& labels : out.operands) inputs += labels;
  for (std::size_t i = 0; i < out.result.size(); ++i) {
    if (!has(inputs, out.result[i])) refuse(all, "the result has a letter that no operand has");
    if (out.result.find(out.result[i], i + 1) != std::string::npos) {
      refuse(all, "the result has a letter twice");
    }
  }
  return out;
}

/// Takes diagonals until no letter stands there twice.
Named without_repeats(Named a) {
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    const std::size_t again = a.labels.find(a.labels[i], i + 1);
    if (again == std::string::npos) continue;
    const Shape shape = a.x.shape();
    Shape order = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(again)};
    std::string labels(1, a.labels[i]);
    for (std::size_t k = 0; k < a.labels.size(); ++k) {
      if (k == i || k == again) continue;
      order.push_back(static_cast<std::int64_t>(k));
      labels += a.labels[k];
    }
    const std::int64_t extent = shape[static_cast<int>(i)];
    if (extent != shape[static_cast<int>(again)]) {
      throw cupyxx::ShapeError(cupyxx::message("einsum: the extents of '",
                                               std::string(1, a.labels[i]),
                                               "' differ within an operand; ", shape));
    }
    const cupyxx::DeviceScope device(a.x.device());
    const ndarray places = cupyxx::arange(extent);
    return without_repeats({get_item(transpose(a.x, order), {places, places}), labels});
  }
  return a;
}

/// Operands whose axes of the same letter have the same extent; those of extent 1 broadcast.
void broadcast_axes(std::vector<Named>& all) {
  std::map<char, std::int64_t> extents;
  for (const Named& a : all) {
    for (const char label : a.labels) {
      const std::int64_t extent = a.extent(label);
      std::int64_t& known = extents.emplace(label, extent).first->second;
      if (known == 1) known = extent;
      if (extent == known || extent == 1) continue;
      throw cupyxx::ShapeError(cupyxx::message("einsum: the extents of '", std::string(1, label),
                                               "' differ; ", known, " and ", extent));
    }
  }
  for (Named& a : all) {
    Shape shape;
    for (const char label : a.labels) shape.push_back(extents[label]);
    if (shape != a.x.shape()) a.x = broadcast_to(a.x, shape);
  }
}

/// `axes` counted from the first.
Shape checked_axes(const char* operand, const Variable& x, const Shape& axes) {
  Shape found;
  for (const std::int64_t axis : axes) {
    if (axis < -x.ndim() || axis >= x.ndim()) {
      throw cupyxx::AxisError(cupyxx::message("tensordot: axis ", axis, " is out of bounds for ",
                                              operand, " of dimension ", x.ndim()));
    }
    const std::int64_t counted = axis < 0 ? axis + x.ndim() : axis;
    if (std::find(found.begin(), found.end(), counted) != found.end()) {
      throw cupyxx::ValueError(cupyxx::message("tensordot: an axis stands there twice; ", axes));
    }
    found.push_back(counted);
  }
  return found;
}

}  // namespace

Variable tensordot(const Variable& a, const Variable& b, int axes) {
  internal::refuse_none("tensordot", {&a, &b});
  if (axes < 0 || axes > a.ndim() || axes > b.ndim()) {
    throw cupyxx::ValueError(cupyxx::message("tensordot: the number of axes is out of range; ",
                                             axes, " for ", a.shape(), " and ", b.shape()));
  }
  Shape of_a, of_b;
  for (int i = 0; i < axes; ++i) {
    of_a.push_back(a.ndim() - axes + i);
    of_b.push_back(i);
  }
  return tensordot(a, b, of_a, of_b);
}

Variable tensordot(const Variable& a, const Variable& b, const Shape& axes_a, const Shape& axes_b) {
  internal::refuse_none("tensordot", {&a, &b});
  if (axes_a.ndim() != axes_b.ndim()) {
    throw cupyxx::ValueError(
        cupyxx::message("tensordot: the numbers of axes differ; ", axes_a, " and ", axes_b));
  }
  if (a.ndim() > 26 || b.ndim() > 26) {
    throw cupyxx::ValueError(
        cupyxx::message("tensordot: there are too many axes; ", a.ndim(), " and ", b.ndim()));
  }
  const Shape of_a = checked_axes("a", a, axes_a), of_b = checked_axes("b", b, axes_b);
  Named left{a, {}}, right{b, {}};
  for (int i = 0; i < a.ndim(); ++i) left.labels += static_cast<char>('a' + i);
  for (int i = 0; i < b.ndim(); ++i) right.labels += static_cast<char>('A' + i);
  for (int i = 0; i < of_a.ndim(); ++i) {
    if (a.shape()[static_cast<int>(of_a[i])] != b.shape()[static_cast<int>(of_b[i])]) {
      throw cupyxx::ShapeError(cupyxx::message("tensordot: the extents differ; axes ", axes_a,
                                               " and ", axes_b, " of ", a.shape(), " and ",
                                               b.shape()));
    }
    right.labels[static_cast<std::size_t>(of_b[i])] =
        left.labels[static_cast<std::size_t>(of_a[i])];
  }
  std::string kept;
  for (const char label : left.labels + right.labels) {
    if (!has(left.labels, label) || !has(right.labels, label)) kept += label;
  }
  return product(left, right, kept).x;
}

Variable einsum(std::string_view subscripts, const std::vector<Variable>& operands) {
  if (operands.empty()) throw cupyxx::ValueError("einsum: there are no operands");
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].is_none()) {
      throw cupyxx::TypeError(cupyxx::message("einsum: input ", i, " is None"));
    }
  }
  const Subscripts names = parsed(subscripts, operands);
  std::vector<Named> all;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    all.push_back(without_repeats({operands[i], names.operands[i]}));
  }
  broadcast_axes(all);
  Named y = all[0];
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::string kept = names.result;
    for (std::size_t k = i + 1; k < all.size(); ++k) kept += all[k].labels;
    y = product(y, all[i], kept);
  }
  return arranged(summed(y, names.result), names.result);
}

}  // namespace chainerxx::functions
