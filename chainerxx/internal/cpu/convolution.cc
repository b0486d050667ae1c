// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/convolution.h"

#include <array>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>
#include <unordered_map>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/parallel.h"

namespace chainerxx::internal::cpu {
namespace {

using Tag = dnnl::memory::format_tag;
using Desc = dnnl::memory::desc;
constexpr auto kFloat = dnnl::memory::data_type::f32;
constexpr auto kDirect = dnnl::algorithm::convolution_direct;

enum class Pass { forward, forward_bias, data, weights };

const dnnl::engine& engine() {
  static const dnnl::engine& cpu = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// How many threads the library may have. Plans are cut for this number.
int team_size() { return cupyxx::extension::in_team() ? 1 : cupyxx::extension::thread_count(); }

/// Room to compute in is given with each call: the library's own belongs to the thread that made
/// the primitive, and several threads would use it at once.
const dnnl::primitive_attr& with_room() {
  static const dnnl::primitive_attr& attributes = *[] {
    auto* const made = new dnnl::primitive_attr;
    made->set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return made;
  }();
  return attributes;
}

/// A primitive and the room it needs.
struct Step {
  dnnl::primitive primitive;
  Desc room;

  Step() = default;
  template <class Made, class Description>
  static Step of(const Description& description) {
    Step step;
    step.primitive = Made(description);
    step.room = description.scratchpad_desc();
    return step;
  }
  void execute(const dnnl::stream& stream, std::unordered_map<int, dnnl::memory> memory) const {
    ndarray buffer;
    if (room.get_size() > 0) {
      const cupyxx::DeviceScope host(cupyxx::Device::cpu());
      buffer = cupyxx::empty({static_cast<std::int64_t>(room.get_size())}, cupyxx::uint8);
      memory.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(room, engine(), buffer.elements()));
    }
    primitive.execute(stream, memory);
  }
};

Step reorder(const Desc& from, const Desc& to) {
  return Step::of<dnnl::reorder>(
      dnnl::reorder::primitive_desc(engine(), from, engine(), to, with_room()));
}

/// A convolution that is ready to run: the formats it wants, those of our arrays, and the ways from
/// one to the other.
struct Plan {
  struct Side {
    Desc plain, wanted;
    Step there, back;
    bool is_same = true;
  };
  Step convolution;
  Side x, W, y;
  Desc bias;
  std::uint64_t last_use = 0;
};

Plan::Side side(const Desc& plain, const Desc& wanted, bool is_result) {
  Plan::Side s{plain, wanted, {}, {}, plain == wanted};
  if (s.is_same) return s;
  if (is_result) {
    s.back = reorder(wanted, plain);
  } else {
    s.there = reorder(plain, wanted);
  }
  return s;
}

// Blocked formats are some three times as fast as plain ones where a window has several elements,
// the ways there and back included; for 1x1 windows the plain one is a matrix product already, and
// for images of few channels their gradient is not worth a block.
bool prefers_blocks(const ConvolutionShape& shape, Pass pass) {
  const Windows& g = shape.windows;
  if (g.ksize == Size2D(1) && g.stride == Size2D(1)) return false;
  return pass != Pass::data || shape.c > 4;
}

std::unique_ptr<Plan> make_plan(const ConvolutionShape& s, Pass pass) {
  const Windows& g = s.windows;
  const dnnl::memory::dims x{s.n, s.c, s.h, s.w}, y{s.n, s.o, s.oh, s.ow};
  const dnnl::memory::dims strides{g.stride.h, g.stride.w}, pad{g.pad.h, g.pad.w};
  const dnnl::memory::dims gaps{g.dilate.h - 1, g.dilate.w - 1};
  dnnl::memory::dims W{s.o, s.c / s.groups, g.ksize.h, g.ksize.w};
  if (s.groups > 1) W = {s.groups, s.o / s.groups, s.c / s.groups, g.ksize.h, g.ksize.w};

  auto plan = std::make_unique<Plan>();
  const Desc plain_x(x, kFloat, Tag::nchw), plain_y(y, kFloat, Tag::nchw);
  const Desc plain_W(W, kFloat, s.groups > 1 ? Tag::goihw : Tag::oihw);
  plan->bias = Desc({s.o}, kFloat, Tag::x);
  const bool blocks = prefers_blocks(s, pass);
  const Desc any_x(x, kFloat, blocks ? Tag::any : Tag::nchw);
  const Desc any_y(y, kFloat, blocks ? Tag::any : Tag::nchw);
  const Desc any_W(W, kFloat, Tag::any);
  const bool has_bias = pass == Pass::forward_bias;

  const auto forward_desc =
      has_bias ? dnnl::convolution_forward::desc(dnnl::prop_kind::forward_training, kDirect, any_x,
                                                 any_W, plan->bias, any_y, strides, gaps, pad, pad)
               : dnnl::convolution_forward::desc(dnnl::prop_kind::forward_training, kDirect, any_x,
                                                 any_W, any_y, strides, gaps, pad, pad);
  const dnnl::convolution_forward::primitive_desc forward(forward_desc, with_room(), engine());
  if (pass == Pass::forward || has_bias) {
    plan->convolution = Step::of<dnnl::convolution_forward>(forward);
    plan->x = side(plain_x, forward.src_desc(), false);
    plan->W = side(plain_W, forward.weights_desc(), false);
    plan->y = side(plain_y, forward.dst_desc(), true);
  } else if (pass == Pass::data) {
    const dnnl::convolution_backward_data::desc desc(kDirect, any_x, any_W, any_y, strides, gaps,
                                                     pad, pad);
    const dnnl::convolution_backward_data::primitive_desc data(desc, with_room(), engine(),
                                                               forward);
    plan->convolution = Step::of<dnnl::convolution_backward_data>(data);
    plan->x = side(plain_x, data.diff_src_desc(), true);
    plan->W = side(plain_W, data.weights_desc(), false);
    plan->y = side(plain_y, data.diff_dst_desc(), false);
  } else {
    const dnnl::convolution_backward_weights::desc desc(kDirect, any_x, any_W, any_y, strides, gaps,
                                                        pad, pad);
    const dnnl::convolution_backward_weights::primitive_desc weights(desc, with_room(), engine(),
                                                                     forward);
    plan->convolution = Step::of<dnnl::convolution_backward_weights>(weights);
    plan->x = side(plain_x, weights.src_desc(), false);
    plan->W = side(plain_W, weights.diff_weights_desc(), true);
    plan->y = side(plain_y, weights.diff_dst_desc(), false);
  }
  return plan;
}

/// The plan of a convolution; the last ones are kept.
std::shared_ptr<Plan> plan_for(const ConvolutionShape& s, Pass pass) {
  constexpr std::size_t kMostPlans = 512;
  using Key = std::tuple<ConvolutionShape::Numbers, Pass, int>;
  static std::mutex& mutex = *new std::mutex;
  static auto& plans = *new std::map<Key, std::shared_ptr<Plan>>;
  static std::uint64_t clock = 0;
  const Key key = {s.numbers(), pass, cupyxx::extension::library_team_size()};
  const std::lock_guard lock(mutex);
  std::shared_ptr<Plan>& plan = plans[key];
  if (plan == nullptr) {
    try {
      plan = make_plan(s, pass);
    } catch (...) {
      plans.erase(key);
      throw;
    }
  }
  plan->last_use = ++clock;
  const std::shared_ptr<Plan> found = plan;
  if (plans.size() > kMostPlans) {
    auto oldest = plans.begin();
    for (auto i = plans.begin(); i != plans.end(); ++i) {
      if (i->second->last_use < oldest->second->last_use) oldest = i;
    }
    plans.erase(oldest);
  }
  return found;
}

/// An array in the format that the plan wants; the memory comes from our pool.
struct Operand {
  ndarray buffer;
  dnnl::memory plain, wanted;

  Operand(const Plan::Side& side, const ndarray& array)
      : plain(side.plain, engine(), array.elements()), wanted(plain) {
    if (side.is_same) return;
    const cupyxx::DeviceScope host(cupyxx::Device::cpu());
    buffer = cupyxx::empty({static_cast<std::int64_t>(side.wanted.get_size())}, cupyxx::uint8);
    wanted = dnnl::memory(side.wanted, engine(), buffer.elements());
  }
};

/// Runs a plan; `result` is the position of what it writes in (x, W, y), `arguments` their names.
void run(const Plan& plan, std::array<const ndarray*, 3> arrays, std::array<int, 3> arguments,
         std::size_t result, const ndarray& b) {
  dnnl::stream stream(engine());
  const std::array<const Plan::Side*, 3> sides = {&plan.x, &plan.W, &plan.y};
  std::unordered_map<int, dnnl::memory> memory;
  const Operand operands[] = {{plan.x, *arrays[0]}, {plan.W, *arrays[1]}, {plan.y, *arrays[2]}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!sides[i]->is_same && i != result) {
      sides[i]->there.execute(
          stream, {{DNNL_ARG_FROM, operands[i].plain}, {DNNL_ARG_TO, operands[i].wanted}});
    }
    memory.emplace(arguments[i], operands[i].wanted);
  }
  if (!b.is_none()) memory.emplace(DNNL_ARG_BIAS, dnnl::memory(plan.bias, engine(), b.elements()));
  plan.convolution.execute(stream, memory);
  if (!sides[result]->is_same) {
    sides[result]->back.execute(
        stream, {{DNNL_ARG_FROM, operands[result].wanted}, {DNNL_ARG_TO, operands[result].plain}});
  }
  stream.wait();
}

template <class Body>
void guarded(Body&& body) {
  const cupyxx::extension::LibraryTeam team(team_size());
  try {
    body();
  } catch (const dnnl::error& error) {
    throw cupyxx::Error(cupyxx::message("convolution_2d: oneDNN failed: ", error.what(),
                                        "; status ", static_cast<int>(error.status)));
  }
}

}  // namespace

void convolution_forward(const ConvolutionShape& shape, const ndarray& x, const ndarray& W,
                         const ndarray& b, const ndarray& y) {
  guarded([&] {
    const auto plan = plan_for(shape, b.is_none() ? Pass::forward : Pass::forward_bias);
    run(*plan, {&x, &W, &y}, {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST}, 2, b);
  });
}

void convolution_data(const ConvolutionShape& shape, const ndarray& W, const ndarray& gy,
                      const ndarray& gx) {
  guarded([&] {
    const auto plan = plan_for(shape, Pass::data);
    run(*plan, {&gx, &W, &gy}, {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST}, 0, {});
  });
}

void convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW) {
  guarded([&] {
    const auto plan = plan_for(shape, Pass::weights);
    run(*plan, {&x, &gW, &gy}, {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}, 1, {});
  });
}

}  // namespace chainerxx::internal::cpu
