// SPDX-License-Identifier: MIT
#include "chainerxx/iterators/multithread_iterator.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "chainerxx/internal/batch_order.h"
#include "chainerxx/internal/random_order.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/alone.h"

namespace chainerxx::iterators {
namespace {

using datasets::Example;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A batch that is being made.
struct Job {
  internal::BatchNumbers batch;
  std::uint64_t seed;
  internal::OrderState behind;  // where the iterator stands once this batch has been given
  std::vector<Example> examples = {};
  std::int64_t taken = 0;    // examples that a thread has, or has made
  std::int64_t missing = 0;  // examples that are not made yet
  bool is_ready = false;
  Batch result = {};
  std::exception_ptr error = {};
};

std::unique_ptr<internal::BatchPlace> place_of(const datasets::Dataset& dataset,
                                               std::int64_t batch_size,
                                               const MultithreadOptions& options) {
  if (options.n_threads < 1 || options.n_prefetch < 1) {
    throw cupyxx::ValueError(cupyxx::message("MultithreadIterator: ", options.n_threads,
                                             " threads, ", options.n_prefetch, " batches ahead"));
  }
  return std::make_unique<internal::BatchPlace>(
      internal::BatchOrder("MultithreadIterator", dataset.size(), batch_size, options.repeat,
                           options.shuffle.value_or(options.repeat),
                           options.seed ? *options.seed : internal::drawn_seed()));
}

}  // namespace

struct MultithreadIterator::Impl {
  Impl(datasets::DatasetRef the_dataset, internal::BatchPlace& place,
       const MultithreadOptions& options)
      : dataset(std::move(the_dataset)),
        order(place.order),
        prefetch(options.n_prefetch),
        n_threads(options.n_threads),
        state(place.state),
        ahead(state),
        device(cupyxx::current_device()) {
    start();
  }

  void start() {
    stops = false;
    try {
      for (std::int64_t i = 0; i < n_threads; ++i) threads.emplace_back([this] { work(); });
    } catch (const std::exception& error) {  // the system has no more of them
      const std::size_t started = threads.size();
      stop();
      throw cupyxx::Error(cupyxx::message("MultithreadIterator: only ", started, " of ", n_threads,
                                          " threads could be started; ",
                                          std::string_view(error.what())));
    }
  }

  ~Impl() { stop(); }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stops = true;
    }
    work_changed.notify_all();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  /// Forgets what was made ahead; with the lock held.
  void go_on_from(const internal::OrderState& from) {
    state = ahead = from;
    jobs.clear();
    work_changed.notify_all();
  }

  /// A job with an example that nobody has taken; null when all is made or being made.
  std::shared_ptr<Job> open_job() {
    for (const std::shared_ptr<Job>& job : jobs) {
      if (job->taken < std::ssize(job->batch.numbers)) return job;
    }
    if (is_held || std::ssize(jobs) >= prefetch || order.is_done(ahead)) return nullptr;
    auto job = std::make_shared<Job>();
    jobs.push_back(job);
    try {
      internal::OrderState next = ahead;
      job->batch = order.advance(next);
      job->examples.resize(job->batch.numbers.size());
      ahead = job->behind = next;
    } catch (...) {  // no memory: the program learns of it when it asks for the batch
      job->batch = {};
      job->error = std::current_exception();
      job->is_ready = is_held = true;
      batch_ready.notify_all();
      return nullptr;
    }
    job->seed = order.seed();
    job->missing = std::ssize(job->batch.numbers);
    return job;
  }

  void work() {
    const cupyxx::DeviceScope same(device);
    const cupyxx::extension::AloneScope alone;  // teams of many threads would wait for each other
    std::unique_lock lock(mutex);
    while (!stops) {
      const std::shared_ptr<Job> job = open_job();
      if (job == nullptr) {
        work_changed.wait(lock);
        continue;
      }
      const std::int64_t size = std::ssize(job->batch.numbers), first = job->taken;
      const bool as_a_whole = is_fast && first == 0;
      const auto share = std::max<std::int64_t>(size / (4 * n_threads), 1);
      const std::int64_t count = as_a_whole ? size : std::min(share, size - first);
      job->taken += count;
      lock.unlock();
      const bool made = as_a_whole ? make_at_once(*job) : make(*job, first, count);
      lock.lock();
      if (!made) {  // not in one go: it is open again
        is_fast = false;
        job->taken = 0;
        work_changed.notify_all();
        continue;
      }
      job->missing -= count;
      if (job->missing > 0) continue;
      lock.unlock();
      if (!job->error && !job->result.is_joined()) join(*job);
      lock.lock();
      job->is_ready = true;
      batch_ready.notify_all();
    }
  }

  /// Asks for arrays of all examples; false where the dataset makes them one by one.
  bool make_at_once(Job& job) {
    try {
      std::vector<cupyxx::ndarray> columns = internal::columns_of(*dataset, job.batch.numbers);
      if (columns.empty()) return false;
      job.result = Batch::of_columns(std::move(columns));
    } catch (...) {
      job.error = std::current_exception();
    }
    return true;
  }

  bool make(Job& job, std::int64_t first, std::int64_t count) {
    try {
      for (std::int64_t i = first; i < first + count; ++i) {
        const datasets::ExampleRandomScope random(
            job.seed, static_cast<std::uint64_t>(job.batch.first_draw + i));
        job.examples[i] = dataset->get_example(job.batch.numbers[i]);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!job.error) job.error = std::current_exception();
    }
    return true;
  }

  void join(Job& job) {
    try {
      std::erase_if(job.examples, [](const Example& example) { return example.empty(); });
      job.result = datasets::joined_batch(std::move(job.examples));
    } catch (...) {
      job.error = std::current_exception();
    }
  }

  /// The first job once it is ready.
  std::shared_ptr<Job> ready_job(double& waited) {
    if (threads.empty()) start();  // after finalize()
    std::unique_lock lock(mutex);
    if (order.is_done(state)) {
      throw cupyxx::IndexError(
          "MultithreadIterator: there is no other batch; {.repeat = true} begins again after each "
          "pass, reset() does now");
    }
    is_held = false;
    if (jobs.empty()) work_changed.notify_all();
    if (jobs.empty() || !jobs.front()->is_ready) {
      const double start = now();
      batch_ready.wait(lock, [&] { return !jobs.empty() && jobs.front()->is_ready; });
      waited += now() - start;
    }
    const std::shared_ptr<Job> job = jobs.front();
    if (job->error) {
      is_held = true;  // a second try begins when the program asks for it
      go_on_from(internal::OrderState(state));
      std::rethrow_exception(job->error);
    }
    return job;
  }

  datasets::DatasetRef dataset;
  internal::BatchOrder& order;
  std::int64_t prefetch, n_threads;
  internal::OrderState& state;  // as the program sees it
  internal::OrderState ahead;   // behind the last job
  cupyxx::Device device;
  std::deque<std::shared_ptr<Job>> jobs;
  bool stops = false;
  bool is_held = false;  // nothing is made ahead before the next call
  bool is_fast = true;   // whether the dataset may give whole batches
  std::mutex mutex;
  std::condition_variable work_changed, batch_ready;
  std::vector<std::thread> threads;
};

MultithreadIterator::MultithreadIterator(datasets::DatasetRef dataset, std::int64_t batch_size,
                                         const MultithreadOptions& options)
    : OrderedIterator(place_of(*dataset, batch_size, options)),
      impl_(std::make_unique<Impl>(std::move(dataset), place(), options)) {}

MultithreadIterator::~MultithreadIterator() = default;

const Batch& MultithreadIterator::peek() { return impl_->ready_job(waited_)->result; }

Batch MultithreadIterator::next() {
  const std::shared_ptr<Job> job = impl_->ready_job(waited_);
  const std::lock_guard lock(impl_->mutex);
  impl_->state = std::move(job->behind);
  impl_->jobs.pop_front();
  impl_->work_changed.notify_all();
  return std::move(job->result);
}

void MultithreadIterator::reset() {
  const std::lock_guard lock(impl_->mutex);
  impl_->go_on_from(impl_->order.start());
}

void MultithreadIterator::begin_pass() {
  const std::lock_guard lock(impl_->mutex);
  if (OrderedIterator::is_done()) impl_->go_on_from(impl_->order.another_pass(impl_->state));
}

void MultithreadIterator::finalize() { impl_->stop(); }

void MultithreadIterator::serialize(const training::Serializer& s) {
  const std::lock_guard lock(impl_->mutex);
  internal::OrderState state = impl_->state;
  impl_->order.serialize(s, state);
  if (s.commits()) impl_->go_on_from(state);
}

}  // namespace chainerxx::iterators
