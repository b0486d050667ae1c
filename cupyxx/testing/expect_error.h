// SPDX-License-Identifier: MIT
// The check of an exception and its text; for tests that need no array.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <typeinfo>

namespace cupyxx::testing {

/// `call` throws an E whose text contains `text`.
template <class E, class Call>
void expect_error(Call&& call, const std::string& text) {
  try {
    call();
  } catch (const E& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << "expected the text: " << text << "\nfound: " << error.what();
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "expected " << typeid(E).name() << " with: " << text << "\nfound "
                  << typeid(error).name() << ": " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected: " << text;
}

}  // namespace cupyxx::testing
