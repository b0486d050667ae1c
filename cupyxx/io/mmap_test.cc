// SPDX-License-Identifier: MIT
// Files as memory: npy files of NumPy, mapped in each mode.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

const std::string kFolder = "cupyxx/testing/testdata/npy/";

class MmapTest : public testing::DeviceTest {
 protected:
  static std::string file(const ndarray& a) {
    const std::string path = ::testing::TempDir() + "mapped.npy";
    save(path, a);
    return path;
  }
  static std::string text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static bool is_mapped(const std::string& path) {
    return text("/proc/self/maps").find(std::filesystem::canonical(path)) != std::string::npos;
  }
};
CUPYXX_TEST_ON_DEVICES(MmapTest);

TEST_P(MmapTest, ReadsTheSamplesOfNumPyAsLoadDoes) {
  for (const char* name : {"c_float64.npy", "f_int16.npy", "5d_f.npy", "0d_bool.npy",
                           "empty_3d.npy", "v2.npy", "v3.npy", "c_uint8.npy"}) {
    SCOPED_TRACE(name);
    const ndarray loaded = load(kFolder + name);
    for (const char* mode : {"r", "c"}) {
      const ndarray mapped = load(kFolder + name, {.mmap_mode = mode});
      EXPECT_EQ(mapped.device(), device());
      EXPECT_EQ(mapped.flags().f_contiguous, loaded.flags().f_contiguous);
      expect_array_equal(mapped, loaded);
    }
  }
}

TEST_P(MmapTest, ADeviceHasACopy) {
  const std::string path = file(arange(1000));
  const ndarray a = load(path, {.mmap_mode = "r"});
  EXPECT_EQ(is_mapped(path), device().is_cpu());
  EXPECT_EQ(a.flags().writeable, device().is_cuda());
  EXPECT_EQ(a.sum().item<int>(), 499500);
}

TEST(Mmap, ReadModeIsReadOnlyAndLeavesTheFile) {
  const std::string path = ::testing::TempDir() + "read.npy";
  save(path, arange(6, float32));
  const std::string before = [&] {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  ndarray a = load(path, {.mmap_mode = "r"});
  EXPECT_FALSE(a.flags().writeable);
  EXPECT_FALSE(a.flags().owndata);
  expect_error<ValueError>([&] { a.fill(1); }, "read-only");
  expect_error<ValueError>([&] { a(slice(1, 3)) += 1; }, "read-only");
  a.set_writeable(true);  // by force: stays in memory
  a.fill(9);
  a = {};
  std::ifstream stream(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), before);
}

TEST(Mmap, WritesReachTheFile) {
  const std::string path = ::testing::TempDir() + "write.npy";
  save(path, zeros({2, 3}).T());  // in Fortran order
  {
    const ndarray a = load(path, {.mmap_mode = "r+"});
    EXPECT_EQ(a.shape(), (Shape{3, 2}));
    a(1, 0) = 5;
    a(slice(), 1) += 2;
  }
  expect_elements<double>(load(path), {3, 2}, {0, 2, 5, 2, 0, 2});
}

TEST(Mmap, CopiesOnWriteStayInMemory) {
  const std::string path = ::testing::TempDir() + "copy.npy";
  save(path, ones({4}));
  const ndarray a = load(path, {.mmap_mode = "c"});
  a(slice(1, 3)) = 7;
  expect_elements<double>(a, {4}, {1, 7, 7, 1});
  expect_elements<double>(load(path), {4}, {1, 1, 1, 1});
}

TEST_P(MmapTest, TheFileIsClosedWithTheLastView) {
  const DeviceScope host(Device::cpu());
  const std::string path = file(arange(100000));
  ndarray part = load(path, {.mmap_mode = "r"})(slice(90000, none));
  EXPECT_TRUE(is_mapped(path));
  EXPECT_EQ(part(0).item<int>(), 90000);
  part = {};
  EXPECT_FALSE(is_mapped(path));
}

TEST(Mmap, SaysWhatItCannotMap) {
  const std::string path = kFolder + "c_float32.npy";
  expect_error<ValueError>([&] { load(path, {.mmap_mode = "w"}); },
                           "load: the mmap_mode must be 'r', 'r+' or 'c'; 'w'");
  expect_error<IOError>([] { load(kFolder + "be_int32.npy", {.mmap_mode = "r"}); },
                        "big-endian elements cannot be mapped, only loaded; int32");
  expect_error<IOError>([] { load(kFolder + "bad_truncated_data.npy", {.mmap_mode = "r"}); },
                        "truncated data");
  const std::string odd = ::testing::TempDir() + "/cupyxx_odd_bool.npy";
  std::string bytes = dumps(array({true, false, true}));
  bytes[bytes.size() - 2] = 'x';
  std::ofstream(odd, std::ios::binary) << bytes;
  EXPECT_TRUE(load(odd).item<bool>(1));
  expect_error<IOError>([&] { load(odd, {.mmap_mode = "r"}); },
                        "a bool element is neither 0 nor 1, so they can only be loaded; element 1");
  expect_error<ValueError>([&] { load(path, {.mmap_mode = "w+"}); },
                           "load: the mmap_mode 'w+' would empty the file");
  expect_error<IOError>([] { load("absent.npy", {.mmap_mode = "r+"}); },
                        "load: absent.npy: cannot open");
}

}  // namespace
}  // namespace cupyxx
