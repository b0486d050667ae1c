// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx {

namespace cp = cupyxx;
using cupyxx::ndarray;
using datasets::Batch;
using datasets::Example;

namespace {

/// The extents that all examples of a column fit into.
cp::Shape common_shape(const std::vector<Example>& examples, std::size_t column, bool pads) {
  const ndarray& first = examples[0][column];
  cp::Shape shape = first.shape();
  for (std::size_t i = 1; i < examples.size(); ++i) {
    const ndarray& a = examples[i][column];
    if (a.dtype() != first.dtype()) {
      throw cp::DtypeError(cp::message("concat_examples: array ", column, " of example ", i, " is ",
                                       std::string(a.dtype().name()), ", of example 0 ",
                                       std::string(first.dtype().name())));
    }
    if (a.shape() == shape) continue;
    if (!pads || a.ndim() != first.ndim()) {
      throw cp::ShapeError(cp::message("concat_examples: array ", column, " of example ", i,
                                       " has shape ", a.shape(), ", of example 0 ", first.shape(),
                                       pads ? "" : "; padding joins them"));
    }
    for (int axis = 0; axis < a.ndim(); ++axis) {
      shape[axis] = std::max(shape[axis], a.shape(axis));
    }
  }
  return shape;
}

/// Copies one example to its place, which may be larger.
void place(const ndarray& target, std::int64_t i, const ndarray& a, bool fits) {
  if (a.size() == 0) return;
  if (!fits) {
    std::vector<cp::Index> index = {cp::Index(i)};
    for (const std::int64_t extent : a.shape()) index.emplace_back(cp::slice(0, extent));
    target.setitem(index, a);
  } else if (target.device().is_cpu() && a.device().is_cpu() && a.flags().c_contiguous) {
    std::memcpy(static_cast<char*>(target.elements()) + i * a.nbytes(), a.elements(),
                static_cast<std::size_t>(a.nbytes()));
  } else {
    target(i) = a.to(target.device());
  }
}

/// An array filled with padding. Throws ValueError for a number that its dtype cannot hold.
ndarray filled(const cp::Shape& shape, double padding, cp::dtype type, std::size_t column) {
  const bool whole = padding == std::trunc(padding) && std::abs(padding) < 0x1p63;
  const cp::Scalar value(static_cast<std::int64_t>(whole ? padding : 0));
  const bool holds = type.is_integer() ? whole && value.fits(type)
                                       : !type.is_bool() || padding == 0 || padding == 1;
  if (!holds) {
    throw cp::ValueError(cp::message("concat_examples: array ", column, " is ",
                                     std::string(type.name()), ", which has no ",
                                     cp::Scalar(padding).str(), " to be padded with"));
  }
  return cp::full(shape, cp::Scalar(padding), type);
}

ndarray join(const std::vector<Example>& examples, std::size_t column, const double* padding,
             cp::Device device) {
  const cp::Shape one = common_shape(examples, column, padding != nullptr);
  std::vector<std::int64_t> extents = {std::ssize(examples)};
  extents.insert(extents.end(), one.begin(), one.end());
  const cp::DeviceScope there(device);
  const cp::dtype type = examples[0][column].dtype();
  const bool pads = std::any_of(examples.begin(), examples.end(),
                                [&](const Example& e) { return !(e[column].shape() == one); });
  const ndarray joined = pads ? filled(cp::Shape(extents), *padding, type, column)
                              : cp::empty(cp::Shape(extents), type);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const ndarray& a = examples[i][column];
    place(joined, static_cast<std::int64_t>(i), a, a.shape() == one);
  }
  return joined;
}

void check_padding(const ConcatOptions& options, std::size_t arrays) {
  const std::size_t numbers = options.padding.size();
  if (numbers <= 1 || numbers == arrays) return;
  throw cp::ValueError(
      cp::message("concat_examples: ", numbers, " numbers of padding for ", arrays, " arrays"));
}

void check(const std::vector<Example>& examples, const ConcatOptions& options) {
  if (examples.empty()) {
    throw cp::ValueError(
        "concat_examples: the batch has no examples; those that cannot be read were left out, if "
        "there were some: skipped() names them");
  }
  const std::size_t arrays = examples[0].size();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].empty() || examples[i].size() != arrays) {
      throw cp::ValueError(cp::message("concat_examples: example ", i, " has ", examples[i].size(),
                                       " arrays, example 0 has ", arrays));
    }
    for (const ndarray& a : examples[i]) {
      if (a.is_none()) {
        throw cp::ValueError(cp::message("concat_examples: an array of example ", i, " is None"));
      }
    }
  }
  check_padding(options, arrays);
}

bool have_one_form(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    if (example.size() != examples[0].size()) return false;
    for (std::size_t i = 0; i < example.size(); ++i) {
      const ndarray &a = example[i], &first = examples[0][i];
      if (a.is_none() || first.is_none() || a.shape() != first.shape() ||
          a.dtype() != first.dtype() || a.device() != first.device()) {
        return false;
      }
    }
  }
  return !examples.empty();
}

}  // namespace

namespace internal {

std::vector<ndarray> columns_of(const datasets::Dataset& dataset,
                                std::span<const std::int64_t> numbers) {
  std::vector<ndarray> columns = dataset.get_columns(numbers);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ndarray& column = columns[i];
    if (!column.is_none() && column.ndim() > 0 && column.shape(0) == std::ssize(numbers)) continue;
    throw cp::ValueError(
        cp::message("Dataset: get_columns gave array ", i, " of ",
                    column.is_none() ? std::string("None") : cp::message("shape ", column.shape()),
                    " for ", numbers.size(), " examples, each a row of it"));
  }
  return columns;
}

}  // namespace internal

namespace datasets {

Batch::Batch(std::vector<Example> examples) : examples_(std::move(examples)) {}

Batch Batch::of_columns(std::vector<ndarray> columns) {
  Batch batch;
  batch.columns_ = std::move(columns);
  return batch;
}

std::int64_t Batch::size() const { return is_joined() ? columns_[0].len() : std::ssize(examples_); }

Example Batch::operator[](std::int64_t i) const {
  if (i < 0 || i >= size()) {
    throw cp::IndexError(cp::message("Batch: example ", i, " of ", size()));
  }
  if (!is_joined()) return examples_[static_cast<std::size_t>(i)];
  Example example;
  for (const ndarray& column : columns_) example.push_back(column(i));
  return example;
}

Batch make_batch(const Dataset& dataset, std::span<const std::int64_t> numbers, std::uint64_t seed,
                 std::uint64_t first_draw) {
  std::vector<ndarray> columns = internal::columns_of(dataset, numbers);
  if (!columns.empty()) return Batch::of_columns(std::move(columns));
  std::vector<Example> examples;
  for (const std::int64_t i : numbers) {
    const ExampleRandomScope random(seed, first_draw++);
    Example example = dataset.get_example(i);
    if (!example.empty()) examples.push_back(std::move(example));
  }
  return joined_batch(std::move(examples));
}

Batch joined_batch(std::vector<Example> examples) {
  if (!have_one_form(examples)) return Batch(std::move(examples));
  return Batch::of_columns(concat_examples(examples));
}

}  // namespace datasets

std::vector<ndarray> concat_examples(const Batch& batch, const ConcatOptions& options) {
  if (!batch.is_joined()) return concat_examples(batch.examples(), options);
  check_padding(options, batch.columns().size());  // also where this batch needs none
  std::vector<ndarray> arrays;
  for (const ndarray& column : batch.columns()) {
    if (options.device && column.device() != *options.device) {
      arrays.push_back(column.to(*options.device));
    } else {  // what the dataset holds would be written to by the program
      arrays.push_back(cp::extension::is_unshared(column) ? column : column.copy());
    }
  }
  return arrays;
}

std::vector<ndarray> concat_examples(const std::vector<Example>& examples,
                                     const ConcatOptions& options) {
  check(examples, options);
  std::vector<ndarray> arrays;
  for (std::size_t i = 0; i < examples[0].size(); ++i) {
    const std::size_t at = options.padding.size() > 1 ? i : 0;
    const double* padding = options.padding.empty() ? nullptr : &options.padding[at];
    // Joined where they are, so that one copy goes to the device.
    ndarray joined = join(examples, i, padding, examples[0][i].device());
    arrays.push_back(options.device ? joined.to(*options.device) : joined);
  }
  return arrays;
}

ndarray concat_examples(const std::vector<ndarray>& examples, const ConcatOptions& options) {
  std::vector<Example> single;
  single.reserve(examples.size());
  for (const ndarray& array : examples) single.push_back({array});
  return concat_examples(single, options).front();
}

}  // namespace chainerxx
