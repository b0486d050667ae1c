// SPDX-License-Identifier: MIT
// Two networks against each other (Radford et al.: "DCGAN", 2015): one makes images, the other one
// tells them from real ones, and both learn from that.
//   train_dcgan --steps=5000 --out=dcgan.png --device=cuda:0
#include <iomanip>
#include <iostream>
#include <string>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/dcgan/networks.h"
#include "examples/program/dataset.h"
#include "examples/program/flags.h"
#include "examples/program/picture.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using dcgan::Discriminator, dcgan::Generator, dcgan::kCode;

struct Options {
  std::string data = "/usr/share/datasets/fashion-mnist", device = "auto", out;
  std::int64_t steps = 1500, batchsize = 64, channels = 32, report = 250;
  std::uint64_t seed = 0;
};

int train(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  examples::prepare_file("out", o.out);
  const cp::ndarray real =
      examples::read_dataset(o.data, "train", 10, 28).images.reshape({-1, 1, 28, 28}) * 2 - 1;

  cp::random::seed(o.seed);
  Generator generator(o.channels);
  Discriminator discriminator(o.channels);
  chainerxx::optimizers::Adam of_generator({.alpha = 2e-4, .beta1 = 0.5});
  chainerxx::optimizers::Adam of_discriminator({.alpha = 2e-4, .beta1 = 0.5});
  of_generator.setup(generator);
  of_discriminator.setup(discriminator);
  const auto codes = [&](std::int64_t n) {
    return cp::random::normal({n, kCode}, {.dtype = cp::float32});
  };
  const cp::ndarray fixed = codes(36);

  auto step = chainerxx::capture([&](const cp::ndarray& x) {
    const Variable fake = generator(Variable(codes(o.batchsize)));
    // softplus(-s) is -log of the probability that s gives to "real", softplus(s) to "made".
    const auto tell = [&] {
      const Variable made = discriminator(Variable(fake.data()));  // a constant: no gradient
      return F::mean(F::softplus(-discriminator(Variable(x)))) + F::mean(F::softplus(made));
    };
    const auto deceive = [&] { return F::mean(F::softplus(-discriminator(fake))); };
    const cp::ndarray d = of_discriminator.update(tell).data();
    return std::pair(d, of_generator.update(deceive).data());
  });

  std::cout << real.shape(0) << " images on " << cp::current_device().name() << std::fixed
            << std::setprecision(3) << std::endl;
  for (std::int64_t i = 1; i <= o.steps; ++i) {
    const auto [d, g] = step(real(cp::random::randint(0, real.shape(0), {o.batchsize})));
    if (i % o.report != 0 && i != o.steps) continue;
    std::cout << "step " << i << ": loss of the discriminator " << d.item<float>()
              << ", of the generator " << g.item<float>() << std::endl;
    if (o.out.empty()) continue;
    const chainerxx::NoGradScope no_graph;
    const chainerxx::TrainScope testing(false);
    const cp::ndarray made = generator(Variable(fixed)).data().reshape({-1, 28, 28});
    examples::save_png(o.out, examples::sheet((1 - made) / 2, 12), 2);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "train_dcgan",
      "learns to make images against a network that tells them from real ones.",
      {{"data", &o.data, "FOLDER", "IDX files of 28 x 28 pixels, compressed or not"},
       examples::device_flag(o.device),
       {"steps", &o.steps, "N", "updates of both networks", 100'000'000},
       {"batchsize", &o.batchsize, "N", "images in a step", 1'000'000},
       {"channels", &o.channels, "N", "width of the networks", 4096},
       {"report", &o.report, "N", "steps between two lines", 100'000'000},
       {"out", &o.out, "FILE", "gets a picture, PNG"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
