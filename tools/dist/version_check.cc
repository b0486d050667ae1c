// SPDX-License-Identifier: MIT
// A program and the shared library that it finds must fit. Compiled twice for each library, which
// CUPYXX_LIBRARY names, and its version, MAJOR, MINOR and PATCH:
//
//   in the library (IN_LIBRARY)   LIBRARY_require_version(), which says what it is and ends the
//   program beside it, libLIBRARY_check.o a call of that, linked into whatever is linked with the
//   library
//
// By semantic versioning a later library does, unless the first number differs, or, before 1.0.0,
// the second.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define REQUIRE JOIN(CUPYXX_LIBRARY, _require_version)

extern "C" __attribute__((visibility("default"))) void REQUIRE(int major, int minor, int patch,
                                                               const void* caller);

#ifdef IN_LIBRARY

namespace {

const char* file_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "?";
}

}  // namespace

void REQUIRE(int major, int minor, int patch, const void* caller) {
  const bool fits = major == MAJOR && (major > 0 || minor == MINOR) &&
                    (minor < MINOR || (minor == MINOR && patch <= PATCH));
  if (fits) return;
  constexpr const char* kName = TEXT(CUPYXX_LIBRARY);
  const void* const here = reinterpret_cast<const void*>(&REQUIRE);
  std::fprintf(
      stderr,
      "%s: %s was linked with version %d.%d.%d, but finds version %d.%d.%d, %s; install %s "
      "%d.%d.%d, or compile and link again with what is installed\n",
      kName, file_of(caller), major, minor, patch, MAJOR, MINOR, PATCH, file_of(here), kName, major,
      minor, patch);
  _exit(1);
}

#else

namespace {

// The first of what this object's file does; its functions are looked up when they are called, so
// that one that is missing in the other library is not complained of before.
__attribute__((constructor(101))) void check() {
  REQUIRE(MAJOR, MINOR, PATCH, reinterpret_cast<const void*>(&check));
}

}  // namespace

#endif
