// SPDX-License-Identifier: MIT
#include "cupyxx/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/io/atomic_file.h"
#include "cupyxx/internal/io/byte_source.h"

namespace cupyxx {
namespace {

using internal::io::File;
using Json = nlohmann::ordered_json;

// As the format's own reader has it; more would be an attack.
constexpr std::uint64_t kMostHeader = 100'000'000;
constexpr const char* kMetadata = "__metadata__";

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
  throw DtypeError("save_safetensors: '" + array + "' has a dtype without a name in the format; " +
                   std::string(type.name()));
}

/// One array in a file.
struct Entry {
  std::string name;
  std::string type;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // behind the header
};

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw IOError("SafetensorsFile: " + path + ": " + what);
}

/// A number of the header that counts something.
std::uint64_t counted(const std::string& path, const std::string& name, const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  damaged(path, "'" + name + "' holds something else than a size; " + value.dump());
}

Entry entry_of(const std::string& path, const std::string& name, const Json& value) {
  const bool is_sound = value.is_object() && value.contains("dtype") &&
                        value["dtype"].is_string() && value.contains("shape") &&
                        value["shape"].is_array() && value["shape"].size() <= kMaxNdim &&
                        value.contains("data_offsets") && value["data_offsets"].is_array() &&
                        value["data_offsets"].size() == 2;
  if (!is_sound) damaged(path, "'" + name + "' is not described by dtype, shape and data_offsets");
  Entry entry;
  entry.name = name;
  entry.type = value["dtype"];
  for (const Json& extent : value["shape"]) {
    const std::uint64_t count = counted(path, name, extent);
    if (count > INT64_MAX) damaged(path, "'" + name + "' has an impossible shape");
    entry.shape.push_back(static_cast<std::int64_t>(count));
  }
  entry.begin = counted(path, name, value["data_offsets"][0]);
  entry.end = counted(path, name, value["data_offsets"][1]);
  return entry;
}

/// The dtype of an entry, or the null one.
const TypeName* type_of(const Entry& entry) {
  for (const TypeName& type : kTypes) {
    if (entry.type == type.name) return &type;
  }
  return nullptr;
}

void check_size(const std::string& path, const Entry& entry) {
  if (entry.begin > entry.end) damaged(path, "'" + entry.name + "' ends before it begins");
  const TypeName* type = type_of(entry);
  if (type == nullptr) return;
  std::int64_t count = 0;
  try {
    count = entry.shape.element_count();
  } catch (const ValueError&) {
    damaged(path, "'" + entry.name + "' has an impossible shape; " + entry.shape.str());
  }
  const auto itemsize = static_cast<std::uint64_t>(dtype(type->code).itemsize());
  const std::uint64_t bytes = entry.end - entry.begin;
  if (bytes % itemsize != 0 || bytes / itemsize != static_cast<std::uint64_t>(count)) {
    damaged(path, "'" + entry.name + "' has " + std::to_string(bytes) + " bytes for shape " +
                      entry.shape.str() + " of " + entry.type);
  }
}

}  // namespace

void save_safetensors(const std::string& path, const NamedArrays& arrays,
                      const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  std::uint64_t offset = 0;
  std::vector<ndarray> parts;
  // Larger elements first, so that every array is aligned.
  std::vector<const NamedArrays::value_type*> order;
  for (const auto& named : arrays) {
    if (named.second.is_none()) {
      throw TypeError("save_safetensors: the array is None; '" + named.first + "'");
    }
    order.push_back(&named);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.itemsize() > b->second.itemsize();
  });
  for (const auto* named : order) {
    const auto& [name, array] = *named;
    if (name == kMetadata || header.contains(name)) {
      throw ValueError("save_safetensors: this name is taken; '" + name + "'");
    }
    const ndarray host = array.to_cpu();
    parts.push_back(host.flags().c_contiguous ? host : host.copy());
    const std::uint64_t end = offset + static_cast<std::uint64_t>(array.nbytes());
    Json shape = Json::array();
    for (const std::int64_t extent : array.shape()) shape.push_back(extent);
    header[name] = {{"dtype", name_of(name, array.dtype())},
                    {"shape", std::move(shape)},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
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
  std::map<std::string, std::string> metadata{};
};

SafetensorsFile::SafetensorsFile(const std::string& path) {
  auto content = std::make_shared<Content>(path);
  const std::uint64_t size = content->file.size();
  if (size < 8) damaged(path, "is too short; " + std::to_string(size) + " bytes");
  std::array<unsigned char, 8> bytes;
  content->file.read_at(0, bytes.data(), bytes.size());
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > kMostHeader || length > size - 8) {
    damaged(path, "declares a header of " + std::to_string(length) + " bytes in a file of " +
                      std::to_string(size));
  }
  std::string text(length, '\0');
  content->file.read_at(8, text.data(), text.size());
  const Json header = Json::parse(text, nullptr, false);
  if (!header.is_object()) damaged(path, "the header is no JSON object");

  for (const auto& [name, value] : header.items()) {
    if (name != kMetadata) {
      content->entries.push_back(entry_of(path, name, value));
      check_size(path, content->entries.back());
      continue;
    }
    if (!value.is_object()) damaged(path, "__metadata__ holds no texts by name");
    for (const auto& [key, item] : value.items()) {
      if (!item.is_string()) damaged(path, "__metadata__ holds something else than a text");
      content->metadata[key] = item;
    }
  }
  std::stable_sort(content->entries.begin(), content->entries.end(),
                   [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  std::uint64_t end = 0;
  for (const Entry& entry : content->entries) {
    if (entry.begin != end) {
      damaged(path, "'" + entry.name + "' begins at " + std::to_string(entry.begin) + ", where " +
                        std::to_string(end) + " would be next");
    }
    end = entry.end;
    content->names.push_back(entry.name);
  }
  content->start = 8 + length;
  if (end != size - content->start) {
    damaged(path, "holds " + std::to_string(size - content->start) + " bytes of elements, and " +
                      std::to_string(end) + " are declared");
  }
  content_ = std::move(content);
}

const std::vector<std::string>& SafetensorsFile::files() const { return content_->names; }

bool SafetensorsFile::contains(const std::string& name) const {
  const auto& names = content_->names;
  return std::find(names.begin(), names.end(), name) != names.end();
}

ndarray SafetensorsFile::operator[](const std::string& name) const {
  const auto found = std::find_if(content_->entries.begin(), content_->entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  const std::string& path = content_->file.path();
  if (found == content_->entries.end()) {
    throw IndexError("SafetensorsFile: " + path + ": there is no array '" + name + "'");
  }
  const TypeName* type = type_of(*found);
  if (type == nullptr) {
    throw DtypeError("SafetensorsFile: " + path + ": '" + name + "' has an unknown dtype; " +
                     found->type);
  }
  const Device device = current_device();
  const DeviceScope host(Device::cpu());
  const ndarray a = empty(found->shape, dtype(type->code));
  content_->file.read_at(content_->start + found->begin, a.elements(),
                         static_cast<std::size_t>(a.nbytes()));
  return a.to(device);
}

const std::map<std::string, std::string>& SafetensorsFile::metadata() const {
  return content_->metadata;
}

}  // namespace cupyxx
