// SPDX-License-Identifier: MIT
// IDX files, compressed or not.
#include "chainerxx/datasets/idx_file.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::datasets {
namespace {

void run(std::string_view bytes) {
  const std::string path = cupyxx::fuzz::write_file("a.idx", bytes);
  for (const int ndim : {1, 3}) {
    IdxFile file;
    if (!cupyxx::fuzz::attempt<cupyxx::IOError>([&] { file = read_idx(path, ndim); })) continue;
    std::int64_t size = 1;
    for (const std::int64_t extent : file.shape) size *= extent;
    if (file.shape.size() != static_cast<std::size_t>(ndim) ||
        file.bytes.size() != static_cast<std::size_t>(size)) {
      cupyxx::fuzz::fail("idx: the shape is not that of the bytes");
    }
  }
}

const cupyxx::fuzz::Target idx("idx", &run);

}  // namespace
}  // namespace chainerxx::datasets
