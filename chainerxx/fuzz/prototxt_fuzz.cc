// SPDX-License-Identifier: MIT
// Caffe's text files.
#include "chainerxx/fuzz/caffe.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::fuzz {
namespace {

const cupyxx::fuzz::Target prototxt("prototxt", [](std::string_view bytes) {
  read_network("a.prototxt", bytes);
});

}  // namespace
}  // namespace chainerxx::fuzz
