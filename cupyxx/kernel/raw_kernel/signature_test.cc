// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/raw_kernel/signature.h"

#include <gtest/gtest.h>

namespace cupyxx::internal::raw_kernel {
namespace {

std::vector<Parameter> source(std::string_view list) {
  const auto found = parse_source("__global__ void kernel(" + std::string(list) + ") {}", "kernel");
  EXPECT_TRUE(found);
  return found.value_or(std::vector<Parameter>{});
}

TEST(Signature, ReadsTypesAndNames) {
  const auto parameters =
      source("const float* __restrict__ x, double *y, int n, unsigned long long seed, bool flag");
  ASSERT_EQ(parameters.size(), 5u);
  EXPECT_EQ(parameters[0].name, "x");
  EXPECT_EQ(parameters[0].type, float32);
  EXPECT_EQ(parameters[0].pointers, 1);
  EXPECT_TRUE(parameters[0].is_const);
  EXPECT_EQ(parameters[0].text, "const float* x");
  EXPECT_EQ(parameters[1].type, float64);
  EXPECT_FALSE(parameters[1].is_const);
  EXPECT_EQ(parameters[2].type, int32);
  EXPECT_EQ(parameters[2].pointers, 0);
  EXPECT_EQ(parameters[2].name, "n");
  EXPECT_EQ(parameters[3].type, uint64);
  EXPECT_EQ(parameters[3].name, "seed");
  EXPECT_EQ(parameters[4].type, bool_);
  EXPECT_EQ(describe(parameters),
            "(const float* x, double* y, int n, unsigned long long seed, bool flag)");
}

TEST(Signature, KnowsEverySpellingOfAType) {
  const struct {
    const char* text;
    dtype type;
  } cases[] = {{"unsigned char x", uint8},
               {"signed char x", int8},
               {"char x", int8},
               {"unsigned short int x", uint16},
               {"short x", int16},
               {"unsigned x", uint32},
               {"unsigned int x", uint32},
               {"long x", int64},
               {"long long int x", int64},
               {"unsigned long x", uint64},
               {"size_t x", uint64},
               {"std::int64_t x", int64},
               {"uint8_t x", uint8},
               {"half x", float16},
               {"__half x", float16},
               {"__nv_bfloat16 x", bfloat16_},
               {"cupyxx::half x", float16},
               {"int const x", int32}};
  for (const auto& c : cases) {
    const auto parameters = source(c.text);
    ASSERT_EQ(parameters.size(), 1u);
    EXPECT_EQ(parameters[0].type, c.type) << c.text;
    EXPECT_EQ(parameters[0].name, "x") << c.text;
  }
}

TEST(Signature, LeavesOtherTypesOpen) {
  const auto parameters = source(
      "Options options, const float4* v, const void* any, Pair<int, float> pair, int, float* const"
      " fixed, int table[4]");
  ASSERT_EQ(parameters.size(), 7u);
  EXPECT_FALSE(parameters[0].type);
  EXPECT_EQ(parameters[0].name, "options");
  EXPECT_FALSE(parameters[1].type);
  EXPECT_EQ(parameters[1].pointers, 1);
  EXPECT_TRUE(parameters[2].is_void);
  EXPECT_FALSE(parameters[3].type);
  EXPECT_EQ(parameters[3].name, "pair");
  EXPECT_EQ(parameters[4].type, int32);
  EXPECT_EQ(parameters[4].name, "");
  EXPECT_FALSE(parameters[5].is_const) << "the pointer is, not what it points to";
  EXPECT_EQ(parameters[6].pointers, 1);
  EXPECT_EQ(parameters[6].name, "table");
  EXPECT_TRUE(source("").empty());
  EXPECT_TRUE(source("void").empty());
}

TEST(Signature, FindsTheKernelAmongOtherText) {
  constexpr char kSource[] = R"cuda(
// __global__ void axpy(double commented) {}
/* __global__ void axpy(char also) {} */
static const char* text = "__global__ void axpy(long quoted)";
__device__ float axpy_helper(float x) { return x; }
void caller() { axpy(1); }
template <class T>
__global__ void __launch_bounds__(256) axpy(int n,  // how many
                                            T a) {}
extern "C" __global__ void last(float* x = (float*)0) {}
)cuda";
  const auto axpy = parse_source(kSource, "ns::axpy<float>");
  ASSERT_TRUE(axpy);
  ASSERT_EQ(axpy->size(), 2u);
  EXPECT_EQ((*axpy)[0].name, "n");
  EXPECT_EQ((*axpy)[1].name, "a");
  EXPECT_FALSE((*axpy)[1].type);
  const auto last = parse_source(kSource, "last");
  ASSERT_TRUE(last);
  EXPECT_EQ((*last)[0].text, "float* x");
  // The mark of a kernel counts for its own declaration only.
  const auto third =
      parse_source("__global__ void g(int a); void f(float b); __global__ void f(double c);", "f");
  ASSERT_TRUE(third);
  EXPECT_EQ((*third)[0].name, "c");
  EXPECT_FALSE(parse_source("__global__ void g(int a) {} void f(float b) {}", "f"));
  EXPECT_FALSE(parse_source("__global__ void  (int a);", " "));
  EXPECT_FALSE(parse_source(kSource, "caller"));
  EXPECT_FALSE(parse_source(kSource, "absent"));
}

TEST(Signature, MangledNamesHaveTheTypesOfTemplates) {
  // axpy<float>(int, float, float const*, float*)
  const auto mangled = parse_mangled("_Z4axpyIfEviT_PKS0_PS0_");
  ASSERT_TRUE(mangled);
  ASSERT_EQ(mangled->size(), 4u);
  EXPECT_EQ((*mangled)[0].type, int32);
  EXPECT_EQ((*mangled)[1].type, float32);
  EXPECT_EQ((*mangled)[2].type, float32);
  EXPECT_TRUE((*mangled)[2].is_const);
  EXPECT_FALSE((*mangled)[3].is_const);
  EXPECT_FALSE(parse_mangled("axpy"));
  EXPECT_TRUE(parse_mangled("_Z4axpyv")->empty());
  const auto both =
      find_signature("template <class T> __global__ void axpy(int n, T a, const T* x, T* y) {}",
                     "axpy<float>", "_Z4axpyIfEviT_PKS0_PS0_");
  ASSERT_TRUE(both);
  EXPECT_EQ(describe(*both), "(int n, float a, float const* x, float* y)");
}

}  // namespace
}  // namespace cupyxx::internal::raw_kernel
