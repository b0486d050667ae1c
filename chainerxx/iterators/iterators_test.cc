// SPDX-License-Identifier: MIT
#include "chainerxx/iterators/iterators.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/datasets/datasets.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/parallel.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/thread_limit.h"

namespace chainerxx::iterators {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;
using datasets::Example;
using Numbers = std::vector<std::int64_t>;

/// The numbers 0, 1, 2, ...
datasets::TupleDataset numbers(std::int64_t n) { return datasets::TupleDataset(cp::arange(n)); }

Numbers of(const Batch& batch) { return concat_examples(batch)[0].to_vector<std::int64_t>(); }

std::string file(const std::string& name) {
  return ::testing::TempDir() + "/iterators_" + std::to_string(::getpid()) + "_" + name + ".npz";
}

void save(const std::string& path, Iterator& iterator) {
  training::save_state(path, [&](training::Serializer& s) { iterator.serialize(s["it"]); });
}
void load(const std::string& path, Iterator& iterator) {
  training::load_state(path, [&](training::Serializer& s) { iterator.serialize(s["it"]); });
}

/// Examples that depend on random numbers, made one by one.
datasets::TransformDataset noisy(std::int64_t n) {
  return datasets::TransformDataset(numbers(n), [](const Example& example) {
    const std::int64_t noise = datasets::example_random().below(1000);
    return Example{example[0] * 1000 + noise};
  });
}

TEST(SerialIterator, GoesOnWithTheNextPassWithinABatch) {
  SerialIterator it(numbers(5), 2, {.shuffle = false});
  EXPECT_EQ(it.epoch_detail(), 0);
  EXPECT_FALSE(it.previous_epoch_detail());
  const std::vector<Numbers> batches = {{0, 1}, {2, 3}, {4, 0}, {1, 2}, {3, 4}, {0, 1}};
  const std::vector<std::int64_t> epochs = {0, 0, 1, 1, 2, 2};
  const std::vector<double> details = {0.4, 0.8, 1.2, 1.6, 2.0, 2.4};
  for (std::size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(of(it.next()), batches[i]);
    EXPECT_EQ(it.epoch(), epochs[i]);
    EXPECT_EQ(it.is_new_epoch(), i == 2 || i == 4);
    EXPECT_DOUBLE_EQ(it.epoch_detail(), details[i]);
    EXPECT_DOUBLE_EQ(it.previous_epoch_detail().value(), i == 0 ? 0 : details[i - 1]);
    EXPECT_FALSE(it.is_done());
  }
  it.reset();
  EXPECT_EQ(it.epoch(), 0);
  EXPECT_EQ(of(it.next()), (Numbers{0, 1}));
}

TEST(SerialIterator, EndsWithASmallerBatchUnlessItRepeats) {
  SerialIterator it(numbers(5), 2, {.repeat = false});
  std::vector<Numbers> found;
  for (const Batch& batch : it) found.push_back(of(batch));
  EXPECT_EQ(found, (std::vector<Numbers>{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(it.epoch(), 1);
  EXPECT_TRUE(it.is_new_epoch());
  EXPECT_TRUE(it.is_done());
  expect_error<cp::IndexError>([&] { it.next(); },
                               "SerialIterator: there is no other batch; {.repeat = true} begins "
                               "again after each pass, reset() does now");
  it.reset();
  EXPECT_EQ(of(it.next()), (Numbers{0, 1}));
}

/// What each of some loops over an iterator finds.
std::vector<std::vector<Numbers>> loops(Iterator& it, int times) {
  std::vector<std::vector<Numbers>> found(times);
  for (auto& pass : found) {
    for (const Batch& batch : it) pass.push_back(of(batch));
  }
  return found;
}

TEST(Iterators, LoopsGoThroughTheDataOnceMore) {
  const std::vector<Numbers> pass = {{0, 1}, {2, 3}, {4}};
  SerialIterator serial(numbers(5), 2, {.repeat = false});
  MultithreadIterator parallel(numbers(5), 2, {.repeat = false, .n_threads = 2});
  for (Iterator* const it : {static_cast<Iterator*>(&serial), static_cast<Iterator*>(&parallel)}) {
    EXPECT_EQ(of(it->next()), (Numbers{0, 1}));
    EXPECT_EQ(loops(*it, 3), (std::vector<std::vector<Numbers>>{{{2, 3}, {4}}, pass, pass}));
    EXPECT_EQ(it->epoch(), 3);
    EXPECT_TRUE(it->is_done());
    it->reset();
    EXPECT_EQ(it->epoch(), 0);
    EXPECT_EQ(loops(*it, 1)[0], pass);
  }
  parallel.finalize();
  EXPECT_EQ(loops(parallel, 2), (std::vector<std::vector<Numbers>>{pass, pass}));
  SerialIterator none(numbers(0), 2, {.repeat = false});
  EXPECT_TRUE(loops(none, 2)[1].empty());
}

TEST(Iterators, LoopsDrawAnew) {
  const IteratorOptions options{.repeat = false, .shuffle = true, .seed = 5};
  SerialIterator serial(noisy(40), 10, options);
  MultithreadIterator parallel(noisy(40), 10,
                               {.repeat = false, .shuffle = true, .seed = 5, .n_threads = 3});
  const auto found = loops(serial, 3);
  EXPECT_EQ(loops(parallel, 3), found);
  EXPECT_NE(found[0], found[1]);
  EXPECT_NE(found[1], found[2]);
  // As those of an iterator that repeats.
  SerialIterator repeated(noisy(40), 10, {.seed = 5});
  for (const auto& pass : found) {
    for (const Numbers& batch : pass) EXPECT_EQ(of(repeated.next()), batch);
  }
}

TEST(Iterators, StatesInALaterPassAreKept) {
  SerialIterator it(numbers(5), 2, {.repeat = false, .shuffle = true, .seed = 3});
  MultithreadIterator again(numbers(5), 2, {.repeat = false, .shuffle = true, .n_threads = 2});
  loops(it, 1);
  it.begin_pass();
  it.next();
  save(file("later"), it);
  load(file("later"), again);
  EXPECT_FALSE(again.is_done());
  EXPECT_EQ(loops(again, 2), loops(it, 2));
}

TEST(SerialIterator, TakesChainersArguments) {
  SerialIterator once(numbers(3), 2, false, false), ordered(numbers(3), 2, true, false);
  EXPECT_FALSE(once.repeats());
  EXPECT_EQ(of(once.next()), (Numbers{0, 1}));
  EXPECT_EQ(of(once.next()), (Numbers{2}));
  EXPECT_TRUE(once.is_done());
  EXPECT_TRUE(ordered.repeats());
  ordered.next();
  EXPECT_EQ(of(ordered.next()), (Numbers{2, 0}));
  EXPECT_EQ(dataset::concat_examples(SerialIterator(numbers(3), 2, false).next())[0].size(), 2);
}

TEST(SerialIterator, PassesSeveralTimesWithinALargeBatch) {
  SerialIterator it(numbers(3), 8, {.shuffle = false});
  EXPECT_EQ(of(it.next()), (Numbers{0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(it.epoch(), 2);
  EXPECT_DOUBLE_EQ(it.epoch_detail(), 2 + 2.0 / 3);
}

TEST(SerialIterator, ShufflesEachPassBySeed) {
  SerialIterator a(numbers(50), 50, {.seed = 7}), b(numbers(50), 50, {.seed = 7}),
      c(numbers(50), 50, {.seed = 8});
  const Numbers first = of(a.next()), second = of(a.next());
  Numbers sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, cp::arange(50).to_vector<std::int64_t>());
  EXPECT_NE(first, second);
  EXPECT_NE(first, sorted);
  EXPECT_EQ(of(b.next()), first);
  EXPECT_NE(of(c.next()), first);
  // Without a seed the default random stream decides.
  cp::random::seed(3);
  SerialIterator d(numbers(50), 50);
  cp::random::seed(3);
  SerialIterator e(numbers(50), 50);
  EXPECT_EQ(of(d.next()), of(e.next()));
}

TEST(SerialIterator, PeeksWithoutGoingOn) {
  SerialIterator it(numbers(4), 4, {.shuffle = false});
  EXPECT_EQ(of(it.peek()), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(it.epoch(), 0);
  save(file("peek"), it);
  EXPECT_EQ(of(it.next()), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(it.epoch(), 1);
  load(file("peek"), it);
  EXPECT_EQ(it.epoch(), 0);
}

TEST(Iterators, GiveTheSameBatchesInThreads) {
  for (const int threads : {1, 3}) {
    SerialIterator serial(noisy(23), 4, {.seed = 5});
    MultithreadIterator parallel(noisy(23), 4, {.seed = 5, .n_threads = threads});
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(of(parallel.next()), of(serial.next()));
      EXPECT_EQ(parallel.epoch_detail(), serial.epoch_detail());
      EXPECT_EQ(parallel.is_new_epoch(), serial.is_new_epoch());
      EXPECT_EQ(parallel.previous_epoch_detail(), serial.previous_epoch_detail());
    }
    EXPECT_GE(parallel.waited_seconds(), 0);
  }
  // Whole arrays at once, and an end.
  MultithreadIterator rest(numbers(5), 2, {.repeat = false, .n_threads = 2});
  std::vector<Numbers> found;
  for (const Batch& batch : rest) found.push_back(of(batch));
  EXPECT_EQ(found, (std::vector<Numbers>{{0, 1}, {2, 3}, {4}}));
  expect_error<cp::IndexError>(
      [&] { rest.next(); },
      "MultithreadIterator: there is no other batch; {.repeat = true} begins again");
}

TEST(Iterators, GoOnFromAFileInTheMiddleOfAPass) {
  SerialIterator original(noisy(10), 3, {.seed = 11});
  for (int i = 0; i < 5; ++i) original.next();
  save(file("state"), original);
  SerialIterator serial(noisy(10), 3, {.seed = 99});
  MultithreadIterator parallel(noisy(10), 3, {.seed = 98, .n_threads = 2});
  load(file("state"), serial);
  load(file("state"), parallel);
  EXPECT_EQ(serial.previous_epoch_detail(), original.previous_epoch_detail());
  for (int i = 0; i < 9; ++i) {
    const Numbers expected = of(original.next());
    EXPECT_EQ(of(serial.next()), expected);
    EXPECT_EQ(of(parallel.next()), expected);
    EXPECT_EQ(parallel.epoch_detail(), original.epoch_detail());
  }
  // What was made ahead is not in the file.
  save(file("parallel"), parallel);
  load(file("parallel"), serial);
  EXPECT_EQ(of(serial.next()), of(original.next()));
}

/// What is done to an iterator says a random number; batches are those of a SerialIterator to which
/// the same is done. For ThreadSanitizer above all.
TEST(Iterators, TakeAnyCallWhileThreadsWork) {
  SerialIterator serial(noisy(17), 3, {.seed = 2});
  MultithreadIterator parallel(noisy(17), 3, {.seed = 2, .n_threads = 4, .n_prefetch = 3});
  datasets::ExampleRandom random(7, 0);
  for (int i = 0; i < 300; ++i) {
    switch (random.below(8)) {
      case 0:
        serial.reset();
        parallel.reset();
        break;
      case 1:
        save(file("any"), parallel);
        serial.next();
        parallel.next();
        load(file("any"), serial);
        load(file("any"), parallel);
        break;
      case 2:
        EXPECT_EQ(of(parallel.peek()), of(serial.peek()));
        break;
      case 3: {  // ended while batches are being made
        MultithreadIterator another(noisy(17), 3, {.n_threads = 3});
        if (random.below(2) == 1) another.finalize();
        parallel.finalize();  // goes on all the same
        break;
      }
      default:
        EXPECT_EQ(of(parallel.next()), of(serial.next()));
    }
    EXPECT_EQ(parallel.epoch_detail(), serial.epoch_detail());
  }
}

TEST(Iterators, RefuseStatesOfOtherData) {
  SerialIterator it(numbers(10), 3, {.seed = 1}), other(numbers(11), 3, {.seed = 2}),
      plain(numbers(10), 3, {.shuffle = false});
  it.next();
  save(file("other"), it);
  expect_error<cp::ValueError>([&] { load(file("other"), other); },
                               "it/size is 10, but the dataset has 11 examples");
  expect_error<cp::ValueError>([&] { load(file("other"), plain); }, "it/shuffle is on, not off");
  training::save_state(file("bad"), [&](training::Serializer& s) {
    std::int64_t position = 10, zero = 0, size = 10;
    std::uint64_t seed = 1;
    bool yes = true;
    double detail = 0;
    const training::Serializer place = s["it"];
    place("current_position", position);
    place("epoch", zero);
    place("is_new_epoch", yes);
    place("previous_epoch_detail", detail);
    place("drawn", zero);
    place("seed", seed);
    place("shuffle", yes);
    place("size", size);
  });
  // What is added to it must fit 64 bits.
  for (const char* name : {"epoch", "drawn"}) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    training::save_state(file(name), [&](training::Serializer& s) {
      const training::Serializer place = s["it"];
      const std::map<std::string, std::int64_t> state = {{"current_position", 3}, {"epoch", 0},
                                                         {"is_new_epoch", 0},     {"drawn", 3},
                                                         {"shuffle", 1},          {"size", 10}};
      for (auto [key, value] : state) place(key, value = key == name ? most : value);
      std::uint64_t seed = 1;
      double detail = 0;
      place("seed", seed);
      place("previous_epoch_detail", detail);
    });
    expect_error<cp::ValueError>([&] { load(file(name), it); },
                                 cp::message("it/", std::string(name), " is 9223372036854775807"));
  }
  const Numbers before = of(it.peek());
  expect_error<cp::ValueError>([&] { load(file("bad"), it); }, "it/current_position is 10, of 10");
  EXPECT_EQ(of(it.next()), before);
}

/// Fails for one example as long as it is told to, and leaves another one out.
struct Unreliable final : datasets::Dataset {
  explicit Unreliable(std::shared_ptr<std::atomic<bool>> the_fails) : fails(std::move(the_fails)) {}
  std::int64_t size() const override { return 6; }
  Example get_example(std::int64_t i) const override {
    if (i == 3 && *fails) throw cp::IOError("image 3 is damaged");
    if (i == 4) return {};
    return {cp::array(i)};
  }
  std::shared_ptr<std::atomic<bool>> fails;
};

TEST(Iterators, ThrowWhatADatasetThrowsAndGoOn) {
  const auto fails = std::make_shared<std::atomic<bool>>(true);
  SerialIterator serial(Unreliable(fails), 2, {.repeat = false});
  MultithreadIterator parallel(Unreliable(fails), 2, {.repeat = false, .n_threads = 3});
  for (Iterator* it : std::initializer_list<Iterator*>{&serial, &parallel}) {
    *fails = true;
    EXPECT_EQ(of(it->next()), (Numbers{0, 1}));
    expect_error<cp::IOError>([&] { it->next(); }, "image 3 is damaged");
    EXPECT_DOUBLE_EQ(it->epoch_detail(), 2.0 / 6);
    *fails = false;
    EXPECT_EQ(of(it->next()), (Numbers{2, 3}));
    EXPECT_EQ(of(it->next()), (Numbers{5}));  // 4 is left out
    EXPECT_TRUE(it->is_done());
  }
}

/// Whether loops that the making thread starts have a team.
struct Teams final : datasets::Dataset {
  std::int64_t size() const override { return 2; }
  Example get_example(std::int64_t) const override {
    return {cp::array(std::int64_t{cupyxx::extension::in_team() ? 0 : 1})};
  }
};

TEST(Iterators, StartNoTeamsInThreads) {
  SerialIterator serial(Teams(), 2);
  MultithreadIterator parallel(Teams(), 2);
  EXPECT_EQ(of(serial.next()), (Numbers{1, 1}));
  EXPECT_EQ(of(parallel.next()), (Numbers{0, 0}));
}

/// Says that it has so many examples.
struct Claimed final : datasets::Dataset {
  explicit Claimed(std::int64_t the_size) : claimed(the_size) {}
  std::int64_t size() const override { return claimed; }
  Example get_example(std::int64_t i) const override { return {cp::array(i)}; }
  std::int64_t claimed;
};

TEST(Iterators, SayWhatThereIsNoRoomFor) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  SerialIterator serial(numbers(3), most);
  MultithreadIterator parallel(numbers(3), most, {.n_threads = 2});
  for (int i = 0; i < 2; ++i) {
    expect_error<cp::OutOfMemoryError>(
        [&] { serial.next(); },
        "SerialIterator: there is no room for a batch of 9223372036854775807 examples");
    expect_error<cp::OutOfMemoryError>(
        [&] { parallel.next(); },
        "MultithreadIterator: there is no room for a batch of 9223372036854775807 examples");
    EXPECT_EQ(parallel.epoch_detail(), 0);
  }
  // An end bounds the batch.
  EXPECT_EQ(of(SerialIterator(numbers(3), most, {.repeat = false}).next()), (Numbers{0, 1, 2}));
  expect_error<cp::OutOfMemoryError>(
      [] { SerialIterator(Claimed(std::int64_t{1} << 61), 2); },
      "SerialIterator: there is no room for the order of 2305843009213693952 examples");
  expect_error<cp::ValueError>([] { MultithreadIterator(Claimed(-1), 2, {.repeat = false}); },
                               "MultithreadIterator: a dataset of -1 examples");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end where mmap fails
TEST(Iterators, SayThatThereAreNoMoreThreads) {
  const cp::testing::ThreadLimit limit;
  expect_error<cp::Error>([] { MultithreadIterator(numbers(3), 1, {.n_threads = 1000}); },
                          "of 1000 threads could be started; ");
}
#endif

/// What a dataset of the user's gives for several examples at once.
struct Columns final : datasets::Dataset {
  explicit Columns(std::vector<cp::ndarray> given) : columns(std::move(given)) {}
  std::int64_t size() const override { return 8; }
  Example get_example(std::int64_t i) const override { return {cp::array(i)}; }
  std::vector<cp::ndarray> get_columns(std::span<const std::int64_t>) const override {
    return columns;
  }
  std::vector<cp::ndarray> columns;
};

TEST(Iterators, RefuseColumnsWithoutARowForEachExample) {
  const cp::ndarray fits = cp::zeros({4, 2});
  for (const cp::ndarray& other :
       {cp::zeros({1, 2}), cp::zeros({5, 2}), cp::array(1.0), cp::ndarray()}) {
    const Columns dataset({fits, other});
    SerialIterator one(dataset, 4);
    expect_error<cp::ValueError>([&] { one.next(); }, "Dataset: get_columns gave array 1 of ");
    MultithreadIterator several(dataset, 4);
    expect_error<cp::ValueError>([&] { several.next(); }, "Dataset: get_columns gave array 1 of ");
  }
  SerialIterator it(Columns({fits, fits}), 4);
  EXPECT_EQ(it.next().size(), 4);
}

TEST(Iterators, RefuseWhatCannotBe) {
  expect_error<cp::ValueError>([] { SerialIterator(numbers(3), 0); },
                               "SerialIterator: a batch of 0 examples");
  expect_error<cp::ValueError>([] { SerialIterator(numbers(0), 2); },
                               "SerialIterator: the dataset has no examples to repeat");
  expect_error<cp::ValueError>([] { MultithreadIterator(numbers(3), 1, {.n_threads = 0}); },
                               "MultithreadIterator: 0 threads, 2 batches ahead");
  SerialIterator none(numbers(0), 2, {.repeat = false});
  EXPECT_TRUE(none.is_done());
  MultithreadIterator ended(numbers(3), 1);
  ended.finalize();
  ended.finalize();
  EXPECT_FALSE(ended.is_done());
  EXPECT_EQ(ended.next().size(), 1);
}

}  // namespace
}  // namespace chainerxx::iterators
