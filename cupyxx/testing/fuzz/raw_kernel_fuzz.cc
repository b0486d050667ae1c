// SPDX-License-Identifier: MIT
// Parameters of raw kernels, from sources and from mangled names. The first line of an input is a
// name, what follows is a source.
#include "cupyxx/kernel.h"
#include "cupyxx/kernel/raw_kernel/signature.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

namespace raw = internal::raw_kernel;

void run(std::string_view bytes) {
  Input input(bytes);
  const std::string name(input.until('\n')), source(input.rest());
  attempt([&] {
    for (const auto& parameters :
         {raw::parse_source(source, name), raw::parse_mangled(name),
          raw::find_signature(source, name, name), raw::find_signature(source, "f", name)}) {
      if (parameters) raw::describe(*parameters);
    }
  });
  attempt([&] {
    const RawKernel kernel(source, name);
    if (kernel.name() != name) fail("raw_kernel: the name is another one");
  });
  attempt([&] { RawModule(source, {.name_expressions = {name}}).get_function(name); });
}

const Target raw_kernel("raw_kernel", &run);

}  // namespace
}  // namespace cupyxx::fuzz
