// SPDX-License-Identifier: MIT
#include "cupyxx/dtype.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"
#include "cupyxx/testing/testdata/promotion_table.h"

namespace cupyxx {
namespace {

using testing::expect_error;

struct TableRow {
  dtype from, to, promoted;
  bool safe, same_kind;
};

std::vector<TableRow> numpy_table() {
  std::istringstream lines(testdata::kFiles[0].text);
  std::vector<TableRow> rows;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string from, to, promoted;
    TableRow row;
    words >> from >> to >> promoted >> row.safe >> row.same_kind;
    row.from = dtype(from);
    row.to = dtype(to);
    row.promoted = dtype(promoted);
    rows.push_back(row);
  }
  return rows;
}

TEST(Dtype, ReadsWhatItPrints) {
  for (int i = 0; i < dtype::kCount; ++i) {
    const dtype t(static_cast<dtype::Code>(i));
    EXPECT_EQ(dtype(t.name()), t);
    if (t.char_code() != 'V') {
      EXPECT_EQ(dtype(std::string(1, t.char_code())), t);
    }
    if (!t.npy_code().empty()) {
      EXPECT_EQ(dtype(t.npy_code()), t);
    }
  }
}

TEST(Dtype, IsOneOfItsCodes) {
  for (const int number : {dtype::kCount + 1, 100, 255}) {
    expect_error<TypeError>([&] { dtype t(static_cast<dtype::Code>(number)); },
                            "dtype: there is no such code; " + std::to_string(number));
  }
  EXPECT_EQ(dtype(dtype::Code::unspecified), dtype());
}

TEST(Dtype, HasNumPysCodes) {
  struct Row {
    dtype type;
    const char* name;
    char kind, letter;
    const char* npy;
    int size;
  };
  const Row rows[] = {
      {bool_, "bool", 'b', '?', "|b1", 1},
      {int8, "int8", 'i', 'b', "|i1", 1},
      {int16, "int16", 'i', 'h', "<i2", 2},
      {int32, "int32", 'i', 'i', "<i4", 4},
      {int64, "int64", 'i', 'l', "<i8", 8},
      {uint8, "uint8", 'u', 'B', "|u1", 1},
      {uint16, "uint16", 'u', 'H', "<u2", 2},
      {uint32, "uint32", 'u', 'I', "<u4", 4},
      {uint64, "uint64", 'u', 'L', "<u8", 8},
      {float16, "float16", 'f', 'e', "<f2", 2},
      {float32, "float32", 'f', 'f', "<f4", 4},
      {float64, "float64", 'f', 'd', "<f8", 8},
      {complex64, "complex64", 'c', 'F', "<c8", 8},
      {complex128, "complex128", 'c', 'D', "<c16", 16},
      {bfloat16_, "bfloat16", 'V', 'E', "", 2},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.type.name(), row.name);
    EXPECT_EQ(row.type.kind(), row.kind) << row.name;
    EXPECT_EQ(row.type.char_code(), row.letter) << row.name;
    EXPECT_EQ(row.type.npy_code(), row.npy) << row.name;
    EXPECT_EQ(row.type.itemsize(), row.size) << row.name;
  }
}

TEST(Dtype, ReadsLettersOrdersAndAliases) {
  EXPECT_EQ(dtype("q"), int64);
  EXPECT_EQ(dtype("Q"), uint64);
  EXPECT_EQ(dtype("=f4"), float32);
  EXPECT_EQ(dtype("f4"), float32);
  EXPECT_EQ(dtype("<f"), float32);
  EXPECT_EQ(dtype("<u1"), uint8);
  EXPECT_EQ(dtype(">i1"), int8);
  EXPECT_EQ(dtype("|?"), bool_);
  EXPECT_EQ(dtype("c16"), complex128);
  EXPECT_EQ(dtype("byte"), int8);
  EXPECT_EQ(dtype("ubyte"), uint8);
  EXPECT_EQ(dtype("short"), int16);
  EXPECT_EQ(dtype("ushort"), uint16);
  EXPECT_EQ(dtype("intc"), int32);
  EXPECT_EQ(dtype("uintc"), uint32);
  EXPECT_EQ(dtype("int_"), int64);
  EXPECT_EQ(dtype("uint"), uint64);
  EXPECT_EQ(dtype("longlong"), int64);
  EXPECT_EQ(dtype("ulonglong"), uint64);
  EXPECT_EQ(dtype("half"), float16);
  EXPECT_EQ(dtype("single"), float32);
  EXPECT_EQ(dtype("float_"), float64);
  EXPECT_EQ(dtype("double"), float64);
  EXPECT_EQ(dtype("longfloat"), float64);
}

TEST(Dtype, RejectsOtherTexts) {
  for (const char* text :
       {"", "x", "V", "<", "float128", ">f4", "|f4", "<f3", "<<f4", "Float32", "unspecified"}) {
    expect_error<TypeError>([&] { dtype t(text); },
                            "dtype: not a data type; '" + std::string(text));
  }
}

TEST(Dtype, BelongsToOneKind) {
  for (int i = 0; i < dtype::kCount; ++i) {
    const dtype t(static_cast<dtype::Code>(i));
    EXPECT_EQ(t.is_bool() + t.is_integer() + t.is_floating() + t.is_complex(), 1) << t;
    EXPECT_EQ(t.is_signed_integer() + t.is_unsigned_integer(), t.is_integer()) << t;
  }
  EXPECT_FALSE(dtype());
  EXPECT_TRUE(float32);
}

TEST(Dtype, KnowsTheElementTypes) {
  static_assert(dtype_of<bool>() == bool_ && dtype_of<signed char>() == int8);
  static_assert(dtype_of<unsigned char>() == uint8 && dtype_of<short>() == int16);
  static_assert(dtype_of<long>() == int64 && dtype_of<long long>() == int64);
  static_assert(dtype_of<unsigned long long>() == uint64 && dtype_of<half>() == float16);
  static_assert(dtype_of<bfloat16>() == bfloat16_ && dtype_of<double>() == float64);
}

TEST(Promotion, EqualsNumPysTable) {
  const auto rows = numpy_table();
  ASSERT_EQ(rows.size(), 144u);
  for (const TableRow& row : rows) {
    EXPECT_EQ(promote_types(row.from, row.to), row.promoted) << row.from << ' ' << row.to;
  }
}

TEST(Promotion, CoversTheTypesBesideNumPysTable) {
  EXPECT_EQ(promote_types(complex64, float32), complex64);
  EXPECT_EQ(promote_types(complex64, float64), complex128);
  EXPECT_EQ(promote_types(int16, complex64), complex64);
  EXPECT_EQ(promote_types(int32, complex64), complex128);
  EXPECT_EQ(promote_types(complex64, complex128), complex128);
  EXPECT_EQ(promote_types(bfloat16_, float16), float32);
  EXPECT_EQ(promote_types(bfloat16_, uint8), bfloat16_);
  EXPECT_EQ(promote_types(bfloat16_, int16), float32);
  EXPECT_EQ(promote_types(bfloat16_, float64), float64);
  EXPECT_EQ(promote_types(dtype::Code::float8_e4m3, dtype::Code::float8_e5m2), float16);
  EXPECT_EQ(promote_types(dtype::Code::float8_e4m3, bfloat16_), bfloat16_);
  EXPECT_EQ(promote_types(dtype::Code::float8_e4m3, int8), float16);
  EXPECT_EQ(promote_types(dtype(), int8), int8);
  EXPECT_EQ(promote_types(bool_, dtype()), bool_);
}

TEST(Promotion, IsSymmetric) {
  for (int i = 0; i < dtype::kCount; ++i) {
    for (int j = 0; j < dtype::kCount; ++j) {
      const dtype a(static_cast<dtype::Code>(i)), b(static_cast<dtype::Code>(j));
      EXPECT_EQ(promote_types(a, b), promote_types(b, a)) << a << ' ' << b;
    }
  }
}

TEST(Casting, EqualsNumPysTables) {
  for (const TableRow& row : numpy_table()) {
    const auto allowed = [&](Casting casting) { return can_cast(row.from, row.to, casting); };
    EXPECT_EQ(can_cast(row.from, row.to), row.safe) << row.from << ' ' << row.to;
    EXPECT_EQ(allowed(Casting::safe), row.safe) << row.from << ' ' << row.to;
    EXPECT_EQ(allowed(Casting::same_kind), row.same_kind) << row.from << ' ' << row.to;
    EXPECT_EQ(allowed(Casting::no), row.from == row.to);
    EXPECT_EQ(allowed(Casting::equiv), row.from == row.to);
    EXPECT_TRUE(allowed(Casting::unsafe));
  }
  EXPECT_FALSE(can_cast(dtype(), int8, Casting::unsafe));
}

TEST(Casting, HasNumPysNames) {
  EXPECT_EQ(name(Casting::no), "no");
  EXPECT_EQ(name(Casting::equiv), "equiv");
  EXPECT_EQ(name(Casting::safe), "safe");
  EXPECT_EQ(name(Casting::same_kind), "same_kind");
  EXPECT_EQ(name(Casting::unsafe), "unsafe");
}

}  // namespace
}  // namespace cupyxx
