// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/zip_format.h"
#include "cupyxx/internal/io/zip_reader.h"
#include "cupyxx/internal/io/zip_writer.h"

namespace cupyxx::internal::io {
namespace {

const std::string kFolder = "cupyxx/testing/testdata/npy/";

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string temporary(const std::string& name) { return ::testing::TempDir() + name; }

std::string write_file(const std::string& name, const std::string& bytes) {
  std::ofstream(temporary(name), std::ios::binary) << bytes;
  return temporary(name);
}

std::string member(const ZipReader& archive, std::size_t i) {
  const auto source = archive.open(archive.entries()[i]);
  std::string bytes(source->remaining(), '\0');
  source->read(bytes.data(), bytes.size());
  return bytes;
}

std::string defect_of(const std::string& path) {
  try {
    const ZipReader archive(path);
    for (std::size_t i = 0; i < archive.entries().size(); ++i) member(archive, i);
  } catch (const IOError& error) {
    return error.what();
  }
  return "";
}

void write_archive(const std::string& path, bool deflate,
                   const std::vector<std::pair<std::string, std::string>>& members) {
  AtomicFile file("savez", path);
  ZipWriter writer(file, deflate);
  for (const auto& [name, bytes] : members) {
    writer.begin(name);
    writer.write(bytes.data(), bytes.size() / 2);
    writer.write(bytes.data() + bytes.size() / 2, bytes.size() - bytes.size() / 2);
    writer.end();
  }
  writer.finish();
  file.commit();
}

TEST(Zip, ReadsStoredAndDeflatedMembersAlike) {
  const ZipReader stored(kFolder + "stored.npz");
  const ZipReader deflated(kFolder + "deflated.npz");
  ASSERT_EQ(stored.entries().size(), 8u);
  ASSERT_EQ(deflated.entries().size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(stored.entries()[i].name, deflated.entries()[i].name);
    EXPECT_EQ(member(stored, i), member(deflated, i));
  }
  EXPECT_EQ(stored.entries()[4].name, "sub/dir_name.npy");
}

TEST(Zip, WritesTheBytesOfNumPy) {
  const ZipReader sample(kFolder + "stored.npz");
  std::vector<std::pair<std::string, std::string>> members;
  for (std::size_t i = 0; i < sample.entries().size(); ++i) {
    members.emplace_back(sample.entries()[i].name, member(sample, i));
  }
  write_archive(temporary("copy.npz"), false, members);
  EXPECT_EQ(file_bytes(temporary("copy.npz")), file_bytes(kFolder + "stored.npz"));
}

TEST(Zip, ReadsBackWhatItDeflated) {
  std::string long_text;
  for (int i = 0; i < 200000; ++i) long_text += std::to_string(i * 7919 % 1000);
  write_archive(temporary("deflated.npz"), true,
                {{"a", long_text}, {"\xc3\xa4", ""}, {"b", "short"}});
  const ZipReader archive(temporary("deflated.npz"));
  ASSERT_EQ(archive.entries().size(), 3u);
  EXPECT_LT(archive.entries()[0].packed_size, long_text.size() / 2);
  EXPECT_EQ(member(archive, 0), long_text);
  EXPECT_EQ(member(archive, 1), "");
  EXPECT_EQ(archive.entries()[1].flags, zip::kUtf8);
  EXPECT_EQ(member(archive, 2), "short");
}

TEST(Zip, ReadsMoreMembersThan16BitsCount) {
  std::vector<std::pair<std::string, std::string>> members(70000);
  for (std::size_t i = 0; i < members.size(); ++i) members[i].first = std::to_string(i);
  members.back().second = "last";
  write_archive(temporary("many.npz"), false, members);
  const ZipReader archive(temporary("many.npz"));
  ASSERT_EQ(archive.entries().size(), 70000u);
  EXPECT_EQ(member(archive, 69999), "last");
}

TEST(Zip, ReadsSizesFromA64BitExtraField) {
  // The sizes of both headers moved to extra fields, as in archives above 4 GiB.
  using zip::put;
  const std::string data = "some elements";
  const auto crc = crc32_z(0, reinterpret_cast<const unsigned char*>(data.data()), data.size());
  const auto header = [&](std::string& out, bool central) {
    put<4>(out, central ? zip::kCentralHeader : zip::kLocalHeader);
    if (central) put<2>(out, 45);
    put<2>(out, 45);
    put<2>(out, 0);
    put<2>(out, zip::kStored);
    put<4>(out, 0);
    put<4>(out, crc);
    put<4>(out, zip::kIn64);
    put<4>(out, zip::kIn64);
    put<2>(out, 1);                  // name
    put<2>(out, central ? 36 : 20);  // extra
    if (central) {
      put<6>(out, 0);
      put<4>(out, 0);
      put<4>(out, zip::kIn64);
    }
    out += "x";
    if (central) {  // a field of another kind stands before
      put<2>(out, 0x5455);
      put<2>(out, 4);
      put<4>(out, 0);
    }
    put<2>(out, zip::kExtra64);
    put<2>(out, central ? 24 : 16);
    put<8>(out, data.size());
    put<8>(out, data.size());
    if (central) put<8>(out, 0);  // offset
  };
  std::string bytes = "prefix";  // what precedes an archive shifts its offsets
  const std::size_t prefix = bytes.size();
  header(bytes, false);
  bytes += data;
  const std::size_t directory = bytes.size();
  header(bytes, true);
  const std::size_t size = bytes.size() - directory;
  put<4>(bytes, zip::kEnd);
  put<4>(bytes, 0);
  put<2>(bytes, 1);
  put<2>(bytes, 1);
  put<4>(bytes, size);
  put<4>(bytes, directory - prefix);
  put<2>(bytes, 7);
  bytes += "comment";
  const ZipReader archive(write_file("extra64.npz", bytes));
  ASSERT_EQ(archive.entries().size(), 1u);
  EXPECT_EQ(member(archive, 0), data);
}

TEST(Zip, ReadsAMemberWhoseSizesFollowItsData) {
  // Streamed archives: flag 3, zeros in the local header, a descriptor after the data.
  std::string bytes = file_bytes(kFolder + "deflated.npz");
  ASSERT_EQ(bytes.substr(0, 4), "PK\3\4");
  bytes[6] = 8;
  std::fill(bytes.begin() + 14, bytes.begin() + 26, '\0');
  const ZipReader archive(write_file("descriptor.npz", bytes));
  EXPECT_EQ(member(archive, 0).substr(1, 5), "NUMPY");
}

TEST(Zip, NamesTheDefectOfADamagedArchive) {
  EXPECT_EQ(defect_of(kFolder + "bad_not_a_zip.npz"),
            "load_npz: " + kFolder +
                "bad_not_a_zip.npz: not an npz archive; it has no directory "
                "at its end");
  EXPECT_NE(defect_of(kFolder + "bad_truncated.npz").find("no directory at its end"),
            std::string::npos);
  EXPECT_NE(defect_of(kFolder + "bad_flipped_byte.npz").find("damaged data; checksum"),
            std::string::npos);
  EXPECT_NE(defect_of(kFolder + "absent.npz").find("cannot open; No such file"), std::string::npos);
  EXPECT_NE(defect_of(kFolder).find("cannot read; it is a directory"), std::string::npos);
}

TEST(Zip, RejectsWhatItCannotUnpack) {
  const std::string good = file_bytes(kFolder + "deflated.npz");
  const std::size_t central = good.find("PK\1\2");
  const auto changed = [&](std::size_t at, const std::string& value) {
    std::string bytes = good;
    bytes.replace(at, value.size(), value);
    return defect_of(write_file("changed.npz", bytes));
  };
  EXPECT_NE(changed(central + 8, std::string("\1\0", 2)).find("encrypted"), std::string::npos);
  EXPECT_NE(changed(central + 10, std::string("\14\0", 2)).find("not supported; 12"),
            std::string::npos);
  EXPECT_NE(changed(central + 24, "\xff\xff\xff\x7f").find("cannot unpack to 2147483647"),
            std::string::npos);
  EXPECT_NE(changed(central + 42, "\xff\xff\xff\x7f").find("lies outside"), std::string::npos);
  EXPECT_NE(changed(central + 42, std::string("\1\0\0\0", 4)).find("has no header"),
            std::string::npos);
}

TEST(Zip, SurvivesEveryCutAndEveryFlippedByte) {
  const std::string good = file_bytes(kFolder + "deflated.npz");
  for (std::size_t i = 0; i < good.size(); i += 11) {
    EXPECT_FALSE(defect_of(write_file("cut.npz", good.substr(0, i))).empty()) << i;
    std::string bytes = good;
    bytes[i] = static_cast<char>(~bytes[i]);
    defect_of(write_file("flipped.npz", bytes));  // contents or an IOError
  }
}

}  // namespace
}  // namespace cupyxx::internal::io
