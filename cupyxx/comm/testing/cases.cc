// SPDX-License-Identifier: MIT
#include "cupyxx/comm/testing/cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::comm::testing {
namespace {

using cupyxx::testing::expect_error;

/// Small whole numbers, which every dtype has: element i of a rank.
double number(int rank, std::int64_t i, dtype type) {
  if (type.is_bool()) return static_cast<double>((i + rank) % 3 == 0);
  const auto value = static_cast<double>((i * 7 + rank * 3) % 5);
  return type.is_unsigned_integer() ? value : value - 2;
}

ndarray numbers(int rank, std::int64_t count, dtype type) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(number(rank, i, type));
  return array(values).astype(type);
}

double combined(int size, std::int64_t i, dtype type, Op op) {
  double result = number(0, i, type);
  for (int rank = 1; rank < size; ++rank) {
    const double x = number(rank, i, type);
    switch (op) {
      case Op::sum:
      case Op::average:
        result += x;
        break;
      case Op::prod:
        result *= x;
        break;
      case Op::max:
        result = std::max(result, x);
        break;
      case Op::min:
        result = std::min(result, x);
        break;
    }
  }
  if (type.is_bool()) return static_cast<double>(result != 0);
  return op == Op::average ? result / size : result;
}

std::vector<double> values_of(const ndarray& a) { return a.to_vector<double>(); }

void expect_values(const ndarray& actual, const std::vector<double>& expected,
                   const std::string& what, double error = 0) {
  const std::vector<double> found = values_of(actual);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], error * std::abs(expected[i])) << what << ", element " << i;
  }
}

std::vector<dtype> all_dtypes() {
  std::vector<dtype> all;
  all.reserve(static_cast<std::size_t>(dtype::kComputeCount));
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    all.emplace_back(static_cast<dtype::Code>(code));
  }
  return all;
}

bool has(dtype type, Op op, Device device) {
  if (op == Op::average) return type.is_inexact();
  if (op == Op::max || op == Op::min) return !type.is_complex();
  return op != Op::prod || !type.is_complex() || device.is_cpu();
}

}  // namespace

void check_reductions(const Communicator& comm) {
  const Device device = current_device();
  const int size = comm.size();
  for (const dtype type : all_dtypes()) {
    for (const Op op : {Op::sum, Op::prod, Op::max, Op::min, Op::average}) {
      if (!has(type, op, device)) continue;
      // Long enough for the other algorithm, for one type and all operations.
      for (const std::int64_t count : {7, type == float32 ? 20011 : 0}) {
        const ndarray x = numbers(comm.rank(), count, type);
        const std::string what = message(type.name(), ", operation ", static_cast<int>(op));
        std::vector<double> expected;
        for (std::int64_t i = 0; i < count; ++i) expected.push_back(combined(size, i, type, op));
        const double error = type.itemsize() == 2 ? 1e-2 : 1e-6;
        const double allowed = op == Op::average ? error : 0;
        const ndarray y = comm.all_reduce(x, {.op = op});
        EXPECT_EQ(y.dtype(), type);
        EXPECT_EQ(y.device(), device);
        expect_values(y, expected, "all_reduce " + what, allowed);
        const ndarray z = comm.reduce(x, {.op = op, .root = size - 1});
        EXPECT_EQ(z.is_none(), comm.rank() != size - 1);
        if (!z.is_none()) expect_values(z, expected, "reduce " + what, allowed);
      }
      const ndarray w =
          comm.reduce_scatter(numbers(comm.rank(), 3 * size, type).reshape({size, 3}), {.op = op});
      EXPECT_EQ(w.shape(), (Shape{1, 3}));
      std::vector<double> part;
      part.reserve(3);
      for (int i = 0; i < 3; ++i) part.push_back(combined(size, 3 * comm.rank() + i, type, op));
      expect_values(w, part, "reduce_scatter", op == Op::average ? 1e-2 : 0);
    }
  }
}

/// Averages in place and with strides, in every dtype that has them.
void check_averages(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  for (const dtype type : {float16, bfloat16_, float32, float64}) {
    const double error = type.itemsize() == 2 ? 1e-2 : 1e-6;
    // Long enough for the other algorithm.
    for (const std::int64_t width : {3, 6007}) {
      const std::int64_t count = width * size;
      std::vector<double> expected;
      for (std::int64_t i = 0; i < count; ++i) {
        expected.push_back(combined(size, i, type, Op::average));
      }
      const auto* const begin = expected.data() + width * rank;
      const std::vector<double> part(begin, begin + width);
      const ndarray x = numbers(rank, count, type).reshape({size, width});
      const ndarray place = x.copy(), turned = x.T().copy().T();
      EXPECT_EQ(comm.all_reduce(place, {.op = Op::average, .out = place}).body(), place.body());
      expect_values(place, expected, "average in place", error);
      expect_values(comm.all_reduce(turned, {.op = Op::average}), expected, "strided", error);
      EXPECT_EQ(values_of(turned), values_of(x)) << "the argument stays";
      const ndarray scattered = x.copy(), own = scattered(slice(rank, rank + 1));
      comm.reduce_scatter(scattered, {.op = Op::average, .out = own});
      expect_values(scattered(slice(rank, rank + 1)), part, "reduce_scatter in place", error);
      for (int other = 0; other < size; ++other) {
        if (other == rank) continue;
        EXPECT_EQ(values_of(scattered(other)), values_of(x(other))) << "the others' parts stay";
      }
      expect_values(comm.reduce_scatter(turned, {.op = Op::average}), part, "strided parts", error);
    }
  }
}

void check_rounding(const Communicator& comm) {
  const auto value = [](int rank, int i) {
    return static_cast<float>(std::sin(i * 1.7 + rank) * std::exp(i % 13 - 6.0));
  };
  for (const int count : {1000, 30000}) {
    std::vector<float> mine, sum(static_cast<std::size_t>(count));
    std::vector<float> narrow(sum.size());
    for (int i = 0; i < count; ++i) mine.push_back(value(comm.rank(), i));
    for (int rank = 0; rank < comm.size(); ++rank) {
      for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float x = value(rank, i);
        sum[at] = rank == 0 ? x : sum[at] + x;
        narrow[at] = rank == 0 ? float(half(x)) : narrow[at] + float(half(x));
      }
    }
    const ndarray y = comm.all_reduce(array(mine));
    EXPECT_EQ(y.to_vector<float>(), sum) << "float32 in the order of the ranks, to the bit";
    const ndarray h = comm.all_reduce(array(mine).astype(float16));
    std::vector<float> rounded;
    rounded.reserve(narrow.size());
    for (const float x : narrow) rounded.push_back(float(half(x)));
    EXPECT_EQ(h.to_vector<float>(), rounded) << "float16 is rounded once";
    const auto divide_by = static_cast<float>(comm.size());
    for (float& x : sum) x /= divide_by;
    for (std::size_t i = 0; i < narrow.size(); ++i) rounded[i] = float(half(narrow[i] / divide_by));
    const AllReduceOptions average{.op = Op::average};
    EXPECT_EQ(comm.all_reduce(array(mine), average).to_vector<float>(), sum) << "one division";
    EXPECT_EQ(comm.all_reduce(array(mine).astype(float16), average).to_vector<float>(), rounded)
        << "an average of float16 is rounded once";
  }
  const ndarray large = full({2}, 60000, float16);
  EXPECT_EQ(comm.all_reduce(large, {.op = Op::average}).to_vector<float>(),
            large.to_vector<float>())
      << "no sum on the way to an average overflows";
}

void check_movements(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank(), last = size - 1;
  for (const dtype type : {float32, int16, bool_, complex128, dtype("bfloat16")}) {
    for (const std::int64_t count : {0, 5, 9001}) {
      if (count == 9001 && type != float32) continue;
      const ndarray x = numbers(rank, count, type).reshape({1, count});
      std::vector<double> everybodys, mine, roots;
      for (int r = 0; r < size; ++r) {
        for (std::int64_t i = 0; i < count; ++i) everybodys.push_back(number(r, i, type));
      }
      for (std::int64_t i = 0; i < count; ++i) {
        mine.push_back(number(rank, i, type));
        roots.push_back(number(last, i, type));
      }
      const ndarray gathered = comm.all_gather(x);
      EXPECT_EQ(gathered.shape(), (Shape{size, 1, count}));
      expect_values(gathered, everybodys, "all_gather");
      const ndarray places = zeros(gathered.shape(), type);
      places(rank).set(x);
      EXPECT_EQ(comm.all_gather(places(rank), {.out = places}).body(), places.body());
      expect_values(places, everybodys, "all_gather in place");
      const ndarray at_root = comm.gather(x, {.root = last});
      EXPECT_EQ(at_root.is_none(), rank != last);
      if (rank == last) expect_values(at_root, everybodys, "gather");

      const ndarray own = rank == last ? gathered : ndarray();
      const ndarray scattered = comm.scatter(own, {.root = last});
      EXPECT_EQ(scattered.shape(), (Shape{1, count}));
      expect_values(scattered, mine, "scatter");

      const ndarray target = rank == last ? x : zeros_like(x);
      const ndarray sent = comm.broadcast(target, {.root = last});
      EXPECT_EQ(sent.body(), target.body());
      expect_values(target, roots, "broadcast into an array");
      const ndarray made = comm.broadcast(rank == last ? x : ndarray(), {.root = last});
      EXPECT_EQ(made.dtype(), type);
      EXPECT_EQ(made.device(), current_device());
      expect_values(made, roots, "broadcast of a new array");
    }
  }
  // Part j of rank i is 10 i + j, twice.
  std::vector<float> mine, expected;
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < 2; ++k) {
      mine.push_back(static_cast<float>(10 * rank + j));
      expected.push_back(static_cast<float>(10 * j + rank));
    }
  }
  EXPECT_EQ(comm.all_to_all(array(mine).reshape({size, 2})).to_vector<float>(), expected);
}

void check_messages(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  if (size == 1) return;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (const std::int64_t count : {3, 100000}) {
    const ndarray x = full({count}, rank, int32), y = empty({count}, int32);
    {
      const Group group(comm);
      comm.recv(previous, {.out = y});
      comm.send(x, next);
    }
    EXPECT_EQ(y(0).item<int>(), previous);
    EXPECT_EQ(y(count - 1).item<int>(), previous);
  }
  if (rank == 0) {
    comm.send(array({1.5, 2.5}), 1, {.tag = 7});
    comm.send(arange(6).reshape({2, 3}), 1, {.tag = 3});
    comm.send(full({2}, 4, float32), 1, {.tag = 3});
  } else if (rank == 1) {
    EXPECT_EQ(comm.recv(0, {.tag = 7}).to_vector<double>(), (std::vector<double>{1.5, 2.5}));
    const ndarray a = comm.recv(0, {.tag = 3}), b = comm.recv(0, {.tag = 3});
    EXPECT_EQ(a.shape(), (Shape{2, 3}));
    EXPECT_EQ(a.dtype(), int64);
    EXPECT_EQ(b.to_vector<float>(), (std::vector<float>{4, 4}));
    EXPECT_EQ(b.device(), current_device());
  }
  comm.barrier();
}

void check_layouts(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  const ndarray x = numbers(rank, 12, float32).reshape({3, 4});
  std::vector<double> sums;
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) {
      sums.push_back(combined(size, 4 * row + column, float32, Op::sum));
    }
  }
  expect_values(comm.all_reduce(x.T()), sums, "all_reduce of a transposed array");
  const ndarray wide = zeros({4, 6}, float32);
  const ndarray out = wide(slice(), slice(none, none, 2));
  const ndarray result = comm.all_reduce(x.T(), {.out = out});
  EXPECT_EQ(result.body(), out.body());
  expect_values(out, sums, "all_reduce into a part of an array");
  EXPECT_EQ(wide(0, 1).item<float>(), 0);
  const ndarray place = x.copy();
  const std::uint64_t version = place.version();
  comm.all_reduce(place, {.out = place});
  EXPECT_GE(place.version(), version + (size > 1 ? 1 : 0));
  expect_values(place.T(), sums, "all_reduce in place");
  const ndarray column = zeros({4, 6}, float32)(slice(), 1);
  comm.broadcast(rank == 0 ? ndarray(x(1)) : column);
  if (rank != 0) expect_values(column, values_of(numbers(0, 12, float32)(slice(4, 8))), "column");
  const ndarray scalar = comm.all_reduce(full({}, 2.0));
  EXPECT_EQ(scalar.shape(), Shape());
  EXPECT_EQ(scalar.item<double>(), 2.0 * size);
}

void check_splits(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  const Communicator half = comm.split(rank % 2, -rank);
  const int members = (size + 1 - rank % 2) / 2;
  EXPECT_EQ(half.size(), members);
  EXPECT_EQ(half.rank(), members - 1 - rank / 2);
  int sum = 0;
  for (int r = rank % 2; r < size; r += 2) sum += r;
  EXPECT_EQ(half.all_reduce(full({1}, rank)).item<int>(), sum);
  EXPECT_EQ(comm.all_reduce(full({1}, rank)).item<int>(), size * (size - 1) / 2);
  const Communicator again = half.split(0);
  EXPECT_EQ(again.rank(), half.rank());
  EXPECT_EQ(again.all_reduce(full({1}, 1)).item<int>(), members);
  again.close();
  EXPECT_TRUE(again.is_closed());
  expect_error<ValueError>(
      [&] { again.all_reduce(full({1}, 1)); },
      message("all_reduce: rank ", again.rank(), " of ", members, ": the communicator is closed"));
  EXPECT_EQ(comm.intra_size(), size);
  EXPECT_EQ(comm.intra_rank(), rank);
  EXPECT_EQ(comm.inter_size(), 1);
  EXPECT_EQ(comm.inter_rank(), 0);
  const std::string text("abc\0d", 5);
  EXPECT_EQ(comm.broadcast_bytes(rank == size - 1 ? text : "", size - 1), text);
  const std::vector<std::string> all = comm.all_gather_bytes(std::string(rank, 'x'));
  ASSERT_EQ(static_cast<int>(all.size()), size);
  for (int r = 0; r < size; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], std::string(r, 'x'));
}

void check_disagreements(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  if (size == 1) return;
  const std::string who = message("rank ", rank, " of ", size, ", float32 ");
  const ndarray x = zeros({2, 3}, float32);
  const bool odd = rank == 1;
  expect_error<ShapeError>([&] { comm.all_reduce(odd ? x.T() : x); },
                           message(": the shapes differ between ranks; rank 0 has float32 (2, 3), ",
                                   "rank 1 has float32 (3, 2)"));
  expect_error<DtypeError>([&] { comm.all_gather(odd ? x.astype(float64) : x); },
                           ": the dtypes differ between ranks; rank 0 has float32 (2, 3), rank 1 "
                           "has float64 (2, 3)");
  expect_error<ValueError>(
      [&] { comm.all_reduce(x, {.op = odd ? Op::max : Op::sum}); },
      message("all_reduce: ", who, "(2, 3): the ranks reduce differently; rank 0 sum, rank 1 max"));
  expect_error<ValueError>([&] { comm.broadcast(x, {.root = odd ? 1 : 0}); },
                           "the ranks name different roots; rank 0 0, rank 1 1");
  expect_error<ValueError>([&] { odd ? comm.all_gather(x) : comm.all_reduce(x); },
                           "the ranks call different operations; rank 0 all_reduce, rank 1 "
                           "all_gather");
  // A wrong argument on one rank is an error on all.
  const auto refused = [&](const auto& call, const std::string& own) {
    expect_error<Error>(call, odd ? own : "rank 1 refused the call; ");
  };
  refused([&] { comm.all_reduce(odd ? ndarray() : x); }, "the array is None");
  refused([&] { comm.all_reduce(x, {.out = odd ? zeros({3}, float32) : ndarray()}); },
          "out does not fit; (3,) for (2, 3)");
  refused(
      [&] {
        comm.all_reduce(x, {.out = odd ? zeros({2, 3}) : ndarray()});
      },
      "out does not fit; float64 for float32");
  ndarray fixed = zeros({2, 3}, float32);
  fixed.set_writeable(false);
  refused([&] { comm.all_reduce(x, {.out = odd ? fixed : ndarray()}); }, "out is read-only");
  expect_error<ValueError>([&] { comm.broadcast(x, {.root = size}); },
                           message("the root is outside of the communicator; ", size));
  expect_error<ShapeError>(
      [&] {
        comm.reduce_scatter(zeros({2 * size + 1, 2}));
      },
      "the first axis is not divisible by the number of ranks");
  expect_error<DtypeError>([&] { comm.all_reduce(zeros({2}, int32), {.op = Op::average}); },
                           "there is no average of int32");
  expect_error<DtypeError>(
      [&] {
        comm.reduce_scatter(zeros({size, 2}, bool_), {.op = Op::average});
      },
      message("reduce_scatter: rank ", rank, " of ", size, ", bool (", size,
              ", 2): there is no average of bool"));
  expect_error<DtypeError>([&] { comm.all_reduce(zeros({2}, complex64), {.op = Op::max}); },
                           "there is no max of complex64");
  expect_error<DtypeError>([&] { comm.all_reduce(empty({2}, dtype("float8_e4m3"))); },
                           "there is no sum of float8_e4m3");
  refused([&] { comm.split(odd ? -1 : 0); }, "the color is negative; -1");
  expect_error<ValueError>([&] { comm.send(x, size); }, "the destination is outside of the");
  expect_error<ValueError>([&] { comm.recv(rank); }, "recv: rank ");
  expect_error<ValueError>([&] { comm.recv(1 - (rank == 1 ? 1 : 0), {.tag = 500}); },
                           "the tag is not between 0 and 499; 500");
  // What was refused is not taken for what is sent next.
  if (rank == 0) {
    comm.send(x, 1);
    for (const double value : {1, 2, 3}) comm.send(full({3}, value, float32), 1);
    const Group group(comm);
    comm.send(full({3}, 4, float32), 1);
    comm.send(full({2}, 5, float32), 1);
    comm.recv(1, {.out = x});
  }
  if (odd) {
    expect_error<ShapeError>([&] { comm.recv(0, {.out = zeros({4}, float32)}); },
                             message("recv: rank 1 of ", size, ", float32 (4,): what was sent has ",
                                     "another shape; float32 (2, 3) from rank 0"));
    expect_error<DtypeError>([&] { comm.recv(0, {.out = zeros({3}, int32)}); },
                             "what was sent has another dtype; float32 (3,) from rank 0");
    EXPECT_EQ(comm.recv(0).to_vector<float>(), (std::vector<float>{2, 2, 2}));
    EXPECT_EQ(comm.recv(0).to_vector<float>(), (std::vector<float>{3, 3, 3}));
    const ndarray five = zeros({2}, float32);
    expect_error<DtypeError>(
        [&] {
          const Group group(comm);
          comm.recv(0, {.out = zeros({3}, int32)});
          comm.recv(0, {.out = five});
          comm.send(full({2, 3}, 6, float32), 0);
        },
        "what was sent has another dtype; float32 (3,) from rank 0");
    EXPECT_EQ(five.to_vector<float>(), (std::vector<float>{5, 5}));
  }
  if (rank == 0) {
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(6, 6));
  }
  const ndarray deep = zeros({1, 1, 1, 1, 1, 1, 1, 1, 1}, float32);
  expect_error<ValueError>([&] { comm.broadcast(odd ? ndarray() : deep); },
                           "broadcast: an array of 9 axes needs an array on every rank; up to 8");
  EXPECT_EQ(comm.all_reduce(full({1}, 1)).item<int>(), size) << "it goes on after errors";
}

void check_everything(const Communicator& comm) {
  check_reductions(comm);
  check_averages(comm);
  check_movements(comm);
  check_messages(comm);
  check_layouts(comm);
  check_splits(comm);
  check_disagreements(comm);
}

}  // namespace cupyxx::comm::testing
