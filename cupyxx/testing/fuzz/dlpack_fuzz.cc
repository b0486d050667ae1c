// SPDX-License-Identifier: MIT
// Descriptions of tensors that other libraries hand over. Memory that a description reaches is
// touched only where it lies in the buffer of the test.
#include "cupyxx/creation.h"
#include "cupyxx/interop.h"
#include "cupyxx/interop/dlpack_abi.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

alignas(64) char buffer[4096];
int deletions = 0;

/// Whether all elements of an array lie in the buffer.
bool is_inside(const ndarray& a) {
  if (a.size() == 0) return true;
  const char* data = static_cast<const char*>(a.data());
  if (data < buffer || data >= buffer + sizeof buffer) return false;
  std::int64_t low = data - buffer, high = low + a.itemsize();
  for (int axis = 0; axis < a.ndim(); ++axis) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(a.strides()[axis], a.shape(axis) - 1, &reach) ||
        __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high)) {
      return false;
    }
  }
  return low >= 0 && high <= static_cast<std::int64_t>(sizeof buffer);
}

DLTensor describe(Input& input, std::vector<std::int64_t>& shape,
                  std::vector<std::int64_t>& strides) {
  DLTensor tensor = {};
  tensor.device = {input.flag() ? kDLCPU : static_cast<std::int32_t>(input.number()),
                   static_cast<std::int32_t>(input.flag() ? 0 : input.number())};
  tensor.dtype = {input.flag() ? std::uint8_t{kDLFloat} : input.take<std::uint8_t>(),
                  input.flag() ? std::uint8_t{32} : input.take<std::uint8_t>(),
                  input.flag() ? std::uint16_t{1} : input.take<std::uint16_t>()};
  // The shape has as many entries as it says: more cannot be known.
  tensor.ndim = static_cast<std::int32_t>(input.between(-2, 40));
  for (std::int32_t i = 0; i < tensor.ndim; ++i) shape.push_back(input.number());
  for (std::int32_t i = 0; i < tensor.ndim; ++i) strides.push_back(input.number());
  tensor.data = input.flag() ? buffer + input.take<std::uint8_t>() : nullptr;
  tensor.byte_offset = input.flag() ? 0 : static_cast<std::uint64_t>(input.number());
  tensor.shape = input.flag() ? nullptr : shape.data();
  tensor.strides = input.flag() ? nullptr : strides.data();
  return tensor;
}

void use(const ndarray& a) {
  a.flags();
  const Shape shape = a.shape();
  if (shape.ndim() != a.ndim() || a.size() < 0) fail("dlpack: shape and size disagree");
  if (!is_inside(a)) return;
  // Without strides a few bytes are as many elements as a tensor says.
  if (a.size() > 1 << 20 || a.dtype().itemsize() * a.size() > 1 << 20) return;
  const ndarray copy = a.copy();
  attempt([&] {
    const ndarray again = from_dlpack(to_dlpack(a));
    if (again.shape() != shape || !equal(again.copy(), copy)) fail("dlpack: another array again");
  });
}

void run(std::string_view bytes) {
  Input input(bytes);
  std::vector<std::int64_t> shape, strides;
  FromDlpackOptions options;
  options.copy = input.flag();
  if (input.flag()) options.device = Device::cpu();
  deletions = 0;
  const bool is_versioned = input.flag();
  DLManagedTensorVersioned versioned = {};
  DLManagedTensor plain = {};
  versioned.version = {input.flag() ? 1u : input.take<std::uint32_t>(), input.take<std::uint8_t>()};
  versioned.flags = input.take<std::uint8_t>();
  const DLTensor tensor = describe(input, shape, strides);
  versioned.dl_tensor = plain.dl_tensor = tensor;
  versioned.deleter = [](DLManagedTensorVersioned*) { ++deletions; };
  plain.deleter = [](DLManagedTensor*) { ++deletions; };

  // What is copied at once must be there.
  if (options.copy) {
    if ((tensor.ndim > 0 && tensor.shape == nullptr) || tensor.byte_offset > 255 ||
        tensor.dtype.bits > 128) {
      options.copy = false;
    }
    std::int64_t reach = 0;
    for (const auto* list : {&shape, &strides}) {
      for (const std::int64_t n : *list) reach |= n;
    }
    if (reach < 0 || reach > 4 || tensor.ndim > 3 || tensor.data == nullptr) options.copy = false;
  }
  attempt([&] {
    const ndarray a =
        is_versioned ? from_dlpack(&versioned, options) : from_dlpack(&plain, options);
    if (deletions != (options.copy ? 1 : 0)) fail("dlpack: deleted while it is in use");
    use(a);
  });
  if (deletions != 1) fail("dlpack: deleted " + std::to_string(deletions) + " times");
}

const Target dlpack("dlpack", &run);

}  // namespace
}  // namespace cupyxx::fuzz
