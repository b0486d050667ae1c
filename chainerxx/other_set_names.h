// SPDX-License-Identifier: MIT
// What people type of models that has another form here: each says at compile time which.
#pragma once

#include "chainerxx/other_names.h"

namespace chainerxx::internal {

/// A base of sets, with names of sets alone.
class OtherSetNames : public OtherModelNames {
 public:
  template <class... A>
  void train(const A&...) const {
    static_assert(kNever<A...>,
                  "training is the default: write `const chainerxx::using_config "
                  "test(\"train\", false);` in the scope that evaluates");
  }
  template <class... A>
  void disable_update(const A&...) const {
    static_assert(kNever<A...>, R"(write optimizer.add_group("frozen", {"block"}, {.rate = 0}))");
  }
  template <class... A>
  void enable_update(const A&...) const {
    static_assert(kNever<A...>, "write optimizer.group(\"frozen\").rate = 1");
  }
  template <class... A>
  void init_scope(const A&...) const {
    static_assert(kNever<A...>, "write L::Linear& l1 = add(\"l1\", L::Linear(784, 100))");
  }
  template <class... A>
  void register_module(const A&... a) const {
    init_scope(a...);
  }
  template <class... A>
  void to(const A&...) const {
    static_assert(kNever<A...>,
                  "write model.to_gpu(0) or model.to_cpu(), or model.astype(cupyxx::float64)");
  }
  template <class... A>
  void cuda(const A&...) const {
    static_assert(kNever<A...>, "write model.to_gpu(0)");
  }
  template <class... A>
  void state_dict(const A&...) const {
    static_assert(kNever<A...>, "write model.fields(), or chainerxx::save_npz(path, model)");
  }
  template <class... A>
  void copy(const A&...) const {
    static_assert(kNever<A...>, "write auto other = chainerxx::deep_copy(model)");
  }
  template <class... A>
  void clone(const A&... a) const {
    copy(a...);
  }
  template <class... A>
  void named_parameters(const A&...) const {
    static_assert(kNever<A...>, "write for (auto& [name, p] : model.namedparams())");
  }
  template <class... A>
  void children(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void links(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void namedlinks(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void modules(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void named_modules(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void named_children(const A&...) const {
    static_assert(kNever<A...>,
                  "write for (const std::string& name : model.names()), whose layer is model[name] "
                  "and whose set model.set(name); std::cout << model prints all");
  }
  template <class... A>
  void load_state_dict(const A&...) const {
    static_assert(kNever<A...>,
                  "write model.copyparams(other), or chainerxx::load_npz(path, model)");
  }

 protected:
  OtherSetNames() = default;
  OtherSetNames(const OtherSetNames&) = default;
  OtherSetNames& operator=(const OtherSetNames&) = default;
  ~OtherSetNames() = default;
};

}  // namespace chainerxx::internal
