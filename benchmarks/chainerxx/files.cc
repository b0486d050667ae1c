// SPDX-License-Identifier: MIT
// Saves and loads of arrays and models in every format, on the disk of the temporary folder: 4 KB,
// where the system's calls are the cost, and 16 MB, where the bytes are. And the smallest calls.
#include <filesystem>
#include <string>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;

std::string path(const char* ending) {
  return (std::filesystem::temp_directory_path() / "cupyxx_benchmark").string() + ending;
}

struct Model : chainerxx::FunctionSet {
  explicit Model(std::int64_t n)
      : l1(add("l1", F::Linear(n, 16, {.initialW = cp::ones({16, n}, cp::float32)}))) {}
  F::Linear& l1;
};

/// An array, or a model with one, of range(0) bytes.
struct Subject {
  explicit Subject(std::int64_t bytes)
      : array(cp::ones({16, bytes / 64}, cp::float32)), model(bytes / 64) {}
  cp::ndarray array;
  Model model;
};

using Use = void (*)(const std::string& path, Subject& subject);

struct Format {
  const char* name;
  const char* ending;
  Use save;
  Use load;
};

const Format kFormats[] = {
    {"npy", ".npy", [](const std::string& p, Subject& s) { cp::save(p, s.array); },
     [](const std::string& p, Subject&) { benchmark::DoNotOptimize(cp::ndarray(cp::load(p))); }},
    {"npz", ".npz",
     [](const std::string& p, Subject& s) {
       cp::savez(p, {{"a", s.array}});
     },
     [](const std::string& p, Subject&) { benchmark::DoNotOptimize(cp::load_npz(p)["a"]); }},
    {"safetensors", ".safetensors",
     [](const std::string& p, Subject& s) {
       cp::save_safetensors(p, {{"a", s.array}});
     },
     [](const std::string& p, Subject&) { benchmark::DoNotOptimize(cp::SafetensorsFile(p)["a"]); }},
    {"model_npz", ".npz", [](const std::string& p, Subject& s) { chainerxx::save_npz(p, s.model); },
     [](const std::string& p, Subject& s) { chainerxx::load_npz(p, s.model); }},
    {"model_safetensors", ".safetensors",
     [](const std::string& p, Subject& s) { chainerxx::save_safetensors(p, s.model); },
     [](const std::string& p, Subject& s) { chainerxx::load_safetensors(p, s.model); }},
};

void Save(benchmark::State& state, const Format* format) {
  Subject subject(state.range(0));
  const std::string file = path(format->ending);
  for (auto _ : state) format->save(file, subject);
  std::filesystem::remove(file);
}

void Load(benchmark::State& state, const Format* format) {
  Subject subject(state.range(0));
  const std::string file = path(format->ending);
  format->save(file, subject);
  for (auto _ : state) format->load(file, subject);
  std::filesystem::remove(file);
}

const bool kRegistered = [] {
  for (const Format& format : kFormats) {
    for (const auto& [verb, run] : {std::pair("save/", &Save), std::pair("load/", &Load)}) {
      benchmark::RegisterBenchmark((std::string(verb) + format.name).c_str(), run, &format)
          ->Arg(4 << 10)
          ->Arg(16 << 20)
          ->UseRealTime();
    }
  }
  return true;
}();

void AddOfArrays(benchmark::State& state) {
  const cp::ndarray a = cp::ones({16}, cp::float32), out = cp::ones({16}, cp::float32);
  for (auto _ : state) cp::add(a, a, {.out = out});
}
BENCHMARK(AddOfArrays);

void FunctionOfVariables(benchmark::State& state) {
  const chainerxx::Variable x(cp::ones({16}, cp::float32));
  for (auto _ : state) benchmark::DoNotOptimize(F::relu(x));
}
BENCHMARK(FunctionOfVariables);

}  // namespace
