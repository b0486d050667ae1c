// SPDX-License-Identifier: MIT
// Numbers in texts with a point, whatever the process's locale.
#pragma once

#include <locale.h>

namespace cupyxx::internal {

/// While it lives, this thread's printf and strtod use C's decimal point.
class CNumbers {
 public:
  CNumbers() : before_(::uselocale(c_locale())) {}
  ~CNumbers() { ::uselocale(before_); }
  CNumbers(const CNumbers&) = delete;
  CNumbers& operator=(const CNumbers&) = delete;

 private:
  static locale_t c_locale() {
    static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return locale;
  }

  locale_t before_;
};

}  // namespace cupyxx::internal
