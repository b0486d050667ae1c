// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/safetensors_header.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "cupyxx/error.h"

namespace cupyxx::internal::io {
namespace {

using Json = nlohmann::json;

/// Takes the events of the parser. Objects and arrays that say nothing here are counted and passed.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  SafetensorsHeader take() { return std::move(header_); }

  // The parser's interface; false would end it.
  bool start_object(std::size_t) {
    if (depth_++ == 0) return true;
    if (depth_ == 2) {
      if (!in_metadata_) header_.entries.back().name = name_;
      return true;
    }
    return other("an object");
  }
  bool end_object() {
    if (--depth_ == 1) finish_entry();
    return true;
  }
  bool start_array(std::size_t) {
    if (depth_++ == 0) no_object();
    if (depth_ == 2) not_described();
    if (depth_ == 3 && list_ != nullptr) {
      list_->clear();
      (list_ == &shape_ ? has_shape_ : has_offsets_) = true;
      return true;
    }
    return other("a list");
  }
  bool end_array() {
    if (--depth_ == 2) list_ = nullptr;
    return true;
  }
  bool key(std::string& text) {
    if (depth_ == 1) {
      start_entry(text);
    } else if (depth_ == 2) {
      key_ = text;
      list_ = in_metadata_             ? nullptr
              : text == "shape"        ? &shape_
              : text == "data_offsets" ? &offsets_
                                       : nullptr;
    }
    return true;
  }
  bool string(std::string& text) {
    if (depth_ == 0) no_object();
    if (depth_ == 1) not_described();
    if (depth_ == 2 && in_metadata_) {
      header_.metadata[key_] = text;
      return true;
    }
    if (depth_ == 2 && key_ == "dtype") {
      header_.entries.back().type = text;
      has_type_ = true;
      return true;
    }
    return other('"' + text + '"');
  }
  bool number_unsigned(std::uint64_t value) {
    if (depth_ != 3 || list_ == nullptr) return other(std::to_string(value));
    if (list_->size() >= (list_ == &shape_ ? std::size_t{kMaxNdim} : 2)) not_described();
    list_->push_back(value);
    return true;
  }
  bool number_integer(std::int64_t value) { return other(std::to_string(value)); }
  bool number_float(double, const std::string& text) { return other(text); }
  bool null() { return other("null"); }
  bool boolean(bool value) { return other(value ? "true" : "false"); }
  bool binary(Json::binary_t&) { return other("bytes"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    no_object();
  }

 private:
  using Numbers = std::vector<std::uint64_t>;

  [[noreturn]] void fail(const std::string& what) const {
    throw IOError(message("SafetensorsFile: ", path_, ": ", what));
  }
  [[noreturn]] void no_object() const { fail("the header is no JSON object"); }
  [[noreturn]] void not_described() const {
    if (in_metadata_) fail("__metadata__ holds no texts by name");
    fail(message("'", name_, "' is not described by dtype, shape and data_offsets"));
  }

  /// A value that is none of those that are looked for: an error where it stands for one.
  bool other(const std::string& text) const {
    if (depth_ == 0) no_object();
    if (depth_ == 1) not_described();
    if (in_metadata_) fail("__metadata__ holds something else than a text");
    if (depth_ >= 3 && list_ != nullptr) {
      fail(message("'", name_, "' holds something else than a size; ", text));
    }
    if (depth_ == 2 && (key_ == "dtype" || list_ != nullptr)) not_described();
    return true;
  }

  void start_entry(const std::string& name) {
    name_ = name;
    in_metadata_ = name == kSafetensorsMetadata;
    has_type_ = has_shape_ = has_offsets_ = false;
    list_ = nullptr;
    key_.clear();
    if (!names_.insert(name).second) fail(message("'", name, "' is described twice"));
    if (!in_metadata_) header_.entries.emplace_back();
  }

  void finish_entry() {
    if (in_metadata_) return;
    if (!has_type_ || !has_shape_ || !has_offsets_ || offsets_.size() != 2) not_described();
    SafetensorsEntry& entry = header_.entries.back();
    for (const std::uint64_t extent : shape_) {
      if (extent > INT64_MAX) fail(message("'", name_, "' has an impossible shape"));
      entry.shape.push_back(static_cast<std::int64_t>(extent));
    }
    entry.begin = offsets_[0];
    entry.end = offsets_[1];
  }

  const std::string& path_;
  SafetensorsHeader header_;
  std::unordered_set<std::string> names_;
  std::uint64_t depth_ = 0;  // of objects and lists around the next value
  std::string name_, key_;   // at depth 1 and 2
  bool in_metadata_ = false;
  bool has_type_ = false, has_shape_ = false, has_offsets_ = false;
  Numbers shape_, offsets_;
  Numbers* list_ = nullptr;  // the one of them that the current key names
};

}  // namespace

SafetensorsHeader read_safetensors_header(const std::string& path, std::string_view text) {
  HeaderReader reader(path);
  Json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

std::string json_quoted(const char* operation, const std::string& text) {
  try {
    return Json(text).dump();
  } catch (const Json::exception&) {
    throw ValueError(message(operation, ": this text is not UTF-8; '", text, "'"));
  }
}

}  // namespace cupyxx::internal::io
