// SPDX-License-Identifier: MIT
#include "examples/imagenet/architectures.h"

#include "examples/imagenet/alex.h"
#include "examples/imagenet/alexbn.h"
#include "examples/imagenet/googlenet.h"
#include "examples/imagenet/googlenetbn.h"
#include "examples/imagenet/nin.h"
#include "examples/imagenet/overfeat.h"
#include "examples/imagenet/resnet50.h"
#include "examples/imagenet/vgg.h"

namespace imagenet {
namespace {

template <class T>
std::unique_ptr<Network> make(std::int64_t classes) {
  return std::make_unique<T>(classes);
}

constexpr Architecture kArchitectures[] = {
    {"alex", "AlexNet on one device", make<Alex>},
    {"alexbn", "AlexNet with batch normalisation", make<AlexBN>},
    {"nin", "Network in Network", make<NIN>},
    {"googlenet", "GoogLeNet with two auxiliary classifiers", make<GoogLeNet>},
    {"googlenetbn", "GoogLeNet with batch normalisation", make<GoogLeNetBN>},
    {"overfeat", "OverFeat, the fast network", make<OverFeat>},
    {"vgga", "VGG of 11 layers", make<VGGA>},
    {"vgg16", "VGG of 16 layers", make<VGG16>},
    {"resnet50", "a residual network of 50 layers", make<ResNet50>},
};

}  // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

std::string architecture_names() {
  std::string names;
  for (const Architecture& architecture : kArchitectures) {
    if (!names.empty()) names += '|';
    names += architecture.name;
  }
  return names;
}

std::unique_ptr<Network> make_network(std::string_view name, std::int64_t classes) {
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == name) return architecture.make(classes);
  }
  throw cupyxx::ValueError(cupyxx::message("make_network: there is no network of this name; \"",
                                           name, "\", not one of ", architecture_names()));
}

}  // namespace imagenet
