// SPDX-License-Identifier: MIT
// Runs a kernel's text on the host, for tests: each thread of a block is a coroutine that gives way
// where threads wait for each other; blocks run one after the other, in any order that is asked
// for.
#pragma once

// Sanitizers follow stacks through the C library's functions.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CUPYXX_EMULATED_UCONTEXT
#include <ucontext.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace emulated {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

inline Index thread_index, block_index, block_size, grid_size;

/// A way through the program with a stack of its own.
class Coroutine {
 public:
  /// Has it begin with `function` when it is next gone to; it must not return.
  void start(void (*function)()) {
    if (!stack_) stack_.reset(new char[kStack]);
#if defined(__SANITIZE_THREAD__)
    fiber_.reset();
    fiber_.reset(__tsan_create_fiber(0));
#endif
#ifdef CUPYXX_EMULATED_UCONTEXT
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = kStack;
    makecontext(&context_, function, 0);
#else
    // As switch_stacks leaves a stack: six registers, where to go on; above it what looks like the
    // address that `function` returns to.
    const auto end = reinterpret_cast<std::uintptr_t>(stack_.get() + kStack) & ~std::uintptr_t{15};
    void** top = reinterpret_cast<void**>(end) - 8;
    std::memset(top, 0, 8 * sizeof *top);
    top[6] = reinterpret_cast<void*>(function);
    top_ = top;
#endif
  }
  /// Leaves this one for another; returns when somebody goes to this one again.
  void go_to(Coroutine& other) {
#if defined(__SANITIZE_THREAD__)
    // It keeps the calls of each way by themselves; who was not started is the thread's own.
    static void* const own = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(other.fiber_ ? other.fiber_.get() : own, 0);
#endif
#ifdef CUPYXX_EMULATED_UCONTEXT
    swapcontext(&context_, &other.context_);
#else
    switch_stacks(&top_, other.top_);
#endif
  }

 private:
  static constexpr std::size_t kStack = 64 * 1024;
  std::unique_ptr<char[]> stack_;
#if defined(__SANITIZE_THREAD__)
  struct DestroyFiber {
    void operator()(void* fiber) const { __tsan_destroy_fiber(fiber); }
  };
  std::unique_ptr<void, DestroyFiber> fiber_;
#endif
#ifdef CUPYXX_EMULATED_UCONTEXT
  ucontext_t context_;
#else
  // Pushes what a called function must keep and takes the other stack: nine tenths of the time of
  // swapcontext, and of such a test, are its two system calls.
  [[gnu::naked, gnu::noinline]] static void switch_stacks(void** /*from*/, void* /*to*/) {
    asm("push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
        "mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
        "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret");
  }
  void* top_ = nullptr;
#endif
};

/// The threads of one block.
class Block {
 public:
  template <class Kernel>
  void run(const Kernel& kernel) {
    const unsigned count = block_size.x * block_size.y;
    current() = this;
    body_ = [](void* context) { (*static_cast<const Kernel*>(context))(); };
    context_ = const_cast<void*>(static_cast<const void*>(&kernel));
    threads_.resize(count);
    warps_ = std::vector<Barrier>((count + 31) / 32);
    for (auto& buffer : exchange_) buffer.assign(count, 0);
    block_barrier_ = {};
    for (Thread& thread : threads_) {
      thread.done = false;
      thread.way.start(&Block::enter);
    }
    for (unsigned left = count; left > 0;) {
      left = 0;
      for (now_ = 0; now_ < count; ++now_) {
        if (threads_[now_].done) continue;
        ++left;
        thread_index = {now_ % block_size.x, now_ / block_size.x, 0};
        scheduler_.go_to(threads_[now_].way);
      }
    }
  }

  void wait_for_block() { wait(block_barrier_, static_cast<unsigned>(threads_.size())); }

  unsigned shuffle_down(unsigned value, unsigned delta, unsigned width) {
    const std::vector<unsigned long>& values = exchange(value);
    const unsigned lane = now_ % 32;
    return static_cast<unsigned>(values[lane % width + delta < width ? now_ + delta : now_]);
  }

  unsigned long shuffle_up(unsigned long value, unsigned delta) {
    const std::vector<unsigned long>& values = exchange(value);
    return values[now_ % 32 >= delta ? now_ - delta : now_];
  }

  /// The value of one lane of the warp.
  unsigned long shuffle(unsigned long value, unsigned lane) {
    const std::vector<unsigned long>& values = exchange(value);
    return values[now_ / 32 * 32 + lane];
  }

  unsigned long shuffle_xor(unsigned long value, unsigned mask) {
    const std::vector<unsigned long>& values = exchange(value);
    return values[now_ ^ mask];
  }

  /// A bit for each lane of the warp that gave the same value.
  unsigned match(unsigned long value) {
    const std::vector<unsigned long>& values = exchange(value);
    unsigned same = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (values[now_ / 32 * 32 + lane] == value) same |= 1u << lane;
    }
    return same;
  }

  /// What each lane of the warp gave.
  const unsigned long* gather(unsigned long value) { return &exchange(value)[now_ / 32 * 32]; }

  static Block*& current() {
    static Block* block = nullptr;
    return block;
  }

 private:
  struct Thread {
    Coroutine way;
    bool done = false;
  };
  struct Barrier {
    unsigned arrived = 0;
    unsigned generation = 0;
  };

  static void enter() {
    Block& block = *current();
    block.body_(block.context_);
    Thread& thread = block.threads_[block.now_];
    thread.done = true;
    thread.way.go_to(block.scheduler_);
  }
  /// What every thread of the warp gave.
  const std::vector<unsigned long>& exchange(unsigned long value) {
    Barrier& warp = warps_[now_ / 32];
    // Two buffers in turn: no lane is more than one exchange ahead of another.
    std::vector<unsigned long>& values = exchange_[warp.generation % 2];
    values[now_] = value;
    wait(warp, 32);
    return values;
  }
  void wait(Barrier& barrier, unsigned count) {
    const unsigned generation = barrier.generation;
    if (++barrier.arrived == count) {
      barrier.arrived = 0;
      ++barrier.generation;
    }
    while (barrier.generation == generation) {
      const unsigned me = now_;
      threads_[me].way.go_to(scheduler_);
    }
  }

  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  unsigned now_ = 0;
  Coroutine scheduler_;
  std::vector<Thread> threads_;
  std::vector<Barrier> warps_;
  std::vector<unsigned long> exchange_[2];
  Barrier block_barrier_;
};

/// Runs all blocks; `backwards` lets the last one come first.
template <class Kernel>
void launch(Index grid, Index block, bool backwards, const Kernel& kernel) {
  grid_size = grid;
  block_size = block;
  const unsigned count = grid.x * grid.y;
  Block threads;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned number = backwards ? count - 1 - i : i;
    block_index = {number % grid.x, number / grid.x, 0};
    threads.run(kernel);
  }
}

}  // namespace emulated

// CUDA's own names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

#define __global__
#define __grid_constant__
#define __launch_bounds__(threads)
#define __device__
#define __forceinline__ inline
#define __shared__ static
#define threadIdx (::emulated::thread_index)
#define blockIdx (::emulated::block_index)
#define blockDim (::emulated::block_size)
#define gridDim (::emulated::grid_size)

inline void __syncthreads() { ::emulated::Block::current()->wait_for_block(); }
inline void __threadfence() {}
inline void __nanosleep(unsigned) {}
inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned delta, unsigned width) {
  return ::emulated::Block::current()->shuffle_down(value, delta, width);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned delta) {
  unsigned long bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = ::emulated::Block::current()->shuffle_up(bits, delta);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T __shfl_sync(unsigned, T value, unsigned lane) {
  unsigned long bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = ::emulated::Block::current()->shuffle(bits, lane);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned mask) {
  unsigned long bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = ::emulated::Block::current()->shuffle_xor(bits, mask);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline bool __all_sync(unsigned, bool holds) {
  return ::emulated::Block::current()->match(holds) == ~0u && holds;
}
inline unsigned __match_any_sync(unsigned, int value) {
  return ::emulated::Block::current()->match(static_cast<unsigned long>(value));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long both = static_cast<unsigned long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(both >> (8 * (selector >> (4 * i) & 7)) & 255) << (8 * i);
  }
  return result;
}
inline double __longlong_as_double(long long bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long>(a) * b >> 32);
}
inline unsigned atomicAdd(unsigned* p, unsigned value) {
  const unsigned old = *p;
  *p += value;
  return old;
}
inline unsigned atomicCAS(unsigned* p, unsigned expected, unsigned value) {
  const unsigned old = *p;
  if (old == expected) *p = value;
  return old;
}
inline void __threadfence_system() {}
inline unsigned __ldcg(const unsigned* p) { return *p; }
inline void __stcg(unsigned* p, unsigned value) { *p = value; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
