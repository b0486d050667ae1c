// SPDX-License-Identifier: MIT
#include "cupyxx/internal/diagnostics/call_site.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

namespace cupyxx::internal {
namespace {

struct Place {
  std::string object;          // the file of the program or library
  std::uintptr_t address = 0;  // in that file
  std::string function;        // where the loader knows it
};

Place place_of(void* frame) {
  Place place;
  Dl_info info;
  link_map* map = nullptr;
  // A return address is behind the call.
  void* const call = static_cast<char*>(frame) - 1;
  if (dladdr1(call, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return place;
  place.object = info.dli_fname != nullptr ? info.dli_fname : "";
  // The main program has no name in its map.
  if (map != nullptr && map->l_name != nullptr && *map->l_name == '\0') {
    place.object = "/proc/self/exe";
  }
  place.address = reinterpret_cast<std::uintptr_t>(call) - (map != nullptr ? map->l_addr : 0);
  if (info.dli_sname != nullptr) {
    int status = 0;
    char* name = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    place.function = status == 0 && name != nullptr ? name : info.dli_sname;
    std::free(name);
  }
  return place;
}

/// What addr2line says of addresses of one file.
std::string ask_addr2line(const std::string& object, const std::vector<std::uintptr_t>& addresses) {
  std::string file = object;
  if (file == "/proc/self/exe") {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return {};
    file.assign(path, static_cast<std::size_t>(length));
  }
  if (file.find('\'') != std::string::npos) return {};
  std::string command = "addr2line -Cafsi -e '" + file + "'";
  for (const std::uintptr_t address : addresses) {
    char text[32];
    std::snprintf(text, sizeof text, " 0x%zx", static_cast<std::size_t>(address));
    command += text;
  }
  command += " 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string answer;
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) answer.append(part, n);
  pclose(pipe);
  return answer;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// What calls of users pass through on their way here, and what called the user.
bool is_ours(std::string_view function) {
  return starts_with_any(
      function, {"cupyxx::", "chainerxx::", "gradcheck::", "typecheck::", "std::", "void cupyxx::",
                 "void chainerxx::", "auto cupyxx::", "decltype", "_start", "__libc_start"});
}

}  // namespace

CallSite CallSite::here() {
  CallSite site;
  void* frames[kDepth + 2];
  const int found = backtrace(frames, kDepth + 2);
  // Without this function and its caller.
  for (int i = 2; i < found; ++i) site.frames[site.count++] = frames[i];
  return site;
}

bool operator==(const CallSite& a, const CallSite& b) {
  return a.count == b.count && std::equal(a.frames, a.frames + a.count, b.frames);
}

std::uint64_t CallSite::hash() const {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (int i = 0; i < count; ++i) {
    value = (value ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 0x100000001b3u;
  }
  return value;
}

std::string Caller::str() const { return place.empty() ? function : function + " (" + place + ")"; }

std::vector<Caller> read_addr2line(std::string_view text) {
  std::vector<Caller> found;
  bool is_settled = false;  // of the present address
  while (!text.empty()) {
    const auto take = [&text] {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      return line;
    };
    const std::string_view line = take();
    if (line.starts_with("0x")) {
      found.emplace_back();
      is_settled = false;
      continue;
    }
    // Parts of one line have numbers of their own: "main.cc:8 (discriminator 4)".
    std::string_view place = take();
    place = place.substr(0, place.find(" (discriminator"));
    if (found.empty() || is_settled) continue;
    // A call of ours that was inlined into the user's function has our name.
    is_settled = !is_ours(line);
    found.back() = {.function = std::string(line.starts_with("??") ? "" : line),
                    .place = std::string(place.starts_with("??") ? "" : place)};
  }
  return found;
}

std::vector<Caller> callers(const CallSite& site) {
  std::vector<Place> places;
  std::map<std::string, std::vector<std::size_t>> by_object;
  for (int i = 0; i < site.count; ++i) {
    places.push_back(place_of(site.frames[i]));
    if (!places.back().object.empty()) by_object[places.back().object].push_back(places.size() - 1);
  }
  std::vector<Caller> found(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    const std::string object = place.object.substr(place.object.rfind('/') + 1);
    char address[32];
    std::snprintf(address, sizeof address, "+0x%zx", static_cast<std::size_t>(place.address));
    found[i].function =
        place.function.empty() ? (object == "exe" ? "program" : object) + address : place.function;
  }
  for (const auto& [object, indices] : by_object) {
    std::vector<std::uintptr_t> addresses;
    for (const std::size_t i : indices) addresses.push_back(places[i].address);
    const std::vector<Caller> answers = read_addr2line(ask_addr2line(object, addresses));
    for (std::size_t k = 0; k < answers.size() && k < indices.size(); ++k) {
      Caller& caller = found[indices[k]];
      if (!answers[k].function.empty()) caller.function = answers[k].function;
      if (!answers[k].place.empty()) caller.place = answers[k].place;
    }
  }
  for (Caller& caller : found) caller.is_ours = is_ours(caller.function);
  return found;
}

std::string user_line(const CallSite& site) {
  const std::vector<Caller> all = callers(site);
  for (const Caller& caller : all) {
    if (!caller.is_ours) return caller.str();
  }
  return all.empty() ? "" : all.front().str();
}

std::string describe(const CallSite& site) {
  const std::vector<Caller> all = callers(site);
  auto first =
      std::find_if(all.begin(), all.end(), [](const Caller& caller) { return !caller.is_ours; });
  if (first == all.end()) first = all.begin();
  std::string text;
  for (; first != all.end(); ++first) {
    text += (text.empty() ? "  " : "\n  ") + first->str();
  }
  return text;
}

}  // namespace cupyxx::internal
