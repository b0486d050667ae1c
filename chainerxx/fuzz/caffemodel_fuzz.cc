// SPDX-License-Identifier: MIT
// Caffe's binary files.
#include "chainerxx/fuzz/caffe.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::fuzz {
namespace {

const cupyxx::fuzz::Target caffemodel("caffemodel", [](std::string_view bytes) {
  read_network("a.caffemodel", bytes);
});

}  // namespace
}  // namespace chainerxx::fuzz
