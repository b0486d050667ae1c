// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/tuple_dataset.h"

#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"

namespace chainerxx::datasets {

namespace cp = cupyxx;

TupleDataset::TupleDataset(std::vector<ndarray> arrays) : arrays_(std::move(arrays)) {
  if (arrays_.empty()) throw cp::ValueError("TupleDataset: no arrays");
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i].is_none() || arrays_[i].ndim() == 0) {
      throw cp::ValueError(cp::message("TupleDataset: array ", i,
                                       arrays_[i].is_none() ? " is None" : " has no axis"));
    }
    if (arrays_[i].len() != arrays_[0].len()) {
      throw cp::ValueError(cp::message("TupleDataset: array ", i, " has ", arrays_[i].len(),
                                       " rows, array 0 has ", arrays_[0].len()));
    }
  }
  size_ = arrays_[0].len();
}

Example TupleDataset::get_example(std::int64_t i) const {
  Example example;
  for (const ndarray& a : arrays_) {
    ndarray row = a(i);
    row.set_writeable(false);
    example.push_back(std::move(row));
  }
  return example;
}

std::vector<ndarray> TupleDataset::get_columns(std::span<const std::int64_t> numbers) const {
  std::vector<ndarray> columns;
  bool in_order = !numbers.empty();
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    in_order = in_order && numbers[i] == numbers[i - 1] + 1;
  }
  if (in_order) {
    for (const ndarray& a : arrays_) {
      columns.push_back(a(cp::slice(numbers[0], numbers.back() + 1)).copy());
    }
    return columns;
  }
  ndarray rows;
  for (const ndarray& a : arrays_) {
    if (rows.is_none() || rows.device() != a.device()) {
      const cp::DeviceScope there(a.device());
      rows = cp::array(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
    }
    columns.push_back(cp::take(a, rows, 0));
  }
  return columns;
}

}  // namespace chainerxx::datasets
