// SPDX-License-Identifier: MIT
// Headers that programs for devices include by their path in the repository: embedded as text.
#pragma once

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// A header's path, "chainerxx/internal/kernels/row.h", and its text, which ends with a zero byte.
/// Both live for ever.
struct DeviceText {
  const char* name;
  const char* text;
  unsigned long size;
};

/// Has programs that include a path find this text, but for its `static constexpr const char*`
/// members: names and descriptions are for the host. Of two texts of one path the first stays;
/// those of cupyxx are there from the start.
CUPYXX_API void add_device_text(const DeviceText& text);

/// Adds the files of a cx_embed_text: `add_device_texts(texts::kFiles, texts::kFilesCount)`.
template <class EmbeddedFile>
void add_device_texts(const EmbeddedFile* files, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    add_device_text({files[i].name, files[i].text, files[i].size});
  }
}

}  // namespace cupyxx::extension
