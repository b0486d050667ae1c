// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/datasets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_array_equal;
using cp::testing::expect_elements;
using cp::testing::expect_error;

class DatasetsTest : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(DatasetsTest);

TEST_P(DatasetsTest, SplitsTakeSharesOfSizes) {
  const TupleDataset all(cp::arange(100));
  EXPECT_EQ(split_dataset(all, all.size() * 0.29).first.size(), 29);
  EXPECT_EQ(split_dataset_random(all, all.size() * 0.8, 1).second.size(), 20);
  EXPECT_EQ(split_dataset_random(all, 33.4, 1).first.size(), 33);
  expect_error<cp::ValueError>(
      [&] { split_dataset_random(all, 0.8); },
      "split_dataset_random: the first part has 0.8 of 100 examples; a share is written "
      "dataset.size() * share");
  expect_error<cp::ValueError>([&] { split_dataset(all, 100.0); },
                               "split_dataset: the first part has 100.0 of 100 examples");
  expect_error<cp::ValueError>([&] { split_dataset(all, std::nan("")); },
                               "split_dataset: the first part has nan of 100 examples");
}

TEST_P(DatasetsTest, DataStayAsTheyAre) {
  const ndarray x = cp::arange(6.0).reshape({3, 2}), kept = x.copy();
  const TupleDataset rows(x);
  const std::vector<std::int64_t> in_order = {0, 1}, mixed = {2, 0};
  for (const auto& numbers : {in_order, mixed}) rows.get_columns(numbers)[0] += 10;
  auto arrays = concat_examples(Batch::of_columns(rows.get_columns(in_order)));
  arrays[0] /= 255;
  Example example = rows[1];
  expect_error<cp::ValueError>([&] { example[0] += 1; }, "read-only");
  ndarray own = example[0].copy();
  own += 1;
  concat_examples({rows[0], rows[1]})[0] += 1;
  cp::testing::expect_array_equal(x, kept);
  x(0, 0) = 7;  // the array itself can be written to, and is what the dataset gives
  EXPECT_EQ(rows[0][0].item<double>(0), 7);
}

TEST_P(DatasetsTest, TupleDatasetGivesRows) {
  const ndarray x = cp::arange(6).reshape({3, 2}), t = cp::array({7, 8, 9});
  const TupleDataset pairs(x, t);
  EXPECT_EQ(pairs.size(), 3);
  expect_elements<std::int64_t>(pairs[1][0], {2}, {2, 3});
  EXPECT_EQ(pairs[-1][1].item<int>(), 9);
  const std::vector<ndarray> part = pairs.get_columns(std::vector<std::int64_t>{1, 2});
  EXPECT_FALSE(part[0].shares_memory(x));
  const std::vector<ndarray> chosen = pairs.get_columns(std::vector<std::int64_t>{2, 0});
  expect_elements<std::int64_t>(chosen[0], {2, 2}, {4, 5, 0, 1});
  EXPECT_EQ(chosen[1].device(), device());
  expect_error<cp::IndexError>([&] { pairs[3]; }, "dataset: example 3 is out of bounds for 3");
  expect_error<cp::ValueError>([&] { TupleDataset(x, cp::arange(4)); },
                               "TupleDataset: array 1 has 4 rows, array 0 has 3");
  expect_error<cp::ValueError>([&] { TupleDataset(x, ndarray()); }, "array 1 is None");
  expect_error<cp::ValueError>([&] { TupleDataset(cp::array(1)); }, "array 0 has no axis");
  expect_error<cp::ValueError>([&] { TupleDataset(std::vector<ndarray>()); }, "no arrays");
}

TEST_P(DatasetsTest, PartsAndOrders) {
  const TupleDataset all(cp::arange(10));
  const SubDataset part(all, 2, 5);
  EXPECT_EQ(part.size(), 3);
  EXPECT_EQ(part[0][0].item<int>(), 2);
  const SubDataset ordered(all, 1, 3, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(ordered[0][0].item<int>(), 8);
  expect_elements<std::int64_t>(ordered.get_columns(std::vector<std::int64_t>{1, 0})[0], {2},
                                {7, 8});
  const auto [first, second] = split_dataset(all, 4);
  EXPECT_EQ(first.size(), 4);
  EXPECT_EQ(second[0][0].item<int>(), 4);
  const auto [a, b] = split_dataset_random(all, 4, 1);
  const auto [c, d] = split_dataset_random(all, 4, 1);
  std::set<int> seen;
  for (std::int64_t i = 0; i < 4; ++i) seen.insert(a[i][0].item<int>());
  for (std::int64_t i = 0; i < 6; ++i) seen.insert(b[i][0].item<int>());
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(a[0][0].item<int>(), c[0][0].item<int>());
  EXPECT_EQ(b[5][0].item<int>(), d[5][0].item<int>());
  expect_error<cp::ValueError>([&] { SubDataset(all, 3, 11); }, "from 3 to 11 of 10 examples");
  expect_error<cp::ValueError>([&] { SubDataset(all, 0, 1, {0}); },
                               "an order of 1 numbers for 10 examples");
  expect_error<cp::ValueError>([&] { SubDataset(TupleDataset(cp::arange(1)), 0, 1, {5}); },
                               "the order has 5, of 1 examples");
  expect_error<cp::ValueError>(
      [&] { split_dataset(all, 10); },
      "split_dataset: one of the parts of 10 examples split at 10 has none");
  expect_error<cp::ValueError>([&] { DatasetRef(std::shared_ptr<TupleDataset>()); },
                               "dataset: the pointer is null");
}

TEST_P(DatasetsTest, DatasetsOneBehindTheOther) {
  const TupleDataset first(cp::arange(3)), none(cp::zeros({0})), last(cp::arange(10, 12));
  const ConcatenatedDataset all(first, none, last);
  EXPECT_EQ(all.size(), 5);
  EXPECT_EQ(all[2][0].item<int>(), 2);
  EXPECT_EQ(all[3][0].item<int>(), 10);
  EXPECT_EQ(all[-1][0].item<int>(), 11);
  expect_elements<std::int64_t>(all.get_columns(std::vector<std::int64_t>{4, 3})[0], {2}, {11, 10});
  // Over a border the examples come one by one.
  EXPECT_TRUE(all.get_columns(std::vector<std::int64_t>{2, 3}).empty());
  const auto mixed = concat_examples(make_batch(all, std::vector<std::int64_t>{2, 3}, 1, 1));
  expect_elements<std::int64_t>(mixed[0], {2}, {2, 10});
  expect_error<cp::IndexError>([&] { all[5]; }, "dataset: example 5 is out of bounds for 5");
  expect_error<cp::ValueError>([] { ConcatenatedDataset(std::vector<DatasetRef>()); },
                               "ConcatenatedDataset: there are no datasets");
}

/// The first numbers of all examples.
std::vector<int> numbers_of(const Dataset& dataset) {
  std::vector<int> all;
  for (std::int64_t i = 0; i < dataset.size(); ++i) all.push_back(dataset[i][0].item<int>());
  return all;
}

TEST_P(DatasetsTest, PartsOfEqualLength) {
  const TupleDataset all(cp::arange(7));
  const auto parts = split_dataset_n(all, 3);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(numbers_of(parts[0]), (std::vector<int>{0, 1}));
  EXPECT_EQ(numbers_of(parts[2]), (std::vector<int>{4, 5}));
  const auto random = split_dataset_n_random(all, 3, 5), again = split_dataset_n_random(all, 3, 5);
  std::set<int> seen;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(numbers_of(random[i]), numbers_of(again[i]));
    for (const int number : numbers_of(random[i])) seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 6u);
  expect_error<cp::ValueError>([&] { split_dataset_n(all, 8); },
                               "split_dataset_n: 8 parts of 7 examples; not in [1, 7]");
}

TEST_P(DatasetsTest, EachFoldValidatesOnce) {
  const TupleDataset all(cp::arange(5));
  const auto folds = get_cross_validation_datasets(all, 2);
  EXPECT_EQ(numbers_of(folds[0].first), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(numbers_of(folds[0].second), (std::vector<int>{0, 1}));
  EXPECT_EQ(numbers_of(folds[1].first), (std::vector<int>{0, 1}));
  EXPECT_EQ(numbers_of(folds[1].second), (std::vector<int>{2, 3, 4}));
  std::multiset<int> validated;
  for (const auto& [train, test] : get_cross_validation_datasets_random(all, 5, 3)) {
    std::multiset<int> both;
    for (const int number : numbers_of(train)) both.insert(number);
    for (const int number : numbers_of(test)) both.insert(number), validated.insert(number);
    EXPECT_EQ(both, (std::multiset<int>{0, 1, 2, 3, 4}));
  }
  EXPECT_EQ(validated, (std::multiset<int>{0, 1, 2, 3, 4}));
  expect_error<cp::ValueError>(
      [&] { get_cross_validation_datasets(all, 1); },
      "get_cross_validation_datasets: 1 parts of 5 examples; not in [2, 5]");
}

TEST_P(DatasetsTest, TransformsHaveRandomNumbersOfTheExample) {
  const TransformDataset noisy(TupleDataset(cp::arange(4)), [](const Example& example) {
    return Example{example[0] * 2, cp::array(example_random().uniform())};
  });
  EXPECT_EQ(noisy[3][0].item<int>(), 6);
  const std::vector<std::int64_t> two = {0, 3};
  const auto a = concat_examples(make_batch(noisy, two, 7, 100));
  const auto b = concat_examples(make_batch(noisy, two, 7, 100));
  const auto c = concat_examples(make_batch(noisy, two, 7, 101));
  expect_array_equal(a[1], b[1]);
  EXPECT_EQ(a[1].to_vector<double>()[1], c[1].to_vector<double>()[0]);  // the draw of number 101
  expect_error<cp::ValueError>([] { example_random().below(0); },
                               "ExampleRandom: no integers below 0");
}

TEST(ExampleTest, LooksAtItsPlaces) {
  Example example = {cp::array({1, 2}), cp::array(3)};
  const Example& constant = example;
  EXPECT_EQ(constant[1].item<int>(), 3);
  example[1] = cp::array(4);
  EXPECT_EQ(example[1].item<int>(), 4);
  expect_error<cp::IndexError>([&] { example[2] = cp::array(1); },
                               "example: there is no array 2 of 2");
  expect_error<cp::IndexError>([&] { constant[9]; }, "example: there is no array 9 of 2");
  int sum = 0;
  for (auto part : TupleDataset(cp::array({{5, 6}}))[0][0]) sum += part.item<int>();
  EXPECT_EQ(sum, 11);
  const std::vector<ndarray> plain = example;
  EXPECT_EQ(Example(plain).size(), 2u);
}

TEST(ExampleRandom, IsUniform) {
  ExampleRandom random(1, 2);
  std::vector<int> counts(10);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    ++counts[random.below(10)];
    sum += random.uniform();
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);  // four standard deviations
  EXPECT_NEAR(sum / 100'000, 0.5, 0.004);
}

TEST(ExampleRandom, IsNormal) {
  ExampleRandom random(3, 4);
  double sum = 0, squares = 0, within = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    within += std::abs(x) < 1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.04);
  EXPECT_NEAR(within / 20000, 0.6827, 0.015);
}

TEST_P(DatasetsTest, ConcatenatesExamplesWithPadding) {
  const std::vector<Example> examples = {{cp::array({1, 2, 3}), cp::array(1.5f)},
                                         {cp::array({4}), cp::array(2.5f)}};
  const auto padded = concat_examples(examples, {.padding = {-1}});
  expect_elements<std::int64_t>(padded[0], {2, 3}, {1, 2, 3, 4, -1, -1});
  expect_elements<float>(padded[1], {2}, {1.5f, 2.5f});
  const auto one = concat_examples(examples, {.padding = -1});
  EXPECT_TRUE(cp::array_equal(one[0], padded[0]));
  const auto both = concat_examples(examples, {.padding = {9, 0}});
  expect_elements<std::int64_t>(both[0], {2, 3}, {1, 2, 3, 4, 9, 9});
  const auto on_host = concat_examples(examples, {.device = cp::Device::cpu(), .padding = {0}});
  EXPECT_TRUE(on_host[0].device().is_cpu());
  expect_error<cp::ShapeError>([&] { concat_examples(examples); },
                               "concat_examples: array 0 of example 1 has shape (1,), of example 0 "
                               "(3,); padding joins them");
  expect_error<cp::ValueError>(
      [&] {
        concat_examples(examples, {.padding = {1, 2, 3}});
      },
      "3 numbers of padding for 2 arrays");
  expect_error<cp::ValueError>(
      [&] {
        concat_examples(joined_batch({examples[0]}), {.padding = {1, 2, 3}});
      },
      "3 numbers of padding for 2 arrays");
  const std::vector<cp::ndarray> single{cp::array({1, 2}), cp::array({3})};
  expect_elements<int>(concat_examples(single, {.padding = {-1}}), {2, 2}, {1, 2, 3, -1});
  const ndarray listed = concat_examples({cp::array({1, 2}), cp::array({3, 4})});
  expect_elements<int>(listed, {2, 2}, {1, 2, 3, 4});
  // Labels of one shape are not padded, so that NaN need not be one of them.
  const double nan = std::nan("");
  const std::vector<Example> signals = {{cp::array({1.0, 2.0}), cp::array(3)},
                                        {cp::array({4.0}), cp::array(5)}};
  const auto with_nan = concat_examples(signals, {.padding = {nan}});
  EXPECT_TRUE(std::isnan(with_nan[0](1, 1).item<double>()));
  expect_elements<std::int64_t>(with_nan[1], {2}, {3, 5});
  const auto of_bytes = [&](double padding) {
    return concat_examples(
        std::vector{cp::array({1, 2}).astype(cp::uint8), cp::array({3}).astype(cp::uint8)},
        {.padding = {padding}});
  };
  expect_elements<int>(of_bytes(255).astype(cp::int64), {2, 2}, {1, 2, 3, 255});
  expect_error<cp::ValueError>(
      [&] { of_bytes(256); },
      "concat_examples: array 0 is uint8, which has no 256.0 to be padded with");
  for (const double padding : {-1.0, 0.5, nan, 1e300}) {
    EXPECT_THROW(of_bytes(padding), cp::ValueError) << padding;
  }
  expect_error<cp::ValueError>([&] { concat_examples(std::vector<Example>()); },
                               "concat_examples: the batch has no examples");
  expect_error<cp::ValueError>(
      [&] {
        concat_examples(std::vector<Example>{{cp::array(1)}, {cp::array(1), cp::array(2)}});
      },
      "example 1 has 2 arrays, example 0 has 1");
  expect_error<cp::DtypeError>(
      [&] {
        concat_examples(std::vector<Example>{{cp::array(1)}, {cp::array(1.0)}});
      },
      "array 0 of example 1 is float64, of example 0 int64");
  expect_error<cp::ShapeError>(
      [&] {
        concat_examples(std::vector<Example>{{cp::array(1)}, {cp::array({1})}}, {.padding = {0}});
      },
      "has shape (1,), of example 0 ()");
  expect_error<cp::ValueError>([&] { concat_examples(std::vector<Example>{{ndarray()}}); },
                               "an array of example 0 is None");
}

TEST_P(DatasetsTest, BatchesAreJoinedWhereTheyCanBe) {
  const Batch joined = joined_batch({{cp::array({1, 2})}, {cp::array({3, 4})}});
  EXPECT_TRUE(joined.is_joined());
  expect_elements<std::int64_t>(joined[1][0], {2}, {3, 4});
  const Batch apart = joined_batch({{cp::array({1, 2})}, {cp::array({3})}});
  EXPECT_FALSE(apart.is_joined());
  EXPECT_EQ(apart.size(), 2);
  expect_error<cp::IndexError>([&] { apart[2]; }, "Batch: example 2 of 2");
}

TEST_P(DatasetsTest, WhatIsWrittenToABatchDoesNotReachTheDataset) {
  const ndarray x = cp::arange(6).reshape({3, 2}), before = x.copy();
  const TupleDataset dataset(x, cp::arange(3));
  for (const std::vector<std::int64_t>& numbers : {std::vector<std::int64_t>{0, 1}, {1, 0}, {2}}) {
    const Batch batch = make_batch(dataset, numbers, 0, 0);
    for (const ConcatOptions& options : {ConcatOptions{}, ConcatOptions{.device = device()}}) {
      const std::vector<ndarray> arrays = concat_examples(batch, options);
      arrays[0] -= 100;
      expect_array_equal(x, before);
    }
  }
}

TEST_P(DatasetsTest, NorDoesItReachWhatADatasetOfOnesOwnKeeps) {
  struct Kept final : Dataset {
    ndarray x = cp::ones({3, 2});
    std::int64_t size() const override { return 3; }
    Example get_example(std::int64_t i) const override { return x(i); }
    std::vector<ndarray> get_columns(std::span<const std::int64_t>) const override { return {x}; }
  };
  const Kept dataset;
  const Batch batch = make_batch(dataset, std::vector<std::int64_t>{0, 1, 2}, 0, 0);
  concat_examples(batch)[0] += 1;
  cp::testing::expect_array_equal(dataset.x, cp::ones({3, 2}));
  // What nobody else has is not copied.
  const Batch rows = joined_batch({dataset[0], dataset[1]});
  EXPECT_TRUE(concat_examples(rows)[0].shares_memory(rows.columns()[0]));
}

TEST_P(DatasetsTest, ReadsMnistFiles) {
  const std::string folder = ::testing::TempDir() + "/kit_mnist";
  std::filesystem::create_directories(folder);
  for (const char* part : {"train", "t10k"}) {
    std::ofstream(folder + "/" + part + "-images-idx3-ubyte", std::ios::binary)
        << std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\x33\x66\xff", 20);
    std::ofstream(folder + "/" + part + "-labels-idx1-ubyte", std::ios::binary)
        << std::string("\0\0\x08\x01\0\0\0\x02\x03\x09", 10);
  }
  const auto [train, test] = get_mnist(folder);
  cp::testing::expect_allclose(train.arrays()[0], cp::array({{0.0f, 0.2f}, {0.4f, 1.0f}}), 1e-6);
  expect_elements<std::int32_t>(test.arrays()[1], {2}, {3, 9});
  EXPECT_EQ(get_mnist(folder, {.ndim = 3}).first.arrays()[0].shape(), (cp::Shape{2, 1, 1, 2}));
  expect_error<cp::ValueError>([&] { get_mnist(folder, {.ndim = 4}); }, "images of 4 axes");
  expect_error<cp::IOError>([&] { get_fashion_mnist({}, folder + "/none"); }, "no such file");
}

// `{label, image}` was a list of as many images as the label says.
TEST_P(DatasetsTest, ExamplesAreMadeOfNumbersPairsAndTuples) {
  const ndarray image = cp::ones({2, 3}, cp::float32);
  const std::int64_t number = 2;
  const int label = 3;
  const auto check = [&](const Example& e, cp::dtype type) {
    ASSERT_EQ(e.size(), 2u);
    EXPECT_EQ(e[0].shape(), (cp::Shape{2, 3}));
    EXPECT_EQ(e[1].shape(), cp::Shape());
    EXPECT_EQ(e[1].dtype(), type);
    EXPECT_EQ(e[1].item<int>(), 2 + (type == cp::int32));
  };
  check({image, label}, cp::int32);
  check({image, number}, cp::int64);
  check(std::pair(image, label), cp::int32);
  check(std::tuple(image, number), cp::int64);
  check(std::pair(image, cp::array(2.0)), cp::float64);
  check({image, 2.0f}, cp::float32);
  const Example turned = {label, image};
  ASSERT_EQ(turned.size(), 2u);
  EXPECT_EQ(turned[0].item<int>(), 3);
  const Example one = image, lists = {std::vector<float>{1, 2}, 1};
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(lists[0].shape(), (cp::Shape{2}));
  EXPECT_EQ(lists[0].dtype(), cp::float32);
  EXPECT_EQ(Example().size(), 0u);
  EXPECT_EQ((Example{image, image, image}).size(), 3u);
}

}  // namespace
}  // namespace chainerxx::datasets
