// SPDX-License-Identifier: MIT
#include "cupyxx/extension/whole_file.h"

#include "cupyxx/internal/io/atomic_file.h"

namespace cupyxx::extension {

void write_whole_file(const std::string& operation, const std::string& path,
                      std::string_view bytes) {
  internal::io::AtomicFile file(operation, path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace cupyxx::extension
