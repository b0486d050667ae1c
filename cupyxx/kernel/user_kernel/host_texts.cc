// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/host_texts.h"

#include "cupyxx/error.h"
#include "cupyxx/kernel/user_kernel/spec.h"

namespace cupyxx::internal::user_kernel {
namespace {

struct Texts {
  std::string_view preamble;
  std::initializer_list<std::string_view> others;

  bool mention(std::string_view name) const {
    for (const std::string_view text : others) {
      if (mentions(text, name)) return true;
    }
    return mentions(preamble, name);
  }
  bool define(std::string_view before, std::string_view name) const {
    return mentions(preamble, name) &&
           preamble.find(message(before, name)) != std::string_view::npos;
  }
  // `const float FLT_MAX = ...`
  bool set(std::string_view name) const {
    return preamble.find(message(name, " =")) != std::string_view::npos ||
           preamble.find(message(name, "=")) != std::string_view::npos;
  }
};

std::string vectors(const Texts& texts) {
  struct Kind {
    std::string_view name, element;
    int bytes;
  };
  constexpr Kind kKinds[] = {{"char", "signed char", 1},
                             {"uchar", "unsigned char", 1},
                             {"short", "short", 2},
                             {"ushort", "unsigned short", 2},
                             {"int", "int", 4},
                             {"uint", "unsigned", 4},
                             {"longlong", "long long", 8},
                             {"ulonglong", "unsigned long long", 8},
                             {"float", "float", 4},
                             {"double", "double", 8}};
  std::string text;
  for (const Kind& kind : kKinds) {
    for (int n = 1; n <= 4; ++n) {
      const std::string name = message(kind.name, n);
      if (!texts.mention(name) && !texts.mention(message("make_", name))) continue;
      if (texts.define("struct ", name) || texts.define("class ", name)) continue;
      std::string members, parameters, values;
      for (int k = 0; k < n; ++k) {
        const char member = "xyzw"[k];
        members += message(k == 0 ? " " : ", ", member);
        parameters += message(k == 0 ? "" : ", ", kind.element, " ", member);
        values += message(k == 0 ? "" : ", ", member);
      }
      const int alignment = n == 3 ? kind.bytes : kind.bytes * n > 16 ? 16 : kind.bytes * n;
      text += message("struct alignas(", alignment, ") ", name, " { ", kind.element, members,
                      "; };\ninline ", name, " make_", name, "(", parameters, ") { return {",
                      values, "}; }\n");
    }
  }
  return text;
}

std::string inverses(const Texts& texts) {
  struct Inverse {
    std::string_view name, value;
  };
  constexpr Inverse kInverses[] = {{"erfinv", "inverse_erf(x)"},
                                   {"erfcinv", "inverse_erfc(x)"},
                                   {"normcdfinv", "inverse_erfc(2 * x) * -1.41421356237309504880"}};
  std::string text;
  for (const auto& [name, value] : kInverses) {
    const std::string single = message(name, "f");
    if (!texts.mention(name) && !texts.mention(single)) continue;
    if (texts.define("double ", name) || texts.define("float ", name)) continue;
    text += message("inline double ", name, "(double x) { return cupyxx::ops::special::", value,
                    "; }\ninline float ", name, "(float x) { return static_cast<float>(", name,
                    "(static_cast<double>(x))); }\n");
    if (!texts.define("float ", single)) {
      text += message("inline float ", single, "(float x) { return ", name, "(x); }\n");
    }
  }
  return text.empty() ? text : "#include \"cupyxx/ops/special_math.h\"\n" + text;
}

std::string limits(const Texts& texts) {
  constexpr std::string_view kOfFloats[] = {"FLT_MAX", "FLT_MIN", "FLT_EPSILON",
                                            "DBL_MAX", "DBL_MIN", "DBL_EPSILON"};
  constexpr std::string_view kOfIntegers[] = {
      "CHAR_MAX", "CHAR_MIN", "SHRT_MAX",  "SHRT_MIN",  "INT_MAX",   "INT_MIN",   "UINT_MAX",
      "LONG_MAX", "LONG_MIN", "ULONG_MAX", "LLONG_MAX", "LLONG_MIN", "ULLONG_MAX"};
  const auto wanted = [&](const auto& names) {
    bool some = false;
    for (const std::string_view name : names) {
      if (texts.set(name)) return false;
      some |= texts.mention(name);
    }
    return some;
  };
  return message(wanted(kOfFloats) ? "#include <float.h>\n" : "",
                 wanted(kOfIntegers) ? "#include <limits.h>\n" : "");
}

}  // namespace

std::string host_texts(std::string_view preamble, std::initializer_list<std::string_view> texts) {
  const Texts all{preamble, texts};
  return limits(all) + inverses(all) + vectors(all);
}

}  // namespace cupyxx::internal::user_kernel
