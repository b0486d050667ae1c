// SPDX-License-Identifier: MIT
// The side of cupyxx in benchmarks/numpy_matrix.py. Reads from its input
// "NAME<tab>ELEMENTS<tab>SECONDS" and prints the least nanoseconds of a call for each line.
// `--list` prints the rows.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/cupyxx/numpy_rows/rows.h"

namespace benchmarks::numpy_rows {

Data::Data(std::int64_t elements) : n(elements) {
  r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  a = random::rand({n});
  b = random::rand({n});
  f = a.astype(float32);
  g = b.astype(float32);
  i = random::randint(1, 100, {n});
  j = random::randint(1, 100, {n});
  k = random::randint(0, 10, {n});
  idx = random::randint(0, n, {n});
  m = a > 0.5;
  c = empty({n}, complex128);
  e = empty({n}, complex128);
  c.real() = a - 0.5;
  c.imag() = b - 0.5;
  e.real() = b;
  e.imag() = a;
  u = random::randint(0, 256, {n}).astype(uint8);
  s = sort(a);
  z = where(k == 0, std::numeric_limits<double>::quiet_NaN(), a);
  w = a.copy();
  A = random::rand({r, r});
  B = random::rand({r, r});
  W = A.copy();
  K = random::randint(0, r, {r, r});
  S = n <= 100000 ? A : random::rand({n / 10000, 100, 100});
  const std::int64_t side = S.shape().back();
  P = matmul(S, swapaxes(S, -1, -2)) + eye(side) * static_cast<double>(side);
  Shape sides = S.shape();
  sides[sides.ndim() - 1] = 3;
  R = random::rand(sides);
  T = random::rand({n / 3, 3});
  xp = linspace(0.0, 1.0, 1000);
  fp = random::rand({1000});
  v = random::rand({50});
  p = random::rand({10});
  q = random::randint(0, 10000, {1000});
  l = random::randint(0, 10000, {n});
  h = a.astype(float16);
  x = c.astype(complex64);
  t = random::randint(-100, 100, {n}).astype(int8);
  o = i.astype(int32);
  C = random::rand({n / 100, 10, 10});
  M = A > 0.5;
  m1 = a > 0.99;
}

namespace {

struct Timed {
  std::string numpy;
  double most;
  std::function<void(const Data&)> call;
};

// The operands of an elementwise operation, where they are not a and b (or f and g, i and j, ...).
std::string operands(const ufunc& f, char type) {
  const std::string name(f.name());
  const bool two = f.nin() == 2;
  switch (type) {
    case '?':
      return two ? "m m" : "m";
    case 'D':
      return two ? "c e" : "c";
    case 'l':
      return name == "power" || name.ends_with("shift") ? "i k" : two ? "i j" : "i";
    case 'f':
      return two ? "f g" : "f";
    default:
      return two ? "a b" : "a";
  }
}

bool is_elementary(const std::string& name) {
  for (const char* part : {"exp", "log", "sin", "cos", "tan", "power"}) {
    if (name.find(part) != std::string::npos && name.find("logical") == std::string::npos)
      return true;
  }
  return false;
}

// Elementwise operations come from their own list.
void add_ufuncs(std::vector<std::pair<std::string, Timed>>& rows) {
  const std::pair<char, const char*> kinds[] = {
      {'d', ""}, {'f', " float32"}, {'l', " int64"}, {'D', " complex128"}, {'?', " bool"}};
  for (const ufunc* f : all_ufuncs()) {
    const std::string name(f->name());
    if (f->nin() > 2 || name == "arccosh") continue;
    for (const auto& [type, suffix] : kinds) {
      const std::vector<std::string> types = f->types();
      const std::string inputs = std::string(static_cast<std::size_t>(f->nin()), type) + "->";
      const bool there = std::any_of(types.begin(), types.end(), [&](const std::string& loop) {
        return loop.starts_with(inputs);
      });
      if (!there || (type == '?' && name.find("logical") == std::string::npos)) continue;
      const std::string given = operands(*f, type);
      std::string numpy = "np." + name + "(" + given.substr(0, 1);
      if (f->nin() == 2) numpy += ", " + given.substr(2);
      numpy += ")";
      // Long functions are the same from 10^5 elements on, and take seconds for 10^7.
      const bool is_long = type == 'D' && is_elementary(name);
      rows.push_back(
          {name + suffix, {numpy, is_long ? 1e5 : 1e7, [f, given](const Data& d) {
                             const auto array_of = [&](char which) -> const ndarray& {
                               switch (which) {
                                 case 'a':
                                   return d.a;
                                 case 'b':
                                   return d.b;
                                 case 'f':
                                   return d.f;
                                 case 'g':
                                   return d.g;
                                 case 'i':
                                   return d.i;
                                 case 'j':
                                   return d.j;
                                 case 'k':
                                   return d.k;
                                 case 'c':
                                   return d.c;
                                 case 'e':
                                   return d.e;
                                 default:
                                   return d.m;
                               }
                             };
                             const Operand x = array_of(given[0]), y = array_of(given.back());
                             const Operand* const both[] = {&x, &y};
                             f->call(std::span(both, static_cast<std::size_t>(f->nin())), {}, {});
                           }}});
    }
  }
}

std::vector<std::pair<std::string, Timed>> all_rows() {
  std::vector<std::pair<std::string, Timed>> rows;
  add_ufuncs(rows);
  for (const auto& chapter :
       {array_rows(), creation_rows(), manipulation_rows(), mathematics_rows(),
        linear_algebra_rows(), sorting_rows(), layout_rows()}) {
    for (const Row& row : chapter) rows.push_back({row.name, {row.numpy, row.most, row.call}});
  }
  return rows;
}

// The time that this thread has had on a processor: what others take from it does not count.
double processor_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The least time of a call in groups that fill `seconds`; once at least.
double least_ns(const std::function<void(const Data&)>& call, const Data& data, double seconds) {
  const double begin = processor_ns();
  call(data);
  double best = processor_ns() - begin;
  const auto group = static_cast<int>(std::min(1000.0, 1 + 1e5 / best));
  while (processor_ns() - begin < seconds * 1e9) {
    const double start = processor_ns();
    for (int i = 0; i < group; ++i) call(data);
    best = std::min(best, (processor_ns() - start) / group);
  }
  return best;
}

int main_loop() {
  std::map<std::string, Timed> rows;
  for (auto& [name, row] : all_rows()) rows.emplace(name, row);
  std::unique_ptr<Data> data;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name, elements, seconds;
    std::getline(words, name, '\t');
    std::getline(words, elements, '\t');
    std::getline(words, seconds, '\t');
    const std::int64_t n = std::stoll(elements);
    if (data == nullptr || data->n != n) {
      data.reset();
      data = std::make_unique<Data>(n);
    }
    try {
      std::cout << least_ns(rows.at(name).call, *data, std::stod(seconds)) << std::endl;
    } catch (const std::exception& error) {
      std::cout << "error " << error.what() << std::endl;
    }
  }
  return 0;
}

int list() {
  for (const auto& [name, row] : all_rows()) {
    std::cout << name << '\t' << row.numpy << '\t' << row.most << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace benchmarks::numpy_rows

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--list") == 0) return benchmarks::numpy_rows::list();
  return benchmarks::numpy_rows::main_loop();
}
