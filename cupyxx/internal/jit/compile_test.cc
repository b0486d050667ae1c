// SPDX-License-Identifier: MIT
// NVRTC, keys and the bundle; no device needed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cupyxx/error.h"
#include "cupyxx/internal/jit/bundle.h"
#include "cupyxx/internal/jit/bundled_programs.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/find.h"
#include "cupyxx/internal/jit/headers.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/jit/nvrtc.h"
#include "cupyxx/testing/expect_error.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;

constexpr char kArchitecture[] = "sm_90";

Program program(const std::string& body) {
  return {.name = "probe",
          .text = "extern \"C\" __global__ void kernel(float* x) {\n  " + body + "\n}\n"};
}

bool is_elf(std::string_view cubin) { return cubin.substr(0, 4) == "\177ELF"; }

TEST(Compile, NeedsNoDevice) {
  ASSERT_TRUE(nvrtc_available());
  const std::string cubin = compile(program("x[0] = 1;"), kArchitecture);
  EXPECT_TRUE(is_elf(cubin));
  EXPECT_NE(cubin.find(".text.kernel"), std::string::npos);
}

TEST(Compile, IncludesTheLibrarysHeaders) {
  Program p = program("x[0] = cupyxx::ops::Expm1::apply(x[0]);");
  p.text = "#include \"cupyxx/ops/exp_log.h\"\n" + p.text;
  EXPECT_TRUE(is_elf(compile(p, kArchitecture)));
}

TEST(Compile, KernelsCanReportErrors) {
  const Program p = {.name = "check", .text = R"(
#include "cupyxx/internal/kernels/error_word.h"
using namespace cupyxx::internal::kernels;
extern "C" __global__ void kernel(ErrorWord* word) { report(word, kIndexOutOfRange, 3, 7, 5); }
)"};
  EXPECT_TRUE(is_elf(compile(p, kArchitecture)));
}

TEST(Compile, ShowsTheLogBesideTheNumberedSource) {
  expect_error<CompileError>([] { compile(program("x[0] = y;"), kArchitecture); },
                             "probe: the source does not compile; sm_90, NVRTC_ERROR_COMPILATION\n"
                             "probe(2): error: identifier \"y\" is undefined\n");
  expect_error<CompileError>([] { compile(program("x[0] = y;"), kArchitecture); },
                             "\n    1 | extern \"C\" __global__ void kernel(float* x) {\n"
                             "    2 |   x[0] = y;\n    3 | }\n");
}

TEST(Compile, ShowsErrorsInHeadersByTheirNames) {
  extension::add_device_text({"test/broken.h", "#pragma once\nint f() { return g(); }\n", 38});
  Program p = program("x[0] = f();");
  p.text = "#include \"test/broken.h\"\n" + p.text;
  expect_error<CompileError>([&] { compile(p, kArchitecture); },
                             "test/broken.h(2): error: identifier \"g\" is undefined");
}

TEST(CompileOptions, OfAProgramReplaceOurs) {
  Program p;
  EXPECT_EQ(compile_options(p, kArchitecture),
            (std::vector<std::string>{"--std=c++20", "-default-device", "--fmad=false",
                                      "--gpu-architecture=sm_90"}));
  p.options = {"-std=c++17", "-arch=sm_90a", "-DN=3"};
  EXPECT_EQ(compile_options(p, kArchitecture),
            (std::vector<std::string>{"-default-device", "--fmad=false", "-std=c++17",
                                      "-arch=sm_90a", "-DN=3"}));
}

// Kernels that do not wait for the one before them must not begin while that one runs.
TEST(CompileOptions, OfAnOlderArchitectureLeaveTheWaitOut) {
  Program p = program("x[0] = 1;");
  p.text.insert(p.text.find('{') + 1, std::string("\n") + kWaitForKernelBefore);
  EXPECT_TRUE(runs_as_compiled_for(p, kArchitecture));
  EXPECT_EQ(testing::before_waiting(compile(p, "compute_90")), "");
  for (const char* option : {"-arch=compute_80", "--gpu-architecture=compute_80"}) {
    p.options = {"-DN=3", option};
    EXPECT_FALSE(runs_as_compiled_for(p, kArchitecture)) << option;
    EXPECT_EQ(testing::before_waiting(compile(p, "compute_90")), "no wait") << option;
  }
}

TEST(SourceKey, DependsOnWhatIsCompiled) {
  const Program p = program("x[0] = 1;");
  const Hash128 key = source_key(p, kArchitecture);
  Program other = p;
  other.name = "another";
  other.entry = "another";
  EXPECT_EQ(source_key(other, kArchitecture), key);
  EXPECT_NE(source_key(p, "sm_100"), key);
  other.options = {"-DN=3"};
  EXPECT_NE(source_key(other, kArchitecture), key);
  EXPECT_NE(source_key(program("x[0] = 2;"), kArchitecture), key);
}

TEST(SourceKey, DependsOnIncludedHeadersOnly) {
  const std::string text = "#include \"test/late.h\"\n";
  const Hash128 before = included_headers(text).hash;
  EXPECT_TRUE(included_headers(text).headers.empty());
  extension::add_device_text({"test/unrelated.h", "int a;", 6});
  EXPECT_EQ(included_headers(text).hash, before);
  extension::add_device_text({"test/late.h", "#  include \"test/deeper.h\"\n", 27});
  const Hash128 shallow = included_headers(text).hash;
  EXPECT_NE(shallow, before);
  extension::add_device_text({"test/deeper.h", "#include \"test/late.h\"\nint b;", 29});
  EXPECT_NE(included_headers(text).hash, shallow);
  EXPECT_EQ(included_headers(text).headers.size(), 2u);
}

TEST(IncludedHeaders, AreFollowed) {
  std::vector<std::string> names;
  for (const DeviceText* header : included_headers("#include \"cupyxx/ops/exp_log.h\"").headers) {
    names.emplace_back(header->name);
  }
  for (const char* name : {"cupyxx/half.h", "cupyxx/ops/exp_log.h", "cupyxx/ops/prelude.h"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
}

TEST(IncludedHeaders, LeaveTextsToTheHost) {
  static constexpr char kText[] =
      "struct Op {\n  static constexpr const char* doc =\n      \"a; b\";\n"
      "  static constexpr int n = 1;\n};\n";
  extension::add_device_text({"test/op.h", kText, sizeof kText - 1});
  const auto included = included_headers("#include \"test/op.h\"");
  ASSERT_EQ(included.headers.size(), 1u);
  const std::string text = included.headers[0]->text;
  EXPECT_EQ(text.find("doc"), std::string::npos) << text;
  EXPECT_EQ(text.find("b\";"), std::string::npos) << text;
  EXPECT_EQ(text.find("static constexpr int n = 1;"), text.rfind("static")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
}

class FindTest : public ::testing::Test {
 public:
  FindTest() {
    std::string name = ::testing::TempDir() + "/cupyxx_find_XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~FindTest() override { fs::remove_all(directory_); }

  std::string find(const Program& p, DiskCache& cache, const Bundle& bundle = Bundle({})) {
    std::string storage;
    return std::string(find_cubin(p, kArchitecture, bundle, cache, storage));
  }

  std::string directory_;
};

TEST_F(FindTest, CompilesOnceAndThenReads) {
  const Program p = program("x[0] = 42;");
  const CacheStats before = cache_stats();
  DiskCache cache(directory_, 1 << 20);
  const std::string cubin = find(p, cache);
  DiskCache later(directory_, 1 << 20);
  EXPECT_EQ(find(p, later), cubin);
  EXPECT_EQ(cache_stats().compiled, before.compiled + 1);
  EXPECT_EQ(cache_stats().disk_hits, before.disk_hits + 1);
}

TEST_F(FindTest, CompilesAgainWithoutACache) {
  const Program p = program("x[0] = 43;");
  const CacheStats before = cache_stats();
  DiskCache none("", 0);
  EXPECT_EQ(find(p, none), find(p, none));
  EXPECT_EQ(cache_stats().compiled, before.compiled + 2);
}

TEST_F(FindTest, PrefersTheBundle) {
  const Program p = program("x[0] = 44;");
  const std::string data =
      write_bundle({{bundle_key(p, kArchitecture), "from the bundle"}, {Hash128{1, 2}, "other"}});
  const Bundle bundle({reinterpret_cast<const unsigned char*>(data.data()), data.size()});
  const CacheStats before = cache_stats();
  DiskCache cache(directory_, 1 << 20);
  EXPECT_EQ(find(p, cache, bundle), "from the bundle");
  EXPECT_EQ(cache_stats().bundle_hits, before.bundle_hits + 1);
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(FindTest, RemembersTheCompiler) {
  DiskCache cache(directory_, 1 << 20);
  const std::string identity = find_nvrtc_identity(cache);
  EXPECT_NE(identity.find('+'), std::string::npos) << identity;
  ASSERT_FALSE(fs::is_empty(directory_));
  EXPECT_EQ(find_nvrtc_identity(cache), identity);
}

TEST(Bundle, FindsEveryEntryByKey) {
  std::vector<std::pair<Hash128, std::string>> kernels;
  for (std::uint64_t i = 0; i < 100; ++i) {
    kernels.emplace_back(Hash128{i * 7919 % 101, i}, std::string(i, 'k'));
  }
  const std::string data = write_bundle(kernels);
  const Bundle bundle({reinterpret_cast<const unsigned char*>(data.data()), data.size()});
  EXPECT_EQ(bundle.size(), 100u);
  for (const auto& [key, cubin] : kernels) EXPECT_EQ(bundle.find(key), cubin);
  EXPECT_FALSE(bundle.find(Hash128{102, 0}));
  EXPECT_FALSE(bundle.find(Hash128{0, 100}));
}

TEST(Bundle, IsEmptyWhenDamaged) {
  const std::string data = write_bundle({{Hash128{1, 2}, "kernel"}});
  const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
  EXPECT_EQ(Bundle({}).size(), 0u);
  EXPECT_EQ(Bundle({bytes, 20}).size(), 0u);
  EXPECT_EQ(Bundle({bytes + 1, data.size() - 1}).size(), 0u);
  EXPECT_FALSE(Bundle({bytes, data.size() - 6}).find(Hash128{1, 2}));
}

TEST(Bundle, OfThisBinaryHoldsTheBundledPrograms) {
  const std::vector<Program> programs = bundled_programs();
  ASSERT_FALSE(programs.empty());
  EXPECT_EQ(Bundle::instance().size(), programs.size());
  for (const Program& p : programs) {
    const auto cubin = Bundle::instance().find(bundle_key(p, kArchitecture));
    ASSERT_TRUE(cubin) << p.name;
    EXPECT_TRUE(is_elf(*cubin)) << p.name;
  }
  EXPECT_EQ(*Bundle::instance().find(bundle_key(programs[0], kArchitecture)),
            compile(programs[0], kArchitecture));
}

}  // namespace
}  // namespace cupyxx::internal::jit
