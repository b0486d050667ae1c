// SPDX-License-Identifier: MIT
// Layers that are applied one behind the other.
//
//   chainerxx::Sequential model(chainerxx::layer<F::Linear>(784, 100), F::ReLU(),
//                               chainerxx::layer<F::Linear>(100, 10));
//   Variable y = model(x);
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "cupyxx/export.h"

namespace chainerxx {

class Sequential;

/// How a layer of a Sequential is made once more.
enum class CopyMode : std::uint8_t {
  init,  ///< with new starting values
  copy,  ///< with copies of its arrays
  share  ///< with the same arrays: the layers are tied
};

/// One of the layers: a function, a set, or anything that makes a variable of a variable.
class CUPYXX_API SequentialLayer {
 public:
  /// A function; one with arrays of its own is taken over as it is.
  template <std::derived_from<Function> F>
  SequentialLayer(F function)  // NOLINT(google-explicit-constructor)
      : type_(&typeid(F)), call_(caller<F, Function>()) {
    if (function.fields().empty()) {
      make_plain(std::make_shared<const F>(std::move(function)));
    } else {
      const auto made = std::make_shared<const F>(std::move(function));
      make_ = [made] { return Made{made->clone(), nullptr}; };
    }
  }
  /// Another callable of a variable: a lambda, say.
  template <class Call>
  requires(!std::derived_from<Call, Function> && !std::derived_from<Call, FunctionSet> &&
           !std::same_as<Call, SequentialLayer> &&
           !std::same_as<std::decay_t<Call>, Variable (*)(const Variable&, bool)> &&
           !std::same_as<std::decay_t<Call>, Variable (*)(const Variable&, double)> &&
           std::is_invocable_r_v<Variable, const Call&, const Variable&>)
      SequentialLayer(Call call)  // NOLINT(google-explicit-constructor)
      : type_(&typeid(Call)),
        call_([call](Function*, FunctionSet*, const Variable& x) { return Variable(call(x)); }) {}
  /// `F::relu`, `F::sigmoid`, `F::tanh`, `F::softmax`, `F::log_softmax` and `F::gelu`, with their
  /// defaults. Throws TypeError for another function with a switch behind the variable, whose
  /// default is not known here: that stands in a lambda.
  SequentialLayer(Variable (*function)(const Variable& x, bool));  // NOLINT
  /// `F::leaky_relu`, `F::elu`, `F::clipped_relu`, `F::softplus` and `F::swish` likewise.
  SequentialLayer(Variable (*function)(const Variable& x, double));  // NOLINT
  /// Not a set of one's own, of which a Sequential makes as many as it needs.
  template <std::derived_from<FunctionSet> S>
  requires(!std::derived_from<S, Sequential>) SequentialLayer(const S& /*set*/) {  // NOLINT
    static_assert(internal::kNever<S>,
                  "write chainerxx::layer<Block>(64), with the set's type and what it is made of, "
                  "for Block(64)");
  }
  /// A Sequential inside of another one: one with the same arrays, so that both train.
  SequentialLayer(const Sequential& layers);  // NOLINT(google-explicit-constructor)

 private:
  friend class Sequential;
  template <class T, class... Args>
  friend SequentialLayer layer(Args&&... args);

  /// Either of them, or none for a plain callable.
  struct Made {
    std::unique_ptr<Function> function;
    std::unique_ptr<FunctionSet> set;
  };
  using Call = std::function<Variable(Function*, FunctionSet*, const Variable&)>;

  SequentialLayer() = default;
  template <class T, class Base>
  static Call caller() {
    static_assert(std::is_invocable_r_v<Variable, T&, const Variable&>,
                  "a layer of a Sequential makes one variable of one variable");
    return [](Function* function, FunctionSet* set, const Variable& x) -> Variable {
      if constexpr (std::same_as<Base, Function>) {
        return static_cast<T&>(*function)(x);
      } else {
        return static_cast<T&>(*set)(x);
      }
    };
  }
  template <class F>
  void make_plain(std::shared_ptr<const F> function) {
    call_ = [function](Function*, FunctionSet*, const Variable& x) -> Variable {
      return F(*function)(x);
    };
  }

  const std::type_info* type_ = nullptr;
  std::function<Made()> make_;  // null for plain callables
  bool makes_anew_ = false;     // make_ draws starting values
  Call call_;
};

/// A layer that is made of arguments, where it is needed and as often as it is needed:
/// `layer<F::Linear>(784, 100)`, or a set, `layer<Block>(64)`.
template <class T, class... Args>
SequentialLayer layer(Args&&... args) {
  constexpr bool is_set = std::derived_from<T, FunctionSet>;
  static_assert(is_set || std::derived_from<T, Function>, "a layer is a function or a set");
  SequentialLayer made;
  made.type_ = &typeid(T);
  made.makes_anew_ = true;
  made.call_ = SequentialLayer::caller<T, std::conditional_t<is_set, FunctionSet, Function>>();
  made.make_ = [kept = std::tuple<std::decay_t<Args>...>(std::forward<Args>(args)...)] {
    return std::apply(
        [](const auto&... each) {
          SequentialLayer::Made result;
          if constexpr (is_set) {
            result.set = std::make_unique<T>(each...);
          } else {
            result.function = std::make_unique<T>(each...);
          }
          return result;
        },
        kept);
  };
  return made;
}

/// A FunctionSet that applies its layers in their order. Those with arrays are its children "0",
/// "1", ..., counted without the others. While deep_copy makes a Sequential its layers are those of
/// the source.
class CUPYXX_API Sequential : public FunctionSet {
 public:
  Sequential() = default;
  template <class... Layers>
  requires(sizeof...(Layers) > 0 && (std::convertible_to<Layers, SequentialLayer> &&
                                     ...)) explicit Sequential(Layers&&... layers) {
    (append(std::forward<Layers>(layers)), ...);
  }
  /// The same where a function with several forms, as F::gelu, is among up to twelve layers.
  explicit Sequential(const SequentialLayer& first, const SequentialLayer& second = {},
                      const SequentialLayer& third = {}, const SequentialLayer& fourth = {},
                      const SequentialLayer& fifth = {}, const SequentialLayer& sixth = {},
                      const SequentialLayer& seventh = {}, const SequentialLayer& eighth = {},
                      const SequentialLayer& ninth = {}, const SequentialLayer& tenth = {},
                      const SequentialLayer& eleventh = {}, const SequentialLayer& twelfth = {});

  /// The layers one behind the other; x itself without any.
  Variable operator()(const Variable& x);

  /// Adds a layer at the end.
  Sequential& append(const SequentialLayer& layer);
  /// Adds a layer before number `index`; negative numbers count from the end. Children behind it
  /// get other names. Throws IndexError beyond the layers there are.
  Sequential& insert(std::int64_t index, const SequentialLayer& layer);
  /// Takes a layer out, the last by default; references to it end. Throws IndexError where there is
  /// none of that number.
  void pop(std::int64_t index = -1);
  /// Puts a layer in the place of number `index`, which is taken out.
  Sequential& replace(std::int64_t index, const SequentialLayer& layer);
  /// Takes all layers out.
  void clear();
  /// How many layers there are, those without arrays among them.
  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }

  /// A layer by its number and type. Throws IndexError where there is none of that number,
  /// TypeError for one of another type and for what has no arrays.
  template <class T>
  T& get(std::int64_t index) {
    const Entry& entry = at(index);
    check_type(entry, index, typeid(T));
    if constexpr (std::derived_from<T, FunctionSet>) {
      return static_cast<T&>(*entry.set);
    } else {
      return static_cast<T&>(*entry.function);
    }
  }
  /// How many layers have a type: `model.count_by_layer_type<F::Linear>()`.
  template <class T>
  std::int64_t count_by_layer_type() const {
    return count_of(typeid(T));
  }
  /// Takes all layers of a type out.
  template <class T>
  void remove_by_layer_type() {
    remove_all(typeid(T));
  }

  /// The same layers once more. Throws ValueError for CopyMode::init where a layer was given as an
  /// object, whose starting values cannot be drawn again: layer<F::Linear>(784, 100) can be.
  Sequential copy(CopyMode mode = CopyMode::copy) const;
  /// A Sequential of `n_repeat` copies of this one, none where that is not positive. With
  /// CopyMode::init each of them has starting values of its own.
  Sequential repeat(std::int64_t n_repeat, CopyMode mode = CopyMode::init) const;
  /// A Sequential whose layers are those of the Sequentials inside of this one, with the same
  /// arrays.
  Sequential flatten() const;

 protected:
  void complete_copy(const FunctionSet& source) override;

 private:
  friend class SequentialLayer;
  struct Entry {
    SequentialLayer layer;         // without the object that it was made of
    Function* function = nullptr;  // of the child, or null
    FunctionSet* set = nullptr;
  };
  struct Repeated {
    const Sequential& source;
    std::int64_t count;
    CopyMode mode;
  };
  struct Copied {
    const Sequential& source;
    CopyMode mode;
  };
  struct Flattened {
    const Sequential& source;
  };
  explicit Sequential(const Repeated& how);
  explicit Sequential(const Copied& how);
  explicit Sequential(const Flattened& how);

  const Entry& at(std::int64_t index) const;
  static void check_type(const Entry& entry, std::int64_t index, const std::type_info& type);
  std::int64_t count_of(const std::type_info& type) const;
  void remove_all(const std::type_info& type);
  void place(std::size_t index, const SequentialLayer& layer, SequentialLayer::Made made);
  void remove(std::size_t index);
  void take_layers(const Sequential& source, CopyMode mode);
  void rename_children();
  static SequentialLayer::Made copied(const Entry& entry, std::size_t index, CopyMode mode);
  static std::unique_ptr<FunctionSet> copied_set(const Entry& entry, CopyMode mode);
  void append_flat(const Sequential& source);

  std::vector<Entry> entries_;
};

}  // namespace chainerxx
