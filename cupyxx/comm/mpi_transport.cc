// SPDX-License-Identifier: MIT
#include "cupyxx/comm/mpi_transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {
namespace {

using Clock = std::chrono::steady_clock;

// Slots of context 0: how a rank says that it has failed, with a text, and that it has ended.
constexpr std::uint32_t kFailed = 1;
constexpr std::uint32_t kEnded = 2;
constexpr std::size_t kNewsBytes = 512;
constexpr std::size_t kLongest = std::size_t{1} << 30;  // bytes of one message of MPI

// One thread is in the library at a time: MPI_THREAD_SERIALIZED is all that we ask for.
std::mutex& mpi_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

}  // namespace

MpiTransport::MpiTransport(MpiLibrary& mpi, int rank, int size, double timeout, bool is_ours)
    : Transport(rank, size, timeout),
      mpi_(mpi),
      is_ours_(is_ours),
      largest_tag_(32767),
      ended_(static_cast<std::size_t>(size)) {
  int* bound = nullptr;
  int has_bound = 0;
  mpi_.get_attribute(mpi_.world, MpiLibrary::kTagUpperBound, &bound, &has_bound);
  if (has_bound != 0 && bound != nullptr) largest_tag_ = *bound;
}

MpiTransport* MpiTransport::start(double timeout) {
  MpiLibrary& mpi = MpiLibrary::get();
  int is_running = 0, provided = 0;
  mpi.initialized(&is_running);
  const int code =
      is_running != 0 ? mpi.query_thread(&provided)
                      : mpi.init_thread(nullptr, nullptr, MpiLibrary::kThreadSerialized, &provided);
  if (code != MpiLibrary::kSuccess) {
    throw Error(message("Communicator: MPI_Init_thread failed; code ", code));
  }
  if (provided < MpiLibrary::kThreadSerialized) {
    throw Error(
        message("Communicator: MPI was started without MPI_THREAD_SERIALIZED; level ", provided));
  }
  mpi.set_errhandler(mpi.world, mpi.errors_return);
  int rank = 0, size = 1;
  mpi.comm_rank(mpi.world, &rank);
  mpi.comm_size(mpi.world, &size);
  return new MpiTransport(mpi, rank, size, timeout, is_running == 0);
}

void MpiTransport::check(const CallNote& note, const char* function, int code) const {
  if (code == MpiLibrary::kSuccess) return;
  char text[512] = "";
  int length = 0;
  mpi_.error_string(code, text, &length);
  throw Error(message(note.str(), ": ", function, " failed; ", std::string_view(text)));
}

int MpiTransport::tag_of(const CallNote& note, Channel channel) const {
  const std::uint64_t number = channel.number();
  if (number <= static_cast<std::uint64_t>(largest_tag_)) return static_cast<int>(number);
  throw Error(
      message(note.str(), ": MPI has no tags for more communicators; number ", channel.context));
}

void MpiTransport::post(const CallNote& note, int tag, const Outgoing& send,
                        std::vector<Pending>& pending) {
  const auto* data = static_cast<const std::byte*>(send.data);
  for (std::size_t left = send.nbytes;;) {
    const std::size_t part = std::min(left, kLongest);
    MpiRequest request = nullptr;
    check(
        note, "MPI_Isend",
        mpi_.isend(data, static_cast<int>(part), mpi_.byte, send.peer, tag, mpi_.world, &request));
    pending.push_back({request, send.peer, false});
    data += part;
    left -= part;
    if (left == 0) return;
  }
}

void MpiTransport::post(const CallNote& note, int tag, const Incoming& receive,
                        std::vector<Pending>& pending) {
  auto* data = static_cast<std::byte*>(receive.data);
  for (std::size_t left = receive.nbytes;;) {
    const std::size_t part = std::min(left, kLongest);
    MpiRequest request = nullptr;
    check(note, "MPI_Irecv",
          mpi_.irecv(data, static_cast<int>(part), mpi_.byte, receive.peer, tag, mpi_.world,
                     &request));
    pending.push_back({request, receive.peer, true, part});
    data += part;
    left -= part;
    if (left == 0) return;
  }
}

void MpiTransport::progress(const CallNote& note, std::vector<Pending>& pending) {
  for (Pending& one : pending) {
    int is_done = 0;
    MpiStatus status{};
    check(note, "MPI_Test", mpi_.test(&one.request, &is_done, &status));
    if (is_done == 0) continue;
    one.request = mpi_.no_request;
    if (one.is_receive && status.count != one.nbytes) {
      throw Error(message(note.str(), ": rank ", one.peer, " of the world sent ", status.count,
                          " bytes, ", one.nbytes, " are waited for"));
    }
  }
  std::erase_if(pending, [&](const Pending& one) { return one.request == mpi_.no_request; });
}

bool MpiTransport::give_up(std::vector<Pending>& pending, bool& is_in_use) noexcept {
  const std::lock_guard lock(mpi_mutex());
  bool has_all = true;
  for (Pending& one : pending) {
    if (one.is_receive && one.request != mpi_.no_request) mpi_.cancel(&one.request);
  }
  // What is being received can not be cancelled, and comes to an end while its sender lives.
  const auto until = Clock::now() + std::chrono::seconds(1);
  for (Pending& one : pending) {
    while (one.request != mpi_.no_request) {
      int is_done = 0;
      MpiStatus status{};
      if (mpi_.test(&one.request, &is_done, &status) != MpiLibrary::kSuccess || is_done != 0) {
        has_all = has_all && is_done != 0 && status.cancelled == 0 &&
                  (!one.is_receive || status.count == one.nbytes);
        one.request = mpi_.no_request;
      } else if (!one.is_receive || Clock::now() > until) {
        mpi_.request_free(&one.request);
        one.request = mpi_.no_request;
        is_in_use = true;
      }
    }
  }
  return has_all && !is_in_use;
}

/// Waits by asking: so a rank that has failed, or does not come, is an error and no hang.
void MpiTransport::wait(const CallNote& note, std::vector<Pending>& pending, bool& is_late) {
  const auto begin = Clock::now();
  auto next_look = begin + std::chrono::milliseconds(2);
  bool was_told = false;
  for (int turn = 0;; ++turn) {
    {
      const std::lock_guard lock(mpi_mutex());
      progress(note, pending);
      if (pending.empty()) return;
      const auto now = Clock::now();
      if (now >= next_look) {
        next_look = now + std::chrono::milliseconds(2);
        const int peer = pending.front().peer;
        // What an ended rank has sent before may still be on its way: one more round.
        const bool is_over = pending.front().is_receive && ended_[static_cast<std::size_t>(peer)];
        if (is_over && was_told) throw_ended(note, peer);
        was_told = is_over;
        look_for_news();
        failure().check(note);
        is_late = std::chrono::duration<double>(now - begin).count() > timeout();
        if (is_late) throw_timeout(note, peer);
      }
    }
    if (turn < 200) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(turn < 2000 ? 20 : 200));
    }
  }
}

void MpiTransport::exchange(const CallNote& note, Channel channel, std::span<const Outgoing> sends,
                            std::span<const Incoming> receives) {
  const int tag = tag_of(note, channel);
  std::vector<Pending> pending;
  {
    const std::lock_guard lock(mpi_mutex());
    // What a rank that has failed was sending may be memory that it has given back.
    if (!receives.empty()) look_for_news();
    failure().check(note);
    for (const Incoming& receive : receives) post(note, tag, receive, pending);
    for (const Outgoing& send : sends) post(note, tag, send, pending);
  }
  bool is_late = false;
  try {
    wait(note, pending, is_late);
    if (receives.empty()) return;
    const std::lock_guard lock(mpi_mutex());
    look_for_news();
    failure().check(note);
  } catch (const std::exception& error) {
    // The memory belongs to the caller again.
    bool is_in_use = false;
    const bool has_all = give_up(pending, is_in_use);
    if (is_in_use) fail(error.what());
    if (!is_late || !has_all) throw;  // else it came after all, and is not waited for again
  }
}

void MpiTransport::look_for_news() {
  for (const std::uint32_t slot : {kFailed, kEnded}) {
    const int tag = static_cast<int>(Channel{0, slot}.number());
    for (;;) {
      int is_there = 0;
      MpiStatus status{};
      if (mpi_.iprobe(MpiLibrary::kAnySource, tag, mpi_.world, &is_there, &status) != 0 ||
          is_there == 0) {
        break;
      }
      char text[kNewsBytes] = "";
      MpiRequest request = nullptr;
      mpi_.irecv(text, kNewsBytes, mpi_.byte, status.source, tag, mpi_.world, &request);
      for (int is_done = 0; is_done == 0;) mpi_.test(&request, &is_done, &status);
      text[kNewsBytes - 1] = '\0';
      if (slot == kFailed) {
        failure().note(status.source, text);
      } else {
        ended_[static_cast<std::size_t>(status.source)] = true;
      }
    }
  }
}

void MpiTransport::tell_all(std::uint32_t slot, const std::string& text) noexcept {
  // For ever: the messages may still be on their way when this returns.
  auto* const memory = new (std::nothrow) std::array<char, kNewsBytes>();
  if (memory == nullptr) return;
  std::array<char, kNewsBytes>& bytes = *memory;
  std::memcpy(bytes.data(), text.data(), std::min(text.size(), kNewsBytes - 1));
  const std::lock_guard lock(mpi_mutex());
  int is_over = 0;
  mpi_.finalized(&is_over);
  if (is_over != 0) return;
  const int tag = static_cast<int>(Channel{0, slot}.number());
  for (int peer = 0; peer < size(); ++peer) {
    if (peer == rank()) continue;
    MpiRequest request = nullptr;
    if (mpi_.isend(bytes.data(), kNewsBytes, mpi_.byte, peer, tag, mpi_.world, &request) == 0) {
      int is_done = 0;
      MpiStatus status{};
      mpi_.test(&request, &is_done, &status);
      if (is_done == 0) mpi_.request_free(&request);
    }
  }
}

void MpiTransport::fail(const std::string& why) noexcept {
  if (failure().is_noted()) return;
  failure().note(rank(), why);
  tell_all(kFailed, why);
}

/// MPI_Finalize waits for all ranks, deaf to what befalls them, and mpirun 4.1 may hang when ranks
/// are ended while one is in there: so nobody enters before all are done.
void MpiTransport::wait_for_all_to_end() noexcept {
  ended_[static_cast<std::size_t>(rank())] = true;
  for (;;) {
    {
      const std::lock_guard lock(mpi_mutex());
      look_for_news();
    }
    if (failure().is_noted()) return;
    if (std::find(ended_.begin(), ended_.end(), false) == ended_.end()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void MpiTransport::leave() noexcept {
  if (!is_ours_) return;
  if (failure().is_noted()) {
    abort();
    return;
  }
  tell_all(kEnded, "");
  wait_for_all_to_end();
  if (failure().is_noted()) {
    abort();
    return;
  }
  const std::lock_guard lock(mpi_mutex());
  int is_over = 0;
  mpi_.finalized(&is_over);
  if (is_over == 0) mpi_.finalize();
}

void MpiTransport::abort() noexcept {
  const std::lock_guard lock(mpi_mutex());
  // mpirun may end before it has passed on what this rank wrote last: it gets a moment.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  mpi_.abort(mpi_.world, 1);
}

}  // namespace cupyxx::comm::internal
