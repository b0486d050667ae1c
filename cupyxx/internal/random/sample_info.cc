// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/sample.h"

namespace cupyxx::internal {
namespace {

// "Gamma" of a function whose name ends in "[with D = cupyxx::random::dist::Gamma]".
template <class D>
constexpr std::string_view type_name() {
  constexpr std::string_view kPretty = __PRETTY_FUNCTION__;
  constexpr std::string_view kBefore = "dist::";
  constexpr std::size_t kBegin = kPretty.find(kBefore) + kBefore.size();
  return kPretty.substr(kBegin, kPretty.find_first_of(";]", kBegin) - kBegin);
}

template <class... C, class... D>
const SampleInfo& info(int index, random::DistributionList<C...>, random::DistributionList<D...>) {
  static_assert(sizeof...(C) == kContinuousCount && sizeof...(C) + sizeof...(D) == kSampleCount);
  static constexpr SampleInfo kInfos[] = {{C::name, type_name<C>(), C::parameters, C::checks}...,
                                          {D::name, type_name<D>(), D::parameters, D::checks}...};
  return kInfos[index];
}

}  // namespace

const SampleInfo& sample_info(Sample sample) {
  return info(static_cast<int>(sample), random::dist::ContinuousList{},
              random::dist::DiscreteList{});
}

}  // namespace cupyxx::internal
