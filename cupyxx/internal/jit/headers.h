// SPDX-License-Identifier: MIT
// The device-safe headers of this repository, embedded as text: what programs include by name.
#pragma once

#include <string_view>
#include <vector>

#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {

/// A header's name, "cupyxx/half.h", and its text, which ends with a zero byte.
struct Header {
  const char* name;
  const char* text;
  unsigned long size;
};

/// Adds one header, without its `static constexpr const char*` members: names and descriptions are
/// for the host. The name must live for ever; of two headers of one name, the first stays.
void register_header(const Header& header);

/// Adds the files of a cx_embed_text: `register_headers(device_headers::kFiles,
/// device_headers::kFilesCount)`. Those of cupyxx are there from the start.
template <class EmbeddedFile>
void register_headers(const EmbeddedFile* files, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    register_header({files[i].name, files[i].text, files[i].size});
  }
}

/// The embedded headers that a text includes, directly or not.
struct IncludedHeaders {
  std::vector<const Header*> headers;
  Hash128 hash;  // of their names and texts
};
IncludedHeaders included_headers(std::string_view text);

}  // namespace cupyxx::internal::jit
