// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/io/safetensors_header.h"
#include "cupyxx/internal/io/truth_values.h"
#include "cupyxx/io.h"

namespace cupyxx {
namespace {

using internal::io::File;
using internal::io::json_quoted;
using internal::io::kSafetensorsMetadata;
using Entry = internal::io::SafetensorsEntry;

// As the format's own reader has it; more would be an attack.
constexpr std::uint64_t kMostHeader = 100'000'000;

struct TypeName {
  const char* name;
  const char* code;  // numpy's
};
constexpr std::array<TypeName, 13> kTypes = {{{"BOOL", "bool"},
                                              {"U8", "uint8"},
                                              {"I8", "int8"},
                                              {"U16", "uint16"},
                                              {"I16", "int16"},
                                              {"U32", "uint32"},
                                              {"I32", "int32"},
                                              {"U64", "uint64"},
                                              {"I64", "int64"},
                                              {"F16", "float16"},
                                              {"BF16", "bfloat16"},
                                              {"F32", "float32"},
                                              {"F64", "float64"}}};

const char* name_of(const std::string& array, dtype type) {
  for (const TypeName& entry : kTypes) {
    if (type.name() == entry.code) return entry.name;
  }
  throw DtypeError(message("save_safetensors: '", array,
                           "' has a dtype without a name in the format; ", type.name()));
}

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw IOError(message("SafetensorsFile: ", path, ": ", what));
}

/// The dtype of an entry, or the null one.
const TypeName* type_of(const Entry& entry) {
  for (const TypeName& type : kTypes) {
    if (entry.type == type.name) return &type;
  }
  return nullptr;
}

void check_size(const std::string& path, const Entry& entry) {
  if (entry.begin > entry.end) damaged(path, message("'", entry.name, "' ends before it begins"));
  const TypeName* type = type_of(entry);
  if (type == nullptr) return;
  std::int64_t count = 0;
  try {
    count = entry.shape.element_count();
  } catch (const ValueError&) {
    damaged(path, message("'", entry.name, "' has an impossible shape; ", entry.shape));
  }
  const auto itemsize = static_cast<std::uint64_t>(dtype(type->code).itemsize());
  const std::uint64_t bytes = entry.end - entry.begin;
  if (bytes % itemsize != 0 || bytes / itemsize != static_cast<std::uint64_t>(count)) {
    damaged(path, message("'", entry.name, "' has ", bytes, " bytes for shape ", entry.shape,
                          " of ", entry.type));
  }
}

}  // namespace

void save_safetensors(const std::string& path, const NamedArrays& arrays) {
  save_safetensors(path, arrays, {});
}

void save_safetensors(const std::string& path, const NamedArrays& arrays,
                      const std::map<std::string, std::string>& metadata) {
  constexpr const char* kOperation = "save_safetensors";
  std::string text = "{";
  if (!metadata.empty()) {
    text += json_quoted(kOperation, kSafetensorsMetadata) + ":{";
    for (const auto& [key, value] : metadata) {
      if (text.back() != '{') text += ',';
      text += json_quoted(kOperation, key) + ':' + json_quoted(kOperation, value);
    }
    text += '}';
  }
  std::unordered_set<std::string> names = {kSafetensorsMetadata};
  std::uint64_t offset = 0;
  std::vector<ndarray> parts;
  // Larger elements first, so that every array is aligned.
  std::vector<const NamedArrays::value_type*> order;
  for (const auto& named : arrays) {
    if (named.second.is_none()) {
      throw TypeError(message("save_safetensors: the array is None; '", named.first, "'"));
    }
    order.push_back(&named);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.itemsize() > b->second.itemsize();
  });
  for (const auto* named : order) {
    const auto& [name, array] = *named;
    if (!names.insert(name).second) {
      throw ValueError(message("save_safetensors: this name is taken; '", name, "'"));
    }
    const ndarray host = array.to_cpu();
    parts.push_back(host.flags().c_contiguous ? host : host.copy(Order::C));
    const std::uint64_t end = offset + static_cast<std::uint64_t>(array.nbytes());
    if (text.size() > 1) text += ',';
    text += json_quoted(kOperation, name) + R"(:{"dtype":")" + name_of(name, array.dtype()) +
            R"(","shape":[)";
    for (const std::int64_t extent : array.shape()) {
      if (text.back() != '[') text += ',';
      text += std::to_string(extent);
    }
    text += R"(],"data_offsets":[)" + std::to_string(offset) + ',' + std::to_string(end) + "]}";
    offset = end;
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  std::array<unsigned char, 8> size;
  for (int i = 0; i < 8; ++i) size[i] = static_cast<unsigned char>(text.size() >> (8 * i));

  internal::io::AtomicFile file("save_safetensors", path);
  file.write(size.data(), size.size());
  file.write(text.data(), text.size());
  for (const ndarray& part : parts) {
    file.write(part.elements(), static_cast<std::size_t>(part.nbytes()));
  }
  file.commit();
}

struct SafetensorsFile::Content {
  explicit Content(const std::string& path) : file(path) {}

  File file;
  std::uint64_t start = 0;  // of the elements
  std::vector<Entry> entries{};
  std::vector<std::string> names{};
  std::unordered_map<std::string, std::size_t> places{};  // among the entries
  std::map<std::string, std::string> metadata{};
};

SafetensorsFile::SafetensorsFile(const std::string& path) {
  auto content = std::make_shared<Content>(path);
  const std::uint64_t size = content->file.size();
  if (size < 8) damaged(path, message("is too short; ", size, " bytes"));
  std::array<unsigned char, 8> bytes;
  content->file.read_at(0, bytes.data(), bytes.size());
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > kMostHeader || length > size - 8) {
    damaged(path, message("declares a header of ", length, " bytes in a file of ", size));
  }
  std::string text(length, '\0');
  content->file.read_at(8, text.data(), text.size());
  internal::io::SafetensorsHeader header = internal::io::read_safetensors_header(path, text);
  for (const Entry& entry : header.entries) check_size(path, entry);
  content->entries = std::move(header.entries);
  content->metadata = std::move(header.metadata);
  std::stable_sort(content->entries.begin(), content->entries.end(),
                   [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  std::uint64_t end = 0;
  for (const Entry& entry : content->entries) {
    if (entry.begin != end) {
      damaged(path, message("'", entry.name, "' begins at ", entry.begin, ", where ", end,
                            " would be next"));
    }
    end = entry.end;
    content->places.emplace(entry.name, content->names.size());
    content->names.push_back(entry.name);
  }
  content->start = 8 + length;
  if (end != size - content->start) {
    damaged(path, message("holds ", size - content->start, " bytes of elements, and ", end,
                          " are declared"));
  }
  content_ = std::move(content);
}

const std::vector<std::string>& SafetensorsFile::files() const& { return content_->names; }
std::vector<std::string> SafetensorsFile::files() && { return std::as_const(*this).files(); }

bool SafetensorsFile::contains(const std::string& name) const {
  return content_->places.count(name) != 0;
}

ndarray SafetensorsFile::operator[](const std::string& name) const {
  const auto place = content_->places.find(name);
  const std::string& path = content_->file.path();
  if (place == content_->places.end()) {
    throw IndexError(message("SafetensorsFile: ", path, ": there is no array '", name, "'"));
  }
  const Entry& found = content_->entries[place->second];
  const TypeName* type = type_of(found);
  if (type == nullptr) {
    throw DtypeError(
        message("SafetensorsFile: ", path, ": '", name, "' has an unknown dtype; ", found.type));
  }
  const Device device = current_device();
  const DeviceScope host(Device::cpu());
  const ndarray a = empty(found.shape, dtype(type->code));
  content_->file.read_at(content_->start + found.begin, a.elements(),
                         static_cast<std::size_t>(a.nbytes()));
  if (a.dtype().is_bool()) {
    internal::io::to_truth_values(a.elements(), static_cast<std::size_t>(a.nbytes()));
  }
  return a.to(device);
}

std::map<std::string, std::string> SafetensorsFile::metadata() && {
  return std::as_const(*this).metadata();
}
const std::map<std::string, std::string>& SafetensorsFile::metadata() const& {
  return content_->metadata;
}

}  // namespace cupyxx
