// SPDX-License-Identifier: MIT
#include "cupyxx/dtype.h"

#include <iterator>
#include <ostream>

#include "cupyxx/error.h"

namespace cupyxx {

namespace {

using Code = dtype::Code;

struct Row {
  std::string_view name;
  char kind;
  char char_code;
  std::string_view npy_code;
};

constexpr Row kRows[] = {
    {"bool", 'b', '?', "|b1"},     {"int8", 'i', 'b', "|i1"},      {"int16", 'i', 'h', "<i2"},
    {"int32", 'i', 'i', "<i4"},    {"int64", 'i', 'l', "<i8"},     {"uint8", 'u', 'B', "|u1"},
    {"uint16", 'u', 'H', "<u2"},   {"uint32", 'u', 'I', "<u4"},    {"uint64", 'u', 'L', "<u8"},
    {"float16", 'f', 'e', "<f2"},  {"float32", 'f', 'f', "<f4"},   {"float64", 'f', 'd', "<f8"},
    {"bfloat16", 'V', 'E', ""},    {"complex64", 'c', 'F', "<c8"}, {"complex128", 'c', 'D', "<c16"},
    {"float8_e4m3", 'V', 'V', ""}, {"float8_e5m2", 'V', 'V', ""},  {"unspecified", 'V', 'V', ""},
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == dtype::kCount + 1);

constexpr const Row& row(Code code) { return kRows[static_cast<int>(code)]; }

struct Alias {
  std::string_view name;
  Code code;
};

// The C types have the sizes of 64-bit Linux. `longfloat` is NumPy's extended type, which no device
// has: float64.
constexpr Alias kAliases[] = {
    {"bool_", Code::bool_},
    {"bool8", Code::bool_},
    {"byte", Code::int8},
    {"short", Code::int16},
    {"intc", Code::int32},
    {"int", Code::int64},
    {"int_", Code::int64},
    {"long", Code::int64},
    {"longlong", Code::int64},
    {"intp", Code::int64},
    {"ubyte", Code::uint8},
    {"ushort", Code::uint16},
    {"uintc", Code::uint32},
    {"uint", Code::uint64},
    {"ulong", Code::uint64},
    {"ulonglong", Code::uint64},
    {"uintp", Code::uint64},
    {"half", Code::float16},
    {"single", Code::float32},
    {"float", Code::float64},
    {"float_", Code::float64},
    {"double", Code::float64},
    {"longfloat", Code::float64},
    {"csingle", Code::complex64},
    {"singlecomplex", Code::complex64},
    {"complex", Code::complex128},
    {"complex_", Code::complex128},
    {"cfloat", Code::complex128},
    {"cdouble", Code::complex128},
};

Code code_of_letter(char letter) {
  if (letter == 'q') return Code::int64;
  if (letter == 'Q') return Code::uint64;
  for (int i = 0; i < dtype::kCount; ++i) {
    if (kRows[i].char_code == letter && letter != 'V') return static_cast<Code>(i);
  }
  return Code::unspecified;
}

/// "f4", with '<' or '=' (this machine's order), or '|' or '>' where there is no order.
Code code_of_npy(std::string_view text) {
  const char order = text.empty() ? '\0' : text.front();
  const bool has_order = order == '<' || order == '=' || order == '|' || order == '>';
  const std::string_view type = has_order ? text.substr(1) : text;
  for (int i = 0; i < dtype::kCount; ++i) {
    const std::string_view code = kRows[i].npy_code;
    if (code.empty() || code.substr(1) != type) continue;
    const bool wrong_order = (order == '|' || order == '>') && code.front() != '|';
    return wrong_order ? Code::unspecified : static_cast<Code>(i);
  }
  if (has_order && type.size() == 1) {  // "<f"
    const Code code = code_of_letter(type[0]);
    const bool wrong_order = (order == '|' || order == '>') && dtype(code).itemsize() != 1;
    return wrong_order ? Code::unspecified : code;
  }
  return Code::unspecified;
}

Code code_of(std::string_view text) {
  for (int i = 0; i < dtype::kCount; ++i) {
    if (kRows[i].name == text) return static_cast<Code>(i);
  }
  for (const Alias& alias : kAliases) {
    if (alias.name == text) return alias.code;
  }
  return text.size() == 1 ? code_of_letter(text[0]) : code_of_npy(text);
}

constexpr Code signed_of_size(std::int64_t size) {
  return size == 1 ? Code::int8 : size == 2 ? Code::int16 : size == 4 ? Code::int32 : Code::int64;
}

/// The smallest float that holds every value of a bool or integer type, as far as any does.
constexpr Code float_for(dtype t) {
  if (t.is_bool() || t.itemsize() == 1) return Code::float16;
  return t.itemsize() == 2 ? Code::float32 : Code::float64;
}

Code promote_integers(dtype a, dtype b) {
  if (a.is_signed_integer() == b.is_signed_integer()) {
    return a.itemsize() >= b.itemsize() ? a.code() : b.code();
  }
  const dtype s = a.is_signed_integer() ? a : b;
  const dtype u = a.is_signed_integer() ? b : a;
  if (s.itemsize() > u.itemsize()) return s.code();
  return u.itemsize() == 8 ? Code::float64 : signed_of_size(2 * u.itemsize());
}

/// `a` and `b` differ.
Code promote_floats(dtype a, dtype b) {
  if (a.itemsize() != b.itemsize()) return a.itemsize() > b.itemsize() ? a.code() : b.code();
  return a.itemsize() == 2 ? Code::float32 : Code::float16;  // float16 and bfloat16; two of 8 bits
}

Code promote_integer_and_float(dtype integer, dtype floating) {
  // bfloat16 has the 8 bits that the integers of one byte need.
  if (floating == bfloat16_ && integer.itemsize() == 1) return floating.code();
  const dtype wanted = float_for(integer);
  return wanted == floating ? wanted.code() : promote_floats(wanted, floating);
}

}  // namespace

dtype::Code dtype::no_such_code(Code code) {
  throw TypeError(message("dtype: there is no such code; ", static_cast<int>(code)));
}

dtype dtype::parse(std::string_view text) {
  const Code code = code_of(text);
  if (code == Code::unspecified) {
    throw TypeError(message("dtype: not a data type; '", text, "'"));
  }
  return code;
}

std::string_view dtype::name() const { return row(code_).name; }
char dtype::kind() const { return row(code_).kind; }
char dtype::char_code() const { return row(code_).char_code; }
std::string_view dtype::npy_code() const { return row(code_).npy_code; }

std::ostream& operator<<(std::ostream& os, dtype t) { return os << t.name(); }

std::string_view name(Casting casting) {
  constexpr std::string_view kNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  const auto at = static_cast<std::size_t>(casting);
  return at < std::size(kNames) ? kNames[at] : "unknown";
}

dtype promote_types(dtype a, dtype b) {
  if (a == b || !b || b.is_bool()) return a ? a : b;
  if (!a || a.is_bool()) return b;
  if (a.is_complex() || b.is_complex()) {
    return promote_types(promote_types(a.real_part(), b.real_part()), float32) == float32
               ? complex64
               : complex128;
  }
  if (a.is_integer()) {
    return b.is_integer() ? promote_integers(a, b) : promote_integer_and_float(a, b);
  }
  return b.is_integer() ? promote_integer_and_float(b, a) : promote_floats(a, b);
}

bool can_cast(dtype from, dtype to, Choice<Casting> casting) {
  if (!from || !to) return false;
  if (from == to || casting == Casting::unsafe) return true;
  if (casting == Casting::no || casting == Casting::equiv) return false;
  if (promote_types(from, to) == to) return true;
  // Within a kind, or to a later one: bool, unsigned, signed, floating, complex.
  const auto rank = [](dtype t) {
    return t.is_bool()               ? 0
           : t.is_unsigned_integer() ? 1
           : t.is_integer()          ? 2
           : t.is_floating()         ? 3
                                     : 4;
  };
  return casting == Casting::same_kind && rank(from) <= rank(to);
}

}  // namespace cupyxx
