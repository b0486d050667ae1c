// SPDX-License-Identifier: MIT
// Kernels whose specification is checked when the program is compiled:
//
//   const auto squared_diff =
//       cupyxx::elementwise_kernel<"T x, T y", "T z", "z = (x - y) * (x - y)">("squared_diff");
//   auto d = squared_diff(a, b);
//
// These are ElementwiseKernel and ReductionKernel (kernel.h) with their texts as template
// arguments. Wrong argument lists, reserved names, one-letter types that no argument declares,
// brackets that do not match, and calls with a wrong number of arguments or without outputs whose
// types the inputs do not tell are build errors. (Types that a preamble defines have names of more
// than one letter, for that reason.) The rest of a text meets its compiler at the first
// call, as always.
#pragma once

#include <cstddef>
#include <string_view>

#include "cupyxx/kernel.h"

namespace cupyxx {

/// A text as a template argument.
template <std::size_t kSize>
struct FixedString {
  char text[kSize] = {};

  constexpr FixedString(const char (&literal)[kSize]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t k = 0; k < kSize; ++k) text[k] = literal[k];
  }
  constexpr std::string_view view() const { return {text, kSize - 1}; }
};

namespace internal::literal {

/// What may be wrong with an argument list.
enum class Wrong { nothing, form, name, reserved, twice, type };

struct Parameter {
  std::string_view type, name;
  bool raw = false;
};

struct List {
  Parameter parameters[32];
  std::size_t count = 0;
  Wrong wrong = Wrong::nothing;
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || (!is_letter(text[0]) && text[0] != '_')) return false;
  for (const char c : text) {
    if (!is_word(c)) return false;
  }
  return true;
}

/// Cuts the first word off a text.
constexpr std::string_view next_word(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

/// Whether kernels have a type of this name; the names are dtype's.
constexpr bool is_type(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "bool",      "bool_",     "bool8",      "int8",    "int16",         "int32",   "int64",
      "uint8",     "uint16",    "uint32",     "uint64",  "float16",       "float32", "float64",
      "bfloat16",  "byte",      "short",      "intc",    "int",           "int_",    "long",
      "longlong",  "intp",      "ubyte",      "ushort",  "uintc",         "uint",    "ulong",
      "ulonglong", "uintp",     "half",       "single",  "float",         "float_",  "double",
      "longfloat", "complex64", "complex128", "csingle", "singlecomplex", "complex", "complex_",
      "cfloat",    "cdouble"};
  for (const std::string_view known : kNames) {
    if (name == known) return true;
  }
  // "f4", "<i8".
  if (!name.empty() && (name[0] == '<' || name[0] == '|' || name[0] == '=')) name.remove_prefix(1);
  if (name == "c16") return true;
  if (name.size() != 2) return false;
  const std::string_view sizes = name[0] == 'f'                     ? "248"
                                 : name[0] == 'i' || name[0] == 'u' ? "1248"
                                 : name[0] == 'c'                   ? "8"
                                 : name[0] == 'b'                   ? "1"
                                                                    : "";
  return sizes.find(name[1]) != std::string_view::npos;
}

constexpr Wrong parse_parameter(std::string_view text, Parameter& parameter) {
  parameter.type = next_word(text);
  if (parameter.type == "raw") {
    parameter.raw = true;
    parameter.type = next_word(text);
  }
  parameter.name = next_word(text);
  if (parameter.name.empty() || !next_word(text).empty()) return Wrong::form;
  if (!is_identifier(parameter.name)) return Wrong::name;
  if (parameter.name == "n" || parameter.name == "i" || parameter.name[0] == '_') {
    return Wrong::reserved;
  }
  const bool known =
      parameter.type.size() == 1 ? is_letter(parameter.type[0]) : is_type(parameter.type);
  return known ? Wrong::nothing : Wrong::type;
}

/// Appends to a list that may hold arguments already.
constexpr List parse(std::string_view text, List list = {}) {
  std::string_view first = text;
  if (next_word(first).empty()) return list;
  for (;;) {
    const std::size_t comma = text.find(',');
    Parameter parameter;
    list.wrong = parse_parameter(text.substr(0, comma), parameter);
    if (list.wrong != Wrong::nothing) return list;
    for (std::size_t k = 0; k < list.count; ++k) {
      if (list.parameters[k].name == parameter.name) list.wrong = Wrong::twice;
    }
    if (list.wrong != Wrong::nothing || list.count == 31) return list;
    list.parameters[list.count++] = parameter;
    if (comma == std::string_view::npos) return list;
    text.remove_prefix(comma + 1);
  }
}

/// Whether the type of output `k` is among those of the inputs, or fixed.
constexpr bool is_known(const List& all, std::size_t nin, std::size_t k) {
  const std::string_view type = all.parameters[k].type;
  if (type.size() != 1) return true;
  for (std::size_t input = 0; input < nin; ++input) {
    if (all.parameters[input].type == type) return true;
  }
  return false;
}

/// The next token from `at` on, which moves behind it; comments, strings and characters are
/// skipped.
constexpr std::string_view next_token(std::string_view text, std::size_t& at) {
  while (at < text.size()) {
    const char c = text[at];
    const std::string_view pair = text.substr(at, 2);
    if (pair == "//" || pair == "/*") {
      const std::size_t end = text.find(pair == "//" ? "\n" : "*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + (pair == "//" ? 1 : 2);
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at) {
        if (text[at] == '\\') ++at;
      }
      ++at;
    } else if (is_word(c)) {
      const std::size_t begin = at;
      while (at < text.size() && is_word(text[at])) ++at;
      return text.substr(begin, at - begin);
    } else if (is_blank(c)) {
      ++at;
    } else {
      return text.substr(at++, 1);
    }
  }
  return {};
}

constexpr bool brackets_match(std::string_view text) {
  char open[64] = {};
  std::size_t depth = 0;
  std::size_t at = 0;
  for (std::string_view token = next_token(text, at); !token.empty();
       token = next_token(text, at)) {
    const char c = token[0];
    if (c == '(' || c == '[' || c == '{') {
      if (depth == 64) return true;  // deeper than we look
      open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0 || open[--depth] != c) return false;
    }
  }
  return depth == 0;
}

/// Whether a text uses a capital letter as a type - `U y = ...`, `(U)x`, `U(x)`, `<U>` - that
/// neither an argument nor the text itself declares.
constexpr bool uses_undeclared(std::string_view text, const List& all) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    bool declared = false;
    for (std::size_t k = 0; k < all.count; ++k) {
      const Parameter& parameter = all.parameters[k];
      declared |= parameter.type.size() == 1 && parameter.type[0] == letter;
      declared |= parameter.name.size() == 1 && parameter.name[0] == letter;
    }
    bool used = false;
    std::string_view before, token, next;
    std::size_t at = 0;
    for (std::string_view after = next_token(text, at);; after = next_token(text, at)) {
      if (token.size() == 1 && token[0] == letter) {
        // `using U`, `int U`, `class U` are the text's own; `return U` and `const U` are not.
        const bool follows_type = !before.empty() && (is_word(before[0]) || before == "*" ||
                                                      before == "&" || before == ">");
        declared |= follows_type && before != "return" && before != "const" && before != "case";
        used |= !next.empty() && is_identifier(next);
        used |= before == "(" && next == ")" && !after.empty() && is_word(after[0]);
        used |= before == "<" && (next == ">" || next == ",");
        used |= next == "(" && before != "." && before != ":";
      }
      if (after.empty() && next.empty()) break;
      before = token;
      token = next;
      next = after;
    }
    if (used && !declared) return true;
  }
  return false;
}

/// An argument list without what may be wrong with it.
template <FixedString kIn, FixedString kOut>
struct Checked {
  static constexpr List in = parse(kIn.view());
  static constexpr List all = parse(kOut.view(), in);
  static constexpr std::size_t nin = in.count;
  static constexpr std::size_t nout = all.count - in.count;

  static_assert(in.wrong != Wrong::form && all.wrong != Wrong::form,
                "kernel arguments are 'type name' or 'raw type name', separated by commas");
  static_assert(in.wrong != Wrong::name && all.wrong != Wrong::name,
                "the name of a kernel argument is not an identifier");
  static_assert(in.wrong != Wrong::reserved && all.wrong != Wrong::reserved,
                "the names n, i and all that begin with an underscore are reserved");
  static_assert(in.wrong != Wrong::twice && all.wrong != Wrong::twice,
                "the name of a kernel argument is used twice");
  static_assert(in.wrong != Wrong::type && all.wrong != Wrong::type,
                "the type of a kernel argument is neither a NumPy dtype nor a one-letter type");
  static_assert(in.wrong != Wrong::nothing || all.wrong != Wrong::nothing || nout != 0,
                "the kernel has no output");

  static constexpr bool wants_outputs() {
    for (std::size_t k = nin; k < all.count; ++k) {
      if (!is_known(all, nin, k)) return true;
    }
    return false;
  }
  static constexpr bool has_raw_output() {
    for (std::size_t k = nin; k < all.count; ++k) {
      if (all.parameters[k].raw) return true;
    }
    return false;
  }
  static constexpr bool all_raw() {
    for (std::size_t k = 0; k < all.count; ++k) {
      if (!all.parameters[k].raw) return false;
    }
    return true;
  }

  /// A call with this many arguments.
  template <std::size_t kCount>
  static constexpr void check_call() {
    static_assert(kCount == nin || kCount == nin + nout,
                  "a kernel takes all inputs, then all outputs or none");
    static_assert(kCount != nin || nout == 0 || !wants_outputs(),
                  "the type of an output cannot be determined from the inputs; give the outputs");
    static_assert(kCount != nin || nout == 0 || !has_raw_output(),
                  "an output is raw; give the outputs");
  }
};

template <class Arguments, FixedString... kTexts>
struct CheckedTexts {
  static_assert((brackets_match(kTexts.view()) && ...),
                "the brackets in a kernel's text do not match");
  static_assert((!uses_undeclared(kTexts.view(), Arguments::all) && ...),
                "a kernel's text uses a one-letter type that no argument declares");
};

}  // namespace internal::literal

/// An ElementwiseKernel of known texts.
template <FixedString kIn, FixedString kOut, FixedString kOperation>
class LiteralElementwiseKernel {
  using Arguments = internal::literal::Checked<kIn, kOut>;
  static_assert(sizeof(internal::literal::CheckedTexts<Arguments, kOperation>) != 0);

 public:
  explicit LiteralElementwiseKernel(std::string_view name = "kernel",
                                    const ElementwiseKernelOptions& options = {})
      : kernel_(kIn.view(), kOut.view(), kOperation.view(), name, options) {}

  /// See ElementwiseKernel.
  template <class... T>
  ndarray operator()(const T&... arguments) const {
    Arguments::template check_call<sizeof...(T)>();
    static_assert(!Arguments::all_raw(), "all arguments are raw; give the size: sized(n, ...)");
    return kernel_(arguments...);
  }
  /// The same with a number of elements, for kernels whose arguments are all raw.
  template <class... T>
  ndarray sized(std::int64_t size, const T&... arguments) const {
    Arguments::template check_call<sizeof...(T)>();
    static_assert(Arguments::all_raw(), "the size is for kernels whose arguments are all raw");
    return kernel_({arguments...}, {.size = size});
  }
  /// All outputs.
  template <class... T>
  Arrays call_all(const T&... arguments) const {
    Arguments::template check_call<sizeof...(T)>();
    return kernel_.call_all(arguments...);
  }

  const std::string& name() const { return kernel_.name(); }
  /// The same kernel without the checks.
  operator const ElementwiseKernel&() const { return kernel_; }

 private:
  ElementwiseKernel kernel_;
};

/// A ReductionKernel of known texts.
template <FixedString kIn, FixedString kOut, FixedString kMap, FixedString kReduce,
          FixedString kPostMap, FixedString kIdentity>
class LiteralReductionKernel {
  using Arguments = internal::literal::Checked<kIn, kOut>;
  static_assert(
      sizeof(internal::literal::CheckedTexts<Arguments, kMap, kReduce, kPostMap, kIdentity>) != 0);
  static_assert(!Arguments::has_raw_output(), "outputs of a reduction are not raw");
  static constexpr bool names_an_output_a() {
    for (std::size_t k = Arguments::nin; k < Arguments::all.count; ++k) {
      if (Arguments::all.parameters[k].name == "a") return true;
    }
    return false;
  }
  static_assert(!names_an_output_a(), "the name a is reserved for what was reduced");

 public:
  explicit LiteralReductionKernel(std::string_view name = "reduce_kernel",
                                  const ReductionKernelOptions& options = {})
      : kernel_(kIn.view(), kOut.view(), kMap.view(), kReduce.view(), kPostMap.view(),
                kIdentity.view(), name, options) {}

  /// See ReductionKernel; for kernels of one input.
  ndarray operator()(const Operand& x, const ReductionCallOptions& options = {}) const {
    static_assert(Arguments::nin == 1, "the kernel has several inputs: over(options, x, y, ...)");
    return kernel_(x, options);
  }
  /// The same for any number of inputs, followed by all outputs or none.
  template <class... T>
  ndarray over(const ReductionCallOptions& options, const T&... arguments) const {
    static_assert(
        sizeof...(T) == Arguments::nin || sizeof...(T) == Arguments::nin + Arguments::nout,
        "a kernel takes all inputs, then all outputs or none");
    return kernel_({arguments...}, options);
  }

  const std::string& name() const { return kernel_.name(); }
  /// The same kernel without the checks.
  operator const ReductionKernel&() const { return kernel_; }

 private:
  ReductionKernel kernel_;
};

/// An elementwise kernel whose specification the C++ compiler checks.
template <FixedString kIn, FixedString kOut, FixedString kOperation>
LiteralElementwiseKernel<kIn, kOut, kOperation> elementwise_kernel(
    std::string_view name = "kernel", const ElementwiseKernelOptions& options = {}) {
  return LiteralElementwiseKernel<kIn, kOut, kOperation>(name, options);
}

/// A reduction whose specification the C++ compiler checks.
template <FixedString kIn, FixedString kOut, FixedString kMap, FixedString kReduce,
          FixedString kPostMap, FixedString kIdentity>
LiteralReductionKernel<kIn, kOut, kMap, kReduce, kPostMap, kIdentity> reduction_kernel(
    std::string_view name = "reduce_kernel", const ReductionKernelOptions& options = {}) {
  return LiteralReductionKernel<kIn, kOut, kMap, kReduce, kPostMap, kIdentity>(name, options);
}

}  // namespace cupyxx
