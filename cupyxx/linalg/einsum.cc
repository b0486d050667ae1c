// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cupyxx/core/resolve.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

// One letter each; the axes of an ellipsis, counted from the last, are kEllipsis - 1, - 2, ...
using Labels = std::vector<int>;
constexpr int kEllipsis = 0;

bool contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

struct Term {
  ndarray array;
  Labels labels;
};

[[noreturn]] void fail(const std::string& what, std::string_view subscripts) {
  throw ValueError(message("einsum: ", what, "; '", subscripts, "'"));
}

// The labels of one operand or of the result; `ellipsis_axes` axes stand for "...".
Labels parse(std::string_view part, std::string_view all, int ellipsis_axes) {
  Labels labels;
  bool found = false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const char c = part[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (found || part.substr(i, 3) != "...") fail("a '.' that is not part of one '...'", all);
      found = true;
      i += 2;
      for (int k = ellipsis_axes; k > 0; --k) labels.push_back(kEllipsis - k);
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      labels.push_back(c);
    } else {
      fail(message("invalid subscript '", c, "'"), all);
    }
  }
  return labels;
}

// Labels given twice become one axis, the diagonal.
void take_diagonals(Term& term, std::string_view subscripts) {
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    for (std::size_t j = i + 1; j < term.labels.size();) {
      if (term.labels[j] != term.labels[i]) {
        ++j;
        continue;
      }
      const int label = term.labels[i];
      const Shape shape = term.array.shape();
      if (shape[static_cast<int>(i)] != shape[static_cast<int>(j)]) {
        fail(message("a repeated subscript has two extents; shape ", shape), subscripts);
      }
      term.array = term.array.diagonal(0, static_cast<int>(i), static_cast<int>(j));
      term.labels.erase(term.labels.begin() + static_cast<std::ptrdiff_t>(j));
      term.labels.erase(term.labels.begin() + static_cast<std::ptrdiff_t>(i));
      term.labels.push_back(label);
      i = 0;
      j = 1;
    }
  }
}

// Sums over the labels that are not kept.
void sum_out(Term& term, const Labels& kept) {
  std::vector<std::int64_t> axes;
  Labels left;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    if (contains(kept, term.labels[i])) {
      left.push_back(term.labels[i]);
    } else {
      axes.push_back(static_cast<std::int64_t>(i));
    }
  }
  if (axes.empty()) return;
  term.array = sum(term.array, axes, {.dtype = term.array.dtype()});
  term.labels = left;
}

ndarray in_order(const Term& term, const Labels& order) {
  Shape axes;
  for (const int label : order) {
    axes.push_back(std::find(term.labels.begin(), term.labels.end(), label) - term.labels.begin());
  }
  return term.array.transpose(axes);
}

Labels joined(Labels first, const Labels& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Drops axes of extent 1 that broadcast against a longer one of the other operand.
void drop_broadcast(Term& term, const std::map<int, std::int64_t>& extents) {
  Labels left;
  Shape shape;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    const std::int64_t extent = term.array.shape()[static_cast<int>(i)];
    if (extent == 1 && extents.at(term.labels[i]) != 1) continue;
    left.push_back(term.labels[i]);
    shape.push_back(extent);
  }
  if (left.size() == term.labels.size()) return;
  term.array = term.array.reshape(shape);
  term.labels = left;
}

// The product of two terms, summed over the labels that are not kept.
Term contract(const Term& a, const Term& b, const Labels& kept) {
  Labels stack, summed, rows, columns;
  for (const int label : a.labels) {
    const bool shared = contains(b.labels, label);
    (!shared ? rows : contains(kept, label) ? stack : summed).push_back(label);
  }
  for (const int label : b.labels) {
    if (!contains(a.labels, label)) columns.push_back(label);
  }
  const ndarray x = in_order(a, joined(joined(stack, rows), summed));
  const ndarray y = in_order(b, joined(joined(stack, summed), columns));
  const auto part = [](const ndarray& array, std::size_t from, std::size_t count) {
    Shape shape;
    for (std::size_t i = from; i < from + count; ++i) {
      shape.push_back(array.shape()[static_cast<int>(i)]);
    }
    return shape;
  };
  const Shape outer_shape = part(x, 0, stack.size());
  const Shape row_shape = part(x, stack.size(), rows.size());
  const Shape inner_shape = part(x, stack.size() + rows.size(), summed.size());
  const Shape column_shape = part(y, stack.size() + summed.size(), columns.size());
  const std::int64_t m = row_shape.element_count(), k = inner_shape.element_count(),
                     n = column_shape.element_count();
  Shape left = outer_shape, right = outer_shape, result = outer_shape;
  left.push_back(m);
  left.push_back(k);
  right.push_back(k);
  right.push_back(n);
  for (const std::int64_t extent : row_shape) result.push_back(extent);
  for (const std::int64_t extent : column_shape) result.push_back(extent);
  ndarray product;
  if (summed.empty()) {
    left[left.ndim() - 1] = 1;
    right[right.ndim() - 2] = 1;
    product = multiply(x.reshape(left), y.reshape(right));
  } else {
    product = matmul(x.reshape(left), y.reshape(right));
  }
  return {product.reshape(result), joined(joined(stack, rows), columns)};
}

struct Subscripts {
  std::vector<Term> terms;
  Labels result;
};

Subscripts read(std::string_view subscripts, std::span<const ndarray> operands) {
  const std::size_t arrow = subscripts.find("->");
  const std::string_view inputs = subscripts.substr(0, arrow);
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t comma = inputs.find(',', from);
    parts.push_back(inputs.substr(from, comma - from));
    if (comma == std::string_view::npos) break;
    from = comma + 1;
  }
  if (parts.size() != operands.size()) {
    fail(message(operands.size(), " operands for ", parts.size(), " lists of subscripts"),
         subscripts);
  }
  Subscripts read;
  int broadcast_axes = 0;
  std::map<int, int> uses;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int rank = operands[i].ndim();
    const bool has_ellipsis = parts[i].find('.') != std::string_view::npos;
    const int named = static_cast<int>(parse(parts[i], subscripts, 0).size());
    if (named > rank || (named < rank && !has_ellipsis)) {
      fail(message("subscripts '", parts[i], "' do not fit an operand of shape ",
                   operands[i].shape()),
           subscripts);
    }
    broadcast_axes = std::max(broadcast_axes, rank - named);
    Term term{operands[i], parse(parts[i], subscripts, rank - named)};
    for (const int label : term.labels) ++uses[label];
    take_diagonals(term, subscripts);
    read.terms.push_back(std::move(term));
  }
  if (arrow != std::string_view::npos) {
    read.result = parse(subscripts.substr(arrow + 2), subscripts, broadcast_axes);
    for (const int label : read.result) {
      if (uses[label] == 0) {
        fail(message("the result has a subscript '", static_cast<char>(label),
                     "' that no operand has"),
             subscripts);
      }
      if (std::count(read.result.begin(), read.result.end(), label) > 1) {
        fail("the result has a subscript twice", subscripts);
      }
    }
    for (const auto& [label, count] : uses) {
      if (label < kEllipsis && !contains(read.result, label)) {
        fail("the result lacks the '...' of the operands", subscripts);
      }
    }
    return read;
  }
  for (const auto& [label, count] : uses) {
    if (label < kEllipsis || count == 1) read.result.push_back(label);
  }
  return read;
}

// The dtype of all operands; throws DtypeError where the rule forbids a cast to it.
dtype computed_in(std::span<const ndarray> operands, const EinsumOptions& options) {
  const dtype type = options.dtype ? options.dtype : internal::common_dtype(operands);
  for (const ndarray& a : operands) {
    if (can_cast(a.dtype(), type, options.casting)) continue;
    throw DtypeError(message("einsum: cannot cast an operand from ", a.dtype().name(), " to ",
                             type.name(), " with casting rule '", name(options.casting), "'"));
  }
  return type;
}

}  // namespace

ndarray einsum(std::string_view subscripts, std::span<const ndarray> operands,
               const EinsumOptions& options) {
  if (operands.empty()) throw ValueError("einsum: needs an operand");
  for (const ndarray& a : operands) {
    if (a.is_none()) throw TypeError("einsum: an operand is None");
  }
  auto [terms, result] = read(subscripts, operands);
  const dtype type = computed_in(operands, options);

  std::map<int, std::int64_t> extents;
  for (const Term& term : terms) {
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
      const std::int64_t extent = term.array.shape()[static_cast<int>(i)];
      auto [found, is_new] = extents.emplace(term.labels[i], extent);
      if (is_new || found->second == 1) {
        found->second = extent;
      } else if (extent != 1 && extent != found->second) {
        fail(message("one subscript has the extents ", found->second, " and ", extent), subscripts);
      }
    }
  }
  for (Term& term : terms) drop_broadcast(term, extents);

  Term total{terms[0].array.astype(type, false), terms[0].labels};
  for (std::size_t i = 1; i <= terms.size(); ++i) {
    Labels later = result;
    for (std::size_t j = i + 1; j < terms.size(); ++j) later = joined(later, terms[j].labels);
    if (i == terms.size()) {
      sum_out(total, later);
      break;
    }
    Term next{terms[i].array.astype(type, false), terms[i].labels};
    sum_out(total, joined(later, next.labels));
    sum_out(next, joined(later, total.labels));
    total = contract(total, next, later);
  }
  return internal::deliver_to("einsum", in_order(total, result), options.out, options.casting);
}

ndarray internal::einsum_of(std::initializer_list<ndarray> operands,
                            std::initializer_list<EinsumLabels> labels) {
  // Letters in the order of their numbers: without a result's labels these are sorted.
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text;
  std::size_t i = 0;
  for (const EinsumLabels list : labels) {
    if (i > 0) text += i < operands.size() ? "," : "->";
    for (const int label : list) {
      if (label < 0 || label >= static_cast<int>(kLetters.size())) {
        throw ValueError(message("einsum: ", label, " is no label; they are 0 to 51"));
      }
      text += kLetters[static_cast<std::size_t>(label)];
    }
    ++i;
  }
  return einsum(text, operands);
}

}  // namespace cupyxx
