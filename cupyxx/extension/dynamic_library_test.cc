// SPDX-License-Identifier: MIT
#include "cupyxx/extension/dynamic_library.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cupyxx/error.h"

namespace cupyxx::extension {
namespace {

std::string message(DynamicLibrary& library, const char* symbol) {
  try {
    library.symbol<void (*)()>(symbol);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DynamicLibrary, OpensWhatTheLoaderFinds) {
  DynamicLibrary libm("the mathematics library", {"libabsent.so.1", "libm.so.6"});
  ASSERT_TRUE(libm.loaded());
  EXPECT_EQ(libm.symbol<double (*)(double)>("fabs")(-2.5), 2.5);
  EXPECT_NE(libm.path().find("/libm.so.6"), std::string::npos) << libm.path();
}

TEST(DynamicLibrary, NamesTheLibraryAndThePathsTried) {
  setenv("CUDA_HOME", "/nowhere/cuda", 1);
  DynamicLibrary absent("Absent", {"libabsent.so.1"}, {"/nowhere/else"});
  EXPECT_FALSE(absent.loaded());
  const std::string text = message(absent, "anything");
  EXPECT_EQ(text.find("Absent: the library cannot be loaded; tried:\n  libabsent.so.1\n"
                      "  /nowhere/else/libabsent.so.1\n  /nowhere/cuda/lib64/libabsent.so.1\n"),
            0u)
      << text;
  unsetenv("CUDA_HOME");
}

TEST(DynamicLibrary, NamesAMissingFunction) {
  DynamicLibrary libm("libm", {"libm.so.6"});
  EXPECT_EQ(libm.optional_symbol<void (*)()>("absent_function"), nullptr);
  EXPECT_EQ(
      message(libm, "absent_function").find("libm: the function absent_function is missing; in "),
      0u);
}

TEST(DynamicLibrary, CandidatesIncludeTheLoadersFolders) {
  DynamicLibrary libm("libm", {"libm.so.6"});
  bool found = false;
  for (const std::string& file : libm.candidates()) found |= file == libm.path();
  EXPECT_TRUE(found) << libm.path();
}

}  // namespace
}  // namespace cupyxx::extension
