// SPDX-License-Identifier: MIT
// Comparisons, logic and tests of numbers of 4 and 8 bytes.
#include <iterator>
#include <string_view>

#include "cupyxx/internal/cpu/elementwise/complex_truth_loops.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/truth_loops.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(CUPYXX_TRUTH_LOOPS)

template <class T>
constexpr LoopEntry kOrders[] = {
    {ops::Greater::name, dtype_of<T>(), &truth_loop2<GreaterMask, T>},
    {ops::GreaterEqual::name, dtype_of<T>(), &truth_loop2<GreaterEqualMask, T>},
    {ops::Less::name, dtype_of<T>(), &truth_loop2<LessMask, T>},
    {ops::LessEqual::name, dtype_of<T>(), &truth_loop2<LessEqualMask, T>},
    {ops::Equal::name, dtype_of<T>(), &truth_loop2<EqualMask, T>},
    {ops::NotEqual::name, dtype_of<T>(), &truth_loop2<NotEqualMask, T>},
    {ops::LogicalAnd::name, dtype_of<T>(), &truth_loop2<AndMask, T>},
    {ops::LogicalOr::name, dtype_of<T>(), &truth_loop2<OrMask, T>},
    {ops::LogicalXor::name, dtype_of<T>(), &truth_loop2<XorMask, T>},
    {ops::LogicalNot::name, dtype_of<T>(), &truth_loop1<NotMask, T>},
};

template <class T>
constexpr LoopEntry kTests[] = {
    {ops::IsNan::name, dtype_of<T>(), &truth_loop1<NanMask, T>},
    {ops::IsInf::name, dtype_of<T>(), &truth_loop1<InfiniteMask, T>},
    {ops::IsFinite::name, dtype_of<T>(), &truth_loop1<FiniteMask, T>},
};

constexpr LoopEntry kComplexTruths[] = {
    {ops::IsNan::name, complex128, &complex_truth_loop<ComplexNanMask, 1>},
    {ops::IsInf::name, complex128, &complex_truth_loop<ComplexInfiniteMask, 1>},
    {ops::IsFinite::name, complex128, &complex_truth_loop<ComplexFiniteMask, 1>},
    {ops::LogicalNot::name, complex128, &complex_truth_loop<ComplexNotMask, 1>},
    {ops::Greater::name, complex128, &complex_truth_loop<ComplexGreaterMask, 1, 2>},
    {ops::GreaterEqual::name, complex128, &complex_truth_loop<ComplexGreaterEqualMask, 1, 2>},
    {ops::Less::name, complex128, &complex_truth_loop<ComplexLessMask, 1, 2>},
    {ops::LessEqual::name, complex128, &complex_truth_loop<ComplexLessEqualMask, 1, 2>},
    {ops::Equal::name, complex128, &complex_truth_loop<ComplexEqualMask, 1, 2>},
    {ops::NotEqual::name, complex128, &complex_truth_loop<ComplexNotEqualMask, 1, 2>},
    {ops::LogicalAnd::name, complex128, &complex_truth_loop<ComplexAndMask, 1, 2>},
    {ops::LogicalOr::name, complex128, &complex_truth_loop<ComplexOrMask, 1, 2>},
    {ops::LogicalXor::name, complex128, &complex_truth_loop<ComplexXorMask, 1, 2>},
};

template <std::size_t kCount>
LoopFn find_in(const LoopEntry (&entries)[kCount], const OpInfo& op) {
  for (const LoopEntry& entry : entries) {
    if (std::string_view(entry.op) == op.name) return entry.loop;
  }
  return nullptr;
}

LoopFn find_truth(const OpInfo& op, dtype type) {
  switch (type.code()) {
    case dtype::Code::int32:
      return find_in(kOrders<ops::i32>, op);
    case dtype::Code::uint32:
      return find_in(kOrders<ops::u32>, op);
    case dtype::Code::int64:
      return find_in(kOrders<ops::i64>, op);
    case dtype::Code::uint64:
      return find_in(kOrders<ops::u64>, op);
    case dtype::Code::float32: {
      const LoopFn loop = find_in(kOrders<float>, op);
      return loop != nullptr ? loop : find_in(kTests<float>, op);
    }
    case dtype::Code::float64: {
      const LoopFn loop = find_in(kOrders<double>, op);
      return loop != nullptr ? loop : find_in(kTests<double>, op);
    }
    case dtype::Code::complex128:
      return find_in(kComplexTruths, op);
    default:
      return nullptr;
  }
}

#else

LoopFn find_truth(const OpInfo& /*op*/, dtype /*type*/) { return nullptr; }

#endif

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::truth(const OpInfo& op, dtype type) {
  return find_truth(op, type);
}

}  // namespace cupyxx::internal::cpu
