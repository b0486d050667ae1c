// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"
#include "cupyxx/interop/dlpack_abi.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class DlpackTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(DlpackTest);

// A library that lends host memory and counts how often it gets it back.
template <class Tensor>
struct Producer {
  std::vector<float> values{0, 1, 2, 3, 4, 5, 6, 7};
  std::int64_t shape[2] = {2, 3};
  std::int64_t strides[2] = {4, 1};
  std::atomic<int> deleted{0};
  Tensor tensor{};

  Producer() {
    tensor.manager_ctx = this;
    tensor.deleter = [](Tensor* t) { ++static_cast<Producer*>(t->manager_ctx)->deleted; };
    tensor.dl_tensor = {.data = values.data(),
                        .device = {kDLCPU, 0},
                        .ndim = 2,
                        .dtype = {kDLFloat, 32, 1},
                        .shape = shape,
                        .strides = strides,
                        .byte_offset = 4};
    if constexpr (requires { tensor.version; }) tensor.version = {1, 1};
  }

  // The import is refused with this text, and the tensor given back.
  template <class E>
  void expect_refused(const std::string& text) {
    expect_error<E>([&] { from_dlpack(&tensor); }, text);
    EXPECT_EQ(deleted, 1) << text;
  }
};
using Versioned = Producer<DLManagedTensorVersioned>;
using Unversioned = Producer<DLManagedTensor>;

TEST_P(DlpackTest, ExportDescribesTheElementsInPlace) {
  const ndarray a = arange(24, int32).reshape({2, 3, 4})(slice(), 1, slice(none, none, -2));
  const DlpackTensor t = to_dlpack(a);
  EXPECT_EQ(t->version.major, 1u);
  EXPECT_EQ(t->flags, 0u);
  const DLTensor& d = t->dl_tensor;
  EXPECT_EQ(static_cast<char*>(d.data) + d.byte_offset, a.data());
  EXPECT_EQ(d.device.device_type, device().is_cuda() ? kDLCUDA : kDLCPU);
  EXPECT_EQ(d.device.device_id, 0);
  ASSERT_EQ(d.ndim, 2);
  EXPECT_EQ(std::vector(d.shape, d.shape + 2), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(std::vector(d.strides, d.strides + 2), (std::vector<std::int64_t>{12, -2}));
  EXPECT_EQ(d.dtype.code, kDLInt);
  EXPECT_EQ(d.dtype.bits, 32);
  EXPECT_EQ(d.dtype.lanes, 1);
}

TEST_P(DlpackTest, EveryDtypeComesBackInPlace) {
  struct Row {
    dtype type;
    int code, bits;
  };
  const Row rows[] = {{bool_, 6, 8},
                      {int8, 0, 8},
                      {int16, 0, 16},
                      {int32, 0, 32},
                      {int64, 0, 64},
                      {uint8, 1, 8},
                      {uint16, 1, 16},
                      {uint32, 1, 32},
                      {uint64, 1, 64},
                      {float16, 2, 16},
                      {float32, 2, 32},
                      {float64, 2, 64},
                      {bfloat16_, 4, 16},
                      {complex64, 5, 64},
                      {complex128, 5, 128},
                      {dtype::Code::float8_e4m3, 10, 8},
                      {dtype::Code::float8_e5m2, 12, 8}};
  for (const Row& row : rows) {
    const ndarray a = zeros({3, 2}, row.type);
    DlpackTensor t = to_dlpack(a);
    EXPECT_EQ(t->dl_tensor.dtype.code, row.code) << row.type;
    EXPECT_EQ(t->dl_tensor.dtype.bits, row.bits) << row.type;
    const ndarray b = from_dlpack(std::move(t));
    EXPECT_EQ(b.dtype(), row.type);
    EXPECT_EQ(b.shape(), (Shape{3, 2}));
    EXPECT_EQ(b.device(), a.device());
    EXPECT_EQ(b.data(), a.data()) << row.type;
  }
}

TEST_P(DlpackTest, BothLayoutsShareTheElementsBothWays) {
  const ndarray a = arange(6, float32).reshape({2, 3});
  const ndarray b = from_dlpack(to_dlpack(a));
  const ndarray c = from_dlpack(to_dlpack_unversioned(a.T()));
  EXPECT_TRUE(b.shares_memory(a));
  EXPECT_FALSE(b.flags().owndata);
  b(0, 1) = 10;
  expect_elements<float>(a, {2, 3}, {0, 10, 2, 3, 4, 5});
  a(1, 0) = 20;
  expect_elements<float>(c, {3, 2}, {0, 20, 10, 4, 2, 5});
}

TEST_P(DlpackTest, OverlapsOfASharedArrayWithItselfAreSeen) {
  const ndarray a = arange(6, float32);
  const ndarray b = from_dlpack(to_dlpack(a));
  add(b(slice(none, -1)), 1, {.out = a(slice(1, none))});
  expect_elements<float>(a, {6}, {0, 1, 2, 3, 4, 5});
}

TEST_P(DlpackTest, ElementsOutliveTheProducersArray) {
  ndarray a = arange(1000, float64);
  DlpackTensor t = to_dlpack(a(slice(10, 20)));
  a = zeros({1000}, float64);
  const ndarray other = full({1000}, 7.0);
  const ndarray b = from_dlpack(std::move(t));
  EXPECT_EQ(b.sum().item<double>(), 145);
  EXPECT_EQ(other.sum().item<double>(), 7000);
}

TEST_P(DlpackTest, TensorsMayBeFreedLateAndOnAnotherThread) {
  ndarray a = arange(100, float32);
  DLManagedTensorVersioned* late = to_dlpack(a).release();
  DLManagedTensorVersioned* later = to_dlpack(a + 1).release();
  a = {};
  std::thread([=] {
    const ndarray b = from_dlpack(late);
    EXPECT_EQ(b(99).item<float>(), 99);
    later->deleter(later);
  }).join();
}

TEST_P(DlpackTest, ReadOnlyArraysStayReadOnly) {
  const ndarray a = broadcast_to(arange(3, float32), {2, 3});
  DlpackTensor t = to_dlpack(a);
  EXPECT_EQ(t->flags, kDLFlagReadOnly);
  EXPECT_EQ(t->dl_tensor.strides[0], 0);
  const ndarray b = from_dlpack(std::move(t));
  EXPECT_FALSE(b.flags().writeable);
  expect_error<ValueError>([&] { b.fill(1); }, "read-only");
  expect_error<ValueError>([&] { to_dlpack_unversioned(a); },
                           "to_dlpack_unversioned: the array is read-only");
  const DlpackTensor copied = to_dlpack(a, {.copy = true});
  EXPECT_EQ(copied->flags, kDLFlagIsCopied);
  EXPECT_NE(copied->dl_tensor.data, a.data());
  EXPECT_NO_THROW(to_dlpack_unversioned(a, {.copy = true}));
  const ndarray mine = from_dlpack(to_dlpack(a), {.copy = true});
  EXPECT_TRUE(mine.flags().writeable);
  expect_elements<float>(mine, {2, 3}, {0, 1, 2, 0, 1, 2});
}

TEST(DlpackOwner, MovesAndBecomesAUniquePointer) {
  Versioned lent, other;
  DlpackTensor first(&lent.tensor);
  DlpackTensor t = std::move(first);
  EXPECT_EQ(first, nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ((*t).dl_tensor.ndim, 2);
  std::unique_ptr<DLManagedTensorVersioned, DlpackDeleter> pointer = std::move(t);
  EXPECT_FALSE(t);  // NOLINT(bugprone-use-after-move)
  t = std::move(pointer);
  EXPECT_EQ(t.get(), &lent.tensor);
  EXPECT_EQ(lent.deleted, 0);
  t = DlpackTensor(&other.tensor);
  EXPECT_EQ(lent.deleted, 1);
  t.reset();
  EXPECT_EQ(other.deleted, 1);
}

TEST_P(DlpackTest, EmptyArraysAndSingleElementsPass) {
  const ndarray empty = from_dlpack(to_dlpack(zeros({3, 0, 2}, int16)));
  EXPECT_EQ(empty.shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(empty.device(), device());
  const ndarray one = from_dlpack(to_dlpack(full({}, 5, int64)));
  EXPECT_EQ(one.shape(), Shape());
  EXPECT_EQ(one.item<std::int64_t>(), 5);
}

TEST_P(DlpackTest, CopiesToWhereItIsWanted) {
  const ndarray a = arange(4, int32);
  const ndarray b = from_dlpack(to_dlpack(a, {.device = Device::cpu()}));
  EXPECT_TRUE(b.device().is_cpu());
  expect_elements<int>(b, {4}, {0, 1, 2, 3});
  const ndarray c = from_dlpack(to_dlpack(b), {.device = device()});
  EXPECT_EQ(c.device(), device());
  expect_elements<int>(c, {4}, {0, 1, 2, 3});
}

TEST_P(DlpackTest, ExportRefusesWhatHasNoTensor) {
  expect_error<TypeError>([] { to_dlpack({}); }, "to_dlpack: the array is None");
  const ndarray halves = arange(8, int16)(slice(none, none, 3)).view();
  const ndarray odd = zeros({9}, int8)(slice(0, 8)).view(int16)(slice(0, 4));
  EXPECT_NO_THROW(to_dlpack(halves));
  EXPECT_NO_THROW(to_dlpack(odd));
  if (device().is_cuda()) {
    expect_error<ValueError>([&] { to_dlpack(odd, {.stream = 0}); },
                             "to_dlpack: no stream has this number; 0");
  }
}

TEST(FromDlpack, ReadsOffsetsAndStrides) {
  Versioned p;
  {
    const ndarray a = from_dlpack(&p.tensor);
    EXPECT_EQ(a.data(), p.values.data() + 1);
    expect_elements<float>(a, {2, 3}, {1, 2, 3, 5, 6, 7});
    a(0, 0) = 9;
    EXPECT_EQ(p.values[1], 9);
    EXPECT_EQ(p.deleted, 0);
  }
  EXPECT_EQ(p.deleted, 1);
}

TEST(FromDlpack, NoStridesMeanCOrder) {
  Unversioned p;
  p.tensor.dl_tensor.strides = nullptr;
  p.tensor.dl_tensor.byte_offset = 0;
  const ndarray a = from_dlpack(&p.tensor);
  EXPECT_TRUE(a.flags().c_contiguous);
  expect_elements<float>(a, {2, 3}, {0, 1, 2, 3, 4, 5});
}

TEST(FromDlpack, TheLastViewGivesTheMemoryBackOnItsThread) {
  Versioned p;
  ndarray row = from_dlpack(&p.tensor)(1);
  EXPECT_EQ(p.deleted, 0);
  std::thread([&p, view = std::move(row)]() mutable {
    EXPECT_EQ(view(2).item<float>(), 7);
    view = {};
    EXPECT_EQ(p.deleted, 1);
  }).join();
  EXPECT_EQ(p.deleted, 1);
}

TEST(FromDlpack, CopiesGiveTheMemoryBackAtOnce) {
  Versioned p;
  p.tensor.flags = kDLFlagReadOnly;
  const ndarray a = from_dlpack(&p.tensor, {.copy = true});
  EXPECT_EQ(p.deleted, 1);
  EXPECT_TRUE(a.flags().writeable);
  expect_elements<float>(a, {2, 3}, {1, 2, 3, 5, 6, 7});
}

TEST(FromDlpack, PinnedMemoryIsAHostArray) {
  Versioned p;
  p.tensor.dl_tensor.device = {kDLCUDAHost, 0};
  expect_elements<float>(from_dlpack(&p.tensor), {2, 3}, {1, 2, 3, 5, 6, 7});
  EXPECT_EQ(p.deleted, 1);
}

TEST(FromDlpack, NegativeStridesAndUnusedOnesPass) {
  Versioned p;
  p.tensor.dl_tensor.byte_offset = 28;
  p.strides[1] = -1;
  p.shape[0] = 1;
  p.strides[0] = INT64_MAX;
  const ndarray a = from_dlpack(&p.tensor);
  expect_elements<float>(a, {1, 3}, {7, 6, 5});
  expect_elements<float>(a.base(), {3}, {5, 6, 7});
}

TEST(FromDlpack, DeletersMayBeMissing) {
  Versioned p;
  p.tensor.deleter = nullptr;
  expect_elements<float>(from_dlpack(&p.tensor)(0), {3}, {1, 2, 3});
}

TEST(FromDlpack, OtherVersionsAreGivenBack) {
  Versioned p;
  p.tensor.version = {2, 3};
  p.expect_refused<ValueError>(
      "from_dlpack: only DLPack 1.x can be read; the tensor has version 2.3");
  expect_error<ValueError>([] { from_dlpack(static_cast<DLManagedTensor*>(nullptr)); },
                           "from_dlpack: the tensor is null");
}

TEST(FromDlpack, TypesWithoutADtypeAreGivenBack) {
  Versioned lanes, bits, code, nibble;
  lanes.tensor.dl_tensor.dtype = {kDLFloat, 32, 4};
  lanes.expect_refused<DtypeError>(
      "from_dlpack: no dtype has elements of this type; float of 32 bits, 4 lanes");
  bits.tensor.dl_tensor.dtype = {kDLFloat, 128, 1};
  bits.expect_refused<DtypeError>("float of 128 bits, 1 lane");
  code.tensor.dl_tensor.dtype = {kDLOpaqueHandle, 64, 1};
  code.expect_refused<DtypeError>("opaque handle of 64 bits");
  nibble.tensor.dl_tensor.dtype = {17, 4, 1};
  nibble.expect_refused<DtypeError>("code 17 of 4 bits");
}

TEST(FromDlpack, DevicesThatWeCannotUseAreGivenBack) {
  Versioned metal, absent;
  metal.tensor.dl_tensor.device = {8, 0};
  metal.expect_refused<DeviceError>("the tensor is on a device of DLPack's type 8");
  absent.tensor.dl_tensor.device = {kDLCUDA, 1000};
  absent.expect_refused<DeviceError>("from_dlpack: no CUDA device 1000");
}

TEST(FromDlpack, DamagedDescriptionsAreGivenBack) {
  Versioned rank, negative, no_shape, no_data, misaligned, huge, far, wild;
  rank.tensor.dl_tensor.ndim = 33;
  rank.expect_refused<ValueError>("from_dlpack: the rank is not between 0 and 32; 33");
  negative.shape[1] = -3;
  negative.expect_refused<ValueError>("from_dlpack: negative dimensions are not allowed; (2, -3)");
  no_shape.tensor.dl_tensor.shape = nullptr;
  no_shape.expect_refused<ValueError>("a tensor of rank 2 has no shape");
  no_data.tensor.dl_tensor.data = nullptr;
  no_data.expect_refused<ValueError>("a tensor of shape (2, 3) has no data");
  misaligned.tensor.dl_tensor.byte_offset = 3;
  misaligned.expect_refused<ValueError>("not aligned to their size; offset 3, size 4");
  huge.shape[0] = huge.shape[1] = std::int64_t{1} << 40;
  huge.expect_refused<ValueError>("from_dlpack: the array is too large");
  far.strides[0] = INT64_MAX / 2;
  far.expect_refused<ValueError>("from_dlpack: the strides reach beyond 64 bits");
  wild.tensor.dl_tensor.byte_offset = UINT64_MAX - 3;
  wild.expect_refused<ValueError>("beyond the memory's addresses; offset 18446744073709551612");
}

TEST_P(DlpackTest, AnArrayIsExchangedWithItself) {
  const ndarray a = arange(6).reshape({2, 3});
  const ndarray b = from_dlpack(a.T());
  EXPECT_EQ(b.shape(), Shape({3, 2}));
  b(0, 1) = 9;
  EXPECT_EQ(a.item<int>(1, 0), 9);
}

}  // namespace
}  // namespace cupyxx
