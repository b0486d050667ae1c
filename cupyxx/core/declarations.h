// SPDX-License-Identifier: MIT
// The names of the classes and options that ndarray's methods take and give, for ndarray.h, which
// needs no more of them. Whoever calls such a method includes the header that defines them.
#pragma once

#include <cstdint>

namespace cupyxx {

class ArrayLike;
class Arrays;
class Index;
class ndarray;
class NestedList;
class Operand;
class Selection;
class ufunc;
class View;
enum class IndexMode : std::uint8_t;

struct AllOptions;
struct ArgOptions;
struct ClipOptions;
struct CumsumOptions;
struct MaxOptions;
struct MeanOptions;
struct PtpOptions;
struct SearchsortedOptions;
struct SortOptions;
struct SumOptions;
struct TakeOptions;
struct TraceOptions;
struct UfuncOptions;
struct VarOptions;

namespace cuda {
class Stream;
}

}  // namespace cupyxx
