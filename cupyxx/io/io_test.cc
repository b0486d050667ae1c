// SPDX-License-Identifier: MIT
#include "cupyxx/io.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

const std::string kFolder = "cupyxx/testing/testdata/npy/";

class IoTest : public testing::DeviceTest {
 protected:
  static std::string path(const std::string& name) { return ::testing::TempDir() + name; }
  static std::string bytes(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static nlohmann::json samples() { return nlohmann::json::parse(bytes(kFolder + "files.json")); }
};
CUPYXX_TEST_ON_DEVICES(IoTest);

TEST_P(IoTest, LoadsTheSamplesOfNumPyToTheCurrentDevice) {
  const nlohmann::json all = samples();
  const NpzFile reference = load_npz(kFolder + "reference.npz");
  for (const auto& sample : all["npy"]) {
    const std::string file = sample["file"];
    SCOPED_TRACE(file);
    if (sample.value("unsupported", false)) {
      expect_error<IOError>([&] { load(kFolder + file); }, "not supported");
      continue;
    }
    const ndarray a = load(kFolder + file);
    EXPECT_EQ(a.device(), device());
    EXPECT_EQ(a.flags().f_contiguous || !sample.value("fortran", false), true);
    expect_array_equal(a, reference[sample["key"]]);
  }
}

TEST_P(IoTest, LoadsTheArchivesOfNumPy) {
  const nlohmann::json all = samples();
  const NpzFile reference = load_npz(kFolder + "reference.npz");
  for (const auto& sample : all["npz"]) {
    const NpzFile archive(kFolder + sample["file"].get<std::string>());
    EXPECT_EQ(archive.files().size(), sample["members"].size());
    for (const auto& [name, value] : sample["members"].items()) {
      SCOPED_TRACE(name);
      EXPECT_TRUE(archive.contains(name));
      expect_array_equal(archive[name], reference[value["key"]]);
      expect_array_equal(archive[name + ".npy"], reference[value["key"]]);
    }
  }
}

TEST_P(IoTest, RejectsEveryDamagedSample) {
  const nlohmann::json all = samples();
  for (const auto& sample : all["bad"]) {
    const std::string file = kFolder + sample["file"].get<std::string>();
    SCOPED_TRACE(file);
    expect_error<IOError>(
        [&] {
          if (file.ends_with(".npy")) {
            load(file);
          } else {
            const NpzFile archive(file);
            for (const std::string& name : archive.files()) archive[name];
          }
        },
        file);
  }
}

TEST_P(IoTest, SavesTheBytesOfNumPy) {
  for (const char* name : {"c_float32.npy", "f_int16.npy", "0d_bool.npy", "empty_3d.npy"}) {
    SCOPED_TRACE(name);
    save(path("copy.npy"), load(kFolder + name));
    EXPECT_EQ(bytes(path("copy.npy")), bytes(kFolder + name));
  }
}

TEST_P(IoTest, SaysWhereADtypeWithoutACodeGoes) {
  expect_error<TypeError>([&] { save(path("b.npy"), ones({2}, bfloat16_)); },
                          "save: the npy format has no code for the dtype; bfloat16; "
                          "save_safetensors writes it, or .astype(float32) before");
}

TEST_P(IoTest, SavesAViewAsItsElements) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  save(path("view"), a(slice(), 1, slice(none, none, -2)));
  const ndarray b = load(path("view.npy"));
  EXPECT_EQ(b.device(), device());
  expect_elements<std::int64_t>(b, {2, 2}, {7, 5, 19, 17});
}

TEST_P(IoTest, ReadsBackNamedArrays) {
  const ndarray a = arange(6, float32).reshape({2, 3});
  const NamedArrays arrays = {{"a", a}, {"sub/b", a.T()}, {"empty", zeros({0, 2})}};
  savez(path("named"), arrays);
  savez_compressed(path("compressed.npz"), arrays);
  for (const char* name : {"named.npz", "compressed.npz"}) {
    const NpzFile archive = load_npz(path(name));
    EXPECT_EQ(archive.files(), (std::vector<std::string>{"a", "sub/b", "empty"}));
    EXPECT_EQ(archive.keys(), archive.files());
    std::string names;  // of a temporary, which is gone when the loop begins
    for (auto& key : load(path(name)).keys()) names += key;
    for (const auto& key : load(path(name)).files()) names += key;
    for (const auto& key : load_npz(path(name)).files()) names += key;
    EXPECT_EQ(names, "asub/bemptyasub/bemptyasub/bempty");
    for (const auto& [key, value] : arrays) expect_array_equal(archive[key], value);
    std::size_t i = 0;
    for (const auto& [key, value] : archive) {
      EXPECT_EQ(key, arrays.at(i).first);
      expect_array_equal(value, arrays.at(i++).second);
    }
    EXPECT_EQ(i, 3u);
    for (auto& [key, value] : load_npz(path(name))) value += static_cast<int>(key.size());
    expect_error<IndexError>([&] { archive["c"]; }, "load_npz: the archive has no such key; 'c'");
  }
}

TEST_P(IoTest, ArraysWithoutNamesHaveNumbers) {
  const ndarray a = arange(3), b = ones({2, 2}, float32);
  savez(path("numbers"), a, b);
  savez_compressed(path("both"), {a, b}, {{"w", a + 1}});
  const Loaded numbers = load(path("numbers.npz"));
  EXPECT_EQ(numbers.files(), (std::vector<std::string>{"arr_0", "arr_1"}));
  expect_array_equal(numbers["arr_1"], b);
  expect_array_equal(load(path("both.npz"))["w"], a + 1);
  EXPECT_TRUE(numbers.is_archive());
  expect_error<ValueError>(
      [&] {
        savez(path("twice"), {a}, {{"arr_0", b}});
      },
      "savez: two arrays have one name; 'arr_0'");
  save(path("one.npy"), a);
  expect_error<TypeError>([&] { load(path("one.npy"))["arr_0"]; },
                          "load: an npy file is one array, without keys; shape (3,)");
}

TEST_P(IoTest, StreamsAreFiles) {
  const ndarray a = arange(6, float32).reshape({2, 3}), b = array({1, 2});
  std::stringstream stream;
  save(stream, a);
  save(stream, b);
  expect_array_equal(load(stream), a);
  expect_array_equal(load(stream), b);
  expect_error<IOError>([&] { load(stream); }, "load: the stream: ");
  std::stringstream archive;
  savez(archive, {{"a", a}});
  savez(path("beside"), {{"a", a}});
  EXPECT_EQ(archive.str(), bytes(path("beside.npz")));
  expect_array_equal(load_npz(archive)["a"], a);
  std::stringstream text;
  savetxt(text, a, {.fmt = "%.1f"});
  EXPECT_EQ(text.str(), "0.0 1.0 2.0\n3.0 4.0 5.0\n");
  expect_array_equal(loadtxt(text, {.dtype = float32}), a);
  std::ostringstream whole;
  savetxt(whole, a, "%d", ",");
  savetxt(whole, a(0), std::string("%.1f"));
  EXPECT_EQ(whole.str(), "0,1,2\n3,4,5\n0.0\n1.0\n2.0\n");
  savetxt(path("whole.txt"), a, "%d");
  EXPECT_EQ(bytes(path("whole.txt")), "0 1 2\n3 4 5\n");
  std::ostringstream broken;
  broken.setstate(std::ios_base::badbit);
  expect_error<IOError>([&] { save(broken, a); }, "save: cannot write to the stream");
}

TEST_P(IoTest, ArchivesComeFromStreams) {
  const ndarray a = arange(6, float32).reshape({2, 3}), b = array({1, 2});
  std::stringstream stream;
  stream << "before";
  savez(stream, a, b);
  std::string before(6, ' ');
  stream.read(before.data(), 6);
  const Loaded archive = load(stream);
  EXPECT_TRUE(archive.is_archive());
  EXPECT_EQ(archive.files(), (std::vector<std::string>{"arr_0", "arr_1"}));
  EXPECT_EQ(archive["arr_0"].device(), device());
  expect_array_equal(archive["arr_0"], a);
  expect_array_equal(archive["arr_1"], b);
  std::stringstream long_one;  // of several buffers
  const ndarray many = arange(100000);
  savez(long_one, {many});
  expect_array_equal(load(long_one)["arr_0"], many);
  std::stringstream mixed, stored;
  savez_compressed(mixed, {a}, {{"w", b}});
  expect_array_equal(NpzFile(mixed)["w"], b);
  savez(stored, {a});
  const std::string whole = stored.str();
  std::stringstream cut(whole.substr(0, whole.size() / 2));
  expect_error<IOError>([&] { load(cut); }, "load_npz: the stream: not an npz archive");
  // What only ends as an archive is none, as in files.
  std::stringstream shifted("P" + whole);
  expect_error<IOError>([&] { load(shifted); },
                        "load: the stream: not an npy file; the magic bytes are wrong");
  std::string damaged = whole;
  damaged[damaged.find("NUMPY") + 130] ^= 0x55;  // an element
  std::stringstream wrong(damaged);
  const Loaded found = load(wrong);
  expect_error<IOError>([&] { found["arr_0"]; }, "load: the stream[arr_0.npy]: ");
  std::ifstream absent(path("absent/archive.npz"), std::ios::binary);
  expect_error<IOError>([&] { load(absent); }, "load: the stream: ");
}

TEST_P(IoTest, LeavesAnEarlierFileWhenASaveFails) {
  save(path("kept.npz"), zeros({2}));  // becomes kept.npz.npy
  savez(path("kept.npz"), {{"a", ones({2})}});
  const std::string before = bytes(path("kept.npz"));
  expect_error<ValueError>(
      [&] {
        savez(path("kept.npz"), {{"a", ones({3})}, {"a", ones({3})}});
      },
      "savez: two arrays have one name; 'a'");
  expect_error<ValueError>(
      [&] {
        savez(path("kept.npz"), {{"a", ndarray()}});
      },
      "savez: the array is None");
  EXPECT_EQ(bytes(path("kept.npz")), before);
  expect_error<IOError>([&] { save(path("absent/a.npy"), ones({3})); },
                        "save: cannot write " + path("absent/a.npy") + "; No such file");
}

TEST_P(IoTest, BytesHoldAnArray) {
  const ndarray a = arange(6).reshape({2, 3});
  expect_array_equal(loads(dumps(a)), a);
  EXPECT_EQ(dumps(a).substr(1, 5), "NUMPY");
  const std::string file = path("whole.bytes");
  dump(a, file);
  expect_array_equal(load(file), a);
  expect_error<IOError>([&] { loads(dumps(a).substr(0, 150)); }, "");
}

TEST_P(IoTest, ElementsGoToFilesAsBytesOrText) {
  const ndarray a = array({{1.5, 2.0}, {-3.25, 1e30}});
  const std::string file = path("elements");
  tofile(a.T(), file);
  ASSERT_EQ(bytes(file).size(), 32u);
  double second = 0;
  const std::string content = bytes(file);
  std::memcpy(&second, content.data() + 8, 8);
  EXPECT_EQ(second, -3.25);
  // Vectors that are no memory in one piece: every second number, and backwards.
  const ndarray numbers = arange(12);
  for (const ndarray& v :
       {ndarray(numbers(slice(0, 9, 2))), ndarray(numbers(slice(none, 2, -3)))}) {
    tofile(v, file);
    expect_array_equal(fromfile(file, int64), v);
  }
  tofile(a, file, " ");
  EXPECT_EQ(bytes(file), "1.5 2.0 -3.25 1e+30");
  tofile(array({1, 20}), file, ",", "%04d");
  EXPECT_EQ(bytes(file), "0001,0020");
  tofile(a(0), file, ";", "<%.2f>");
  EXPECT_EQ(bytes(file), "<1.50>;<2.00>");
  tofile(a(0), file, ",", "%s");
  EXPECT_EQ(bytes(file), "1.5,2.0");
  expect_error<ValueError>([&] { tofile(a, file, ",", "%c"); },
                           "tofile: a format has conversions of numbers only; '%c'");
  const ndarray z = a.astype(complex128);
  tofile(z(0), file, ",", "%s");
  EXPECT_EQ(bytes(file), "(1.5+0j),(2+0j)");
  expect_error<TypeError>([&] { tofile(z, file, ",", "%.1f"); },
                          "tofile: '%.1f' formats real numbers, not complex128; '%s', or a.real()");
}

TEST_P(IoTest, ReadsByPosition) {
  const std::string file = path("numbers");
  tofile(arange(5, float64), file);
  expect_elements<double>(fromfile(file, float64, 2), {2}, {0, 1});
  expect_elements<double>(fromfile(file, float64, -1, "", 24), {2}, {3, 4});
  tofile(arange(5), file, ", ");
  expect_elements<int>(fromfile(file, int64, 3, ","), {3}, {0, 1, 2});
  expect_elements<int>(fromstring("1, 2", int64, {.sep = ","}), {2}, {1, 2});
  EXPECT_EQ(fromstring("1 2", {.sep = " "}).dtype(), float64);
  expect_error<TypeError>([] { fromstring("1", int64, {.dtype = int32, .sep = " "}); },
                          "fromstring");
  save(path("mapped.npy"), arange(3));
  const auto mapped = load(path("mapped.npy"), "r");
  expect_elements<int>(mapped, {3}, {0, 1, 2});
  EXPECT_EQ(mapped.flags().writeable, device().is_cuda());
}

}  // namespace
}  // namespace cupyxx
