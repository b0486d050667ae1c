// SPDX-License-Identifier: MIT
// Who called: addresses taken cheaply, names found when somebody wants to read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cupyxx::internal {

/// The return addresses of the callers.
struct CallSite {
  static constexpr int kDepth = 24;
  void* frames[kDepth] = {};
  int count = 0;

  /// The callers of the caller.
  static CallSite here();
  friend bool operator==(const CallSite& a, const CallSite& b);
  std::uint64_t hash() const;
};

/// One caller with its name: "main (main.cc:12)"; the file only where the program has debugging
/// information, the address in the program where not even the function is known.
struct Caller {
  std::string function;
  std::string place;
  bool is_ours = false;  // of these libraries or the language's

  std::string str() const;
};

/// The callers of addresses from the words of `addr2line -Cafsi`: a line for the address, and two,
/// function and place, for what stands there and for each function that it was inlined into. The
/// first that is not ours is taken; what is not known is empty.
std::vector<Caller> read_addr2line(std::string_view text);

/// The callers, the latest first. Asks addr2line where it is installed, which takes a moment.
std::vector<Caller> callers(const CallSite& site);
/// The line of the user's program: the first caller that is not ours; all of them when none is.
std::string user_line(const CallSite& site);
/// All callers from the first that is not ours on, one per line.
std::string describe(const CallSite& site);

}  // namespace cupyxx::internal
