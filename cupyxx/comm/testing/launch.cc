// SPDX-License-Identifier: MIT
#include "cupyxx/comm/testing/launch.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

extern char** environ;

namespace cupyxx::comm::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLimit = std::chrono::seconds(60);

/// Our environment without what would make the child a part of another world.
std::vector<std::string> clean_environment(std::vector<std::string> kept) {  // the first wins
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const bool is_ours = text.starts_with("CUPYXX_COMM_") || text.starts_with("OMPI_") ||
                         text.starts_with("PMIX_") || text.starts_with("GTEST_") ||
                         text.starts_with("XML_OUTPUT_FILE=") || text.starts_with("TEST_");
    if (!is_ours) kept.push_back(text);
  }
  kept.insert(kept.end(), {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                           "OMP_NUM_THREADS=1", "OMPI_MCA_btl_vader_single_copy_mechanism=none"});
  return kept;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size());
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

int start(std::vector<std::string> arguments, std::vector<std::string> environment, int output) {
  const std::vector<char*> argv = pointers(arguments), env = pointers(environment);
  const int child = ::fork();
  if (child < 0) throw std::runtime_error("launch: fork failed");
  if (child != 0) return child;
  ::setpgid(0, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  ::execvpe(argv[0], argv.data(), env.data());
  ::_exit(127);
}

/// Reads what they say until all have ended.
Launched collect(const std::vector<int>& children, int output, const LaunchOptions& options) {
  Launched result;
  const auto begin = Clock::now();
  if (options.meanwhile) options.meanwhile(children);
  for (bool is_open = true; is_open;) {
    pollfd one{output, POLLIN, 0};
    ::poll(&one, 1, 100);
    if (one.revents != 0) {
      char bytes[4096];
      const ssize_t got = ::read(output, bytes, sizeof bytes);
      if (got > 0) result.output.append(bytes, static_cast<std::size_t>(got));
      is_open = got > 0;
    }
    if (Clock::now() - begin > kLimit) {
      result.output += "\nlaunch: ended after a minute\n";
      for (const int child : children) ::kill(-child, SIGKILL);
      break;
    }
  }
  for (const int child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    result.statuses.push_back(status);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

std::string own_program() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  return {path, static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

}  // namespace

bool Launched::is_success() const {
  return std::all_of(statuses.begin(), statuses.end(), [](int status) { return status == 0; });
}

int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof place;
  auto* const address = reinterpret_cast<sockaddr*>(&place);
  const bool is_bound =
      ::bind(descriptor, address, length) == 0 && ::getsockname(descriptor, address, &length) == 0;
  ::close(descriptor);
  if (!is_bound) throw std::runtime_error("free_port: the loopback has none");
  return ntohs(place.sin_port);
}

Launched launch_by_mpirun(const LaunchOptions& options) {
  // Open MPI leaves 3,000 blocks behind, of modules without a name by then: leaks are looked for in
  // the processes that an address brings together.
  std::vector<std::string> variables = options.variables;
  variables.emplace_back("LSAN_OPTIONS=detect_leaks=0");
  const std::vector<std::string> environment = clean_environment(variables);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("launch: pipe failed");
  const int child =
      start({"mpirun", "--oversubscribe", "--bind-to", "none", "-n", std::to_string(options.count),
             own_program(), "--gtest_filter=" + options.filter},
            environment, ends[1]);
  ::close(ends[1]);
  Launched result = collect({child}, ends[0], options);
  ::close(ends[0]);
  return result;
}

Launched launch_by_address(const LaunchOptions& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("launch: pipe failed");
  const std::string port = std::to_string(free_port());
  std::vector<int> children;
  for (int rank = 0; rank < options.count; ++rank) {
    std::vector<std::string> environment = clean_environment(options.variables);
    environment.push_back("CUPYXX_COMM_ADDRESS=127.0.0.1:" + port);
    environment.push_back("CUPYXX_COMM_SIZE=" + std::to_string(options.count));
    environment.push_back("CUPYXX_COMM_RANK=" + std::to_string(rank));
    children.push_back(
        start({own_program(), "--gtest_filter=" + options.filter}, environment, ends[1]));
  }
  ::close(ends[1]);
  Launched result = collect(children, ends[0], options);
  ::close(ends[0]);
  return result;
}

}  // namespace cupyxx::comm::testing
