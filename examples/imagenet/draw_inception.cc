// SPDX-License-Identifier: MIT
// Draws module 3a of GoogLeNet.
//
//   draw_inception                      DOT to standard output
//   draw_inception --splitters          a variable that goes to several functions is split first
//   draw_inception --svg=inception.svg  the drawing, where graphviz is installed
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/whole_file.h"

namespace {

namespace cp = cupyxx;

chainerxx::ComputationalGraph inception_graph(bool with_splitters) {
  const chainerxx::functions::Inception inception_3a(192, 64, 96, 128, 16, 32, 32);
  const chainerxx::Variable x(cp::zeros({1, 192, 28, 28}, cp::float32));
  return chainerxx::build_computational_graph({inception_3a(x)}, !with_splitters);
}

int run(int argc, char** argv) {
  bool with_splitters = false;
  std::string svg;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--splitters") {
      with_splitters = true;
    } else if (argument.starts_with("--svg=")) {
      svg = argument.substr(6);
    } else {
      std::cerr << "usage: draw_inception [--splitters] [--svg=FILE]\n";
      return 2;
    }
  }
  const chainerxx::ComputationalGraph graph = inception_graph(with_splitters);
  if (svg.empty()) {
    std::cout << graph.dump();
    return 0;
  }
  cupyxx::extension::write_whole_file("draw_inception", svg, graph.dump("svg"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
