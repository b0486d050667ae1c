// SPDX-License-Identifier: MIT
// Wrong literal kernels do not compile, and the compiler says why.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace cupyxx {
namespace {

// A program of wrong kernels, one per line, and what the compiler must say of each.
TEST(LiteralSpecification, WrongOnesDoNotCompile) {
  const struct {
    const char* line;
    const char* message;
  } cases[] = {
      {R"(elementwise_kernel<"T x T y", "T z", "">()(a, a);)",
       "kernel arguments are 'type name' or 'raw type name', separated by commas"},
      {R"(elementwise_kernel<"T 1x", "T z", "">()(a);)", "is not an identifier"},
      {R"(elementwise_kernel<"T n", "T z", "">()(a);)", "names n, i and all that begin"},
      {R"(elementwise_kernel<"T x", "T x", "">()(a);)", "argument is used twice"},
      {R"(elementwise_kernel<"float33 x", "T z", "">()(a);)", "neither a NumPy dtype nor"},
      {R"(elementwise_kernel<"T x", "", "">()(a);)", "the kernel has no output"},
      {R"(elementwise_kernel<"T x", "T z", "z = (x">()(a);)", "brackets in a kernel's text"},
      {R"(elementwise_kernel<"T x", "T z", "U y = x; z = y">()(a);)", "no argument declares"},
      {R"(elementwise_kernel<"T x, T y", "T z", "z = x">()(a);)",
       "takes all inputs, then all outputs or none"},
      {R"(elementwise_kernel<"T x", "Z z", "z = x">()(a);)",
       "type of an output cannot be determined from the inputs"},
      {R"(elementwise_kernel<"T x", "raw T z", "">()(a);)", "an output is raw; give the outputs"},
      {R"(elementwise_kernel<"raw T x", "raw T z", "">()(a, a);)", "give the size: sized(n, ...)"},
      {R"(elementwise_kernel<"T x", "T z", "z = x">().sized(3, a);)",
       "size is for kernels whose arguments are all raw"},
      {R"(reduction_kernel<"T x", "T a", "x", "a + b", "", "0">()(a);)", "the name a is reserved"},
      {R"(reduction_kernel<"T x, T y", "T z", "x", "a + b", "z = a", "0">()(a);)",
       "the kernel has several inputs"},
  };
  const std::string source = ::testing::TempDir() + "/cupyxx_wrong_kernels.cc";
  {
    std::ofstream file(source);
    file << "#include \"cupyxx/literal_kernel.h\"\nusing namespace cupyxx;\n";
    for (std::size_t k = 0; k < std::size(cases); ++k) {
      file << "void f" << k << "(const ndarray& a) { " << cases[k].line << " }\n";
    }
  }
  const std::string command = "c++ -std=c++20 -fsyntax-only -I. " + source + " 2>&1";
  FILE* compiler = ::popen(command.c_str(), "r");
  ASSERT_NE(compiler, nullptr);
  std::string log;
  char part[4096];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, compiler)) > 0;) {
    log.append(part, size);
  }
  EXPECT_NE(::pclose(compiler), 0);
  EXPECT_EQ(log.find("No such file"), std::string::npos) << log;
  for (std::size_t k = 0; k < std::size(cases); ++k) {
    EXPECT_NE(log.find(cases[k].message), std::string::npos) << cases[k].line << "\n" << log;
    // The compiler points at the line.
    const std::string place = source + ":" + std::to_string(k + 3) + ":";
    EXPECT_NE(log.find(place), std::string::npos) << cases[k].line << "\n" << log;
  }
}

}  // namespace
}  // namespace cupyxx
