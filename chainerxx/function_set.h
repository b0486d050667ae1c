// SPDX-License-Identifier: MIT
// Functions with parameters, by name.
//
//   struct Mlp : chainerxx::FunctionSet {
//     F::Linear& l1 = add("l1", F::Linear(784, 100));
//     F::Linear& l2 = add("l2", F::Linear(100, 10));
//     Variable operator()(const Variable& x) { return l2(F::relu(l1(x))); }
//   } model;
//   auto copy = chainerxx::deep_copy(model);
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/other_set_names.h"
#include "chainerxx/set_parameter.h"
#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

/// An array of a set, by its path: "l1/W".
struct NamedField {
  std::string name;
  ndarray* array;
  ndarray* gradient;  // null for states, which are not trained
};

/// The arrays of parameters and of their gradients, in one order.
struct ParametersAndGradients {
  std::vector<ndarray> parameters;
  std::vector<ndarray> gradients;
};

class FunctionSet;
class Sequential;

namespace internal {
/// A layer that waits for its sizes, which the shape of its first array says.
struct CUPYXX_API UnsizedLayer {
  std::string first_array;  // "block/l1/W"
  Function* layer;

  /// Gives it them; false for a shape of other axes.
  bool size(const cupyxx::Shape& shape) const;
};
CUPYXX_API std::vector<UnsizedLayer> unsized_layers(FunctionSet& set);
/// FunctionSet::fields() with the null arrays of layers that wait for their sizes.
CUPYXX_API std::vector<NamedField> fields_with_unsized(FunctionSet& set);
/// Counts the layers that sets of this process have got and lost, for those that know them by
/// heart.
CUPYXX_API std::uint64_t layer_changes() noexcept;
void note_layer_change() noexcept;
/// Where a set is, wherever it moves; null behind its end.
CUPYXX_API std::shared_ptr<FunctionSet* const> place_of(FunctionSet& set);
/// Throws ValueError, naming the first parameter without a size, where one waits for it.
CUPYXX_API void check_sized(const char* operation, const FunctionSet& set);

/// An argument as it is kept: text that stands elsewhere as a string.
template <class T>
using Kept = std::conditional_t<std::is_convertible_v<const T&, std::string_view>, std::string,
                                std::decay_t<T>>;
/// Whether T points to what may die before.
template <class T>
inline constexpr bool kRefers = std::is_pointer_v<T>;
template <class T, std::size_t N>
inline constexpr bool kRefers<std::span<T, N>> = true;
template <class T>
inline constexpr bool kRefers<std::initializer_list<T>> = true;
template <class T>
inline constexpr bool kRefers<std::reference_wrapper<T>> = true;
/// What a set may keep of the arguments of another one that it made: no arrays, which would then
/// live twice, and nothing that refers to what may be gone.
template <class T>
concept KeptArgument =
    std::copy_constructible<T> && !kRefers<T> && !std::derived_from<T, Function> &&
    !std::derived_from<T, ndarray> && !std::derived_from<T, Variable>;
}  // namespace internal

/// For deep_copy: sets made in this scope clone the children of a source.
class CUPYXX_API DeepCopyScope {
 public:
  explicit DeepCopyScope(const FunctionSet& source);
  ~DeepCopyScope() noexcept(false);
  DeepCopyScope(const DeepCopyScope&) = delete;
  DeepCopyScope& operator=(const DeepCopyScope&) = delete;

 private:
  friend class FunctionSet;
  const FunctionSet* pending_;  // the source of the next set that is made
  FunctionSet* made_ = nullptr;
  DeepCopyScope* outer_;
  int exceptions_;
};

/// Owns functions and other sets, each with a name. Sets are not copied: deep_copy makes another
/// one. One that is moved, `add("block", Block(64))`, takes its children along, so that members may
/// refer to what add() returned; what refers to the set itself may not.
///
/// Layers are tied by copying a handle and that of its gradient, `out.W = embed.W; out.gW =
/// embed.gW`. What is tied stays so in copies and on other devices; it counts once among the
/// parameters, is updated once, and stands in files under each of its names.
class CUPYXX_API FunctionSet : public internal::OtherSetNames {
 public:
  FunctionSet();
  virtual ~FunctionSet();
  FunctionSet(const FunctionSet&) = delete;  // a second model: deep_copy(model)
  FunctionSet& operator=(const FunctionSet&) = delete;
  /// Takes the children over; the other set is empty afterwards.
  FunctionSet(FunctionSet&& other);  // NOLINT: within deep_copy it copies arrays

  /// Takes a function over and returns it where it now lives. Throws ValueError for a name that is
  /// taken, empty or contains '/'.
  template <std::derived_from<Function> F>
  F& add(const std::string& name, F function) {
    std::unique_ptr<Function> child = clone_of_source(name, typeid(F));
    if (child == nullptr) child = std::make_unique<F>(std::move(function));
    F& place = static_cast<F&>(*child);
    insert(name, std::move(child), nullptr);
    return place;
  }
  /// Makes a set inside this one: `Block& block = add<Block>("block", arguments...)`.
  template <std::derived_from<FunctionSet> Set, class... Args>
  Set& add(const std::string& name, Args&&... args) {
    return make<Set>(name, std::forward<Args>(args)...);
  }
  /// The same with a set that was made for it: `add("block", Block(64))`.
  template <class Set>
  requires std::derived_from<std::remove_cvref_t<Set>, FunctionSet> std::remove_cvref_t<Set>
  &add(const std::string& name, Set&& set) {
    static_assert(!std::is_lvalue_reference_v<Set>,
                  "a set owns its children: write Block& block = add<Block>(\"block\", arguments), "
                  "or give it away by std::move(block)");
    return make<std::remove_cvref_t<Set>>(name, std::forward<Set>(set));
  }
  /// add() as Chainer calls it since 1.5.
  template <class Child>
  decltype(auto) add_link(const std::string& name, Child&& child) {
    return add(name, std::forward<Child>(child));
  }
  template <std::derived_from<FunctionSet> Set, class... Args>
  Set& add_link(const std::string& name, Args&&... args) {
    return make<Set>(name, std::forward<Args>(args)...);
  }

  /// Puts a function in the place of another one, to train a new last layer, say: with the name and
  /// the place among the parameters of the old one; an optimizer takes up its parameters. One of
  /// the same type is moved into the old object, so that what add() returned refers to the new
  /// layer. An old one of another type lives as long as the set, but is no part of it any more.
  /// Throws IndexError where there is no child of that name.
  template <std::derived_from<Function> F>
  F& replace(const std::string& name, F function) {
    Child& child = own(name);
    std::unique_ptr<Function> fresh = clone_of_source(name, typeid(F));
    if (fresh == nullptr) fresh = std::make_unique<F>(std::move(function));
    F& made = static_cast<F&>(*fresh);
    Function* const old = child.function.get();
    if (old != nullptr && typeid(*old) == typeid(F)) return static_cast<F&>(*old) = std::move(made);
    put(child, std::move(fresh), nullptr);
    return made;
  }
  /// The same with a set that is made in this one. What add() returned for the old one refers to
  /// what is no part of the set any more.
  template <std::derived_from<FunctionSet> Set, class... Args>
  Set& replace(const std::string& name, Args&&... args) {
    Child& child = own(name);
    const NestedScope nested(*this, name);
    const SetMaker again = maker<Set>(args...);
    auto fresh = std::make_unique<Set>(std::forward<Args>(args)...);
    Set& made = *fresh;
    put(child, nullptr, std::move(fresh), again);
    return made;
  }

  /// The function of a name; "block/l1" is l1 of the set "block". Throws IndexError.
  Function& operator[](std::string_view path);
  const Function& operator[](std::string_view path) const;
  /// The set of a name.
  FunctionSet& set(std::string_view path);
  /// Whether there is a function or set of that name.
  bool contains(std::string_view path) const;
  /// Names of the functions and sets, in the order they were added.
  std::vector<std::string> names() const;

  /// The arrays that are not null, in the order of the functions. Throws ValueError while a layer
  /// waits for its size: see InputSize.
  std::vector<ndarray> parameters() const;
  std::vector<ndarray> gradients() const;
  /// Fills all gradients with 0; passes over layers that wait for their sizes.
  void zero_grads();
  /// The same: what makes room for new gradients in later Chainer.
  void cleargrads() { zero_grads(); }
  void zerograds() { zero_grads(); }
  /// As PyTorch calls it.
  void zero_grad() { zero_grads(); }
  /// parameters() and gradients().
  ParametersAndGradients collect_parameters() const { return {parameters(), gradients()}; }
  /// The parameters with their gradients and names, in the same order, and by their names. Throw as
  /// parameters() does.
  std::vector<SetParameter> params();
  std::vector<std::pair<std::string, SetParameter>> namedparams();
  /// How many numbers the parameters have together.
  std::int64_t count_params() const;
  /// All arrays with their names, states included; null ones are passed over.
  std::vector<NamedField> fields();
  /// Copies elements into the parameters, from any device. Throws ValueError for another number of
  /// arrays or None, and ShapeError for another shape, before anything is written.
  void copy_parameters_from(std::span<const ndarray> parameters);
  /// The same from another set, by the names of arrays, states such as running means included; a
  /// layer that waits for its size takes that of the other's. Throws ValueError where an array of
  /// this set is missing there, ShapeError for another shape, before anything is written.
  void copyparams(const FunctionSet& source);
  /// Adds the gradients of another set, from any device, by the names of parameters. Throws
  /// ValueError where a parameter of this set has no gradient there, ShapeError for another shape,
  /// before anything is added.
  void addgrads(const FunctionSet& source);

  /// Moves all arrays; the parameters then are other arrays.
  FunctionSet& to_cpu();
  /// To the current CUDA device (cuda::Device()), or a given one. Throws DeviceError when there is
  /// none such, and ValueError for the host.
  FunctionSet& to_gpu();
  FunctionSet& to_gpu(int device);
  FunctionSet& to_gpu(cupyxx::Device device);
  /// Gives all floating arrays another dtype, as to_cpu() another device: parameters, gradients and
  /// states, `model.astype(cupyxx::float64)`. Recurrent layers want reset_state() then. Throws
  /// DtypeError for a dtype that is not floating, ValueError while a layer waits for its size.
  FunctionSet& astype(cupyxx::dtype dtype);

 protected:
  /// For deep_copy, at its end: takes copies of what `source` has and this set, a new one of its
  /// type, has not. A set with more than children adds to this.
  virtual void complete_copy(const FunctionSet& source);

 private:
  friend class DeepCopyScope;
  friend class Sequential;
  friend std::vector<internal::UnsizedLayer> internal::unsized_layers(FunctionSet& set);
  friend std::vector<NamedField> internal::fields_with_unsized(FunctionSet& set);
  friend std::shared_ptr<FunctionSet* const> internal::place_of(FunctionSet& set);
  friend CUPYXX_API std::ostream& operator<<(std::ostream& os, const FunctionSet& set);
  using SetMaker = std::function<std::unique_ptr<FunctionSet>()>;
  struct Child {
    std::string name;
    std::unique_ptr<Function> function;  // either this
    std::unique_ptr<FunctionSet> set;    // or this
    SetMaker make;                       // another one of the set's type, or null
  };
  template <class Set, class... Args>
  Set& make(const std::string& name, Args&&... args) {
    const NestedScope nested(*this, name);
    const SetMaker again = maker<Set>(args...);
    auto child = std::make_unique<Set>(std::forward<Args>(args)...);
    Set& place = *child;
    insert(name, nullptr, std::move(child), again);
    return place;
  }
  /// What makes a set again with arguments that can be kept; null for others.
  template <class Set, class... Args>
  static SetMaker maker(const Args&... args) {
    if constexpr (std::same_as<Set, Sequential>) {
      return []() -> std::unique_ptr<FunctionSet> { return std::make_unique<Set>(); };
    } else if constexpr ((internal::KeptArgument<internal::Kept<Args>> && ...) &&
                         std::constructible_from<Set, const internal::Kept<Args>&...>) {
      return [kept = std::tuple<internal::Kept<Args>...>(args...)] {
        return std::apply(
            [](const auto&... each) -> std::unique_ptr<FunctionSet> {
              return std::make_unique<Set>(each...);
            },
            kept);
      };
    } else {
      return nullptr;
    }
  }
  /// While a nested set is made by deep_copy, its source is the child of the same name.
  class CUPYXX_API NestedScope {
   public:
    NestedScope(FunctionSet& parent, const std::string& name);

   private:
    std::optional<DeepCopyScope> scope_;
  };

  std::unique_ptr<Function> clone_of_source(const std::string& name,
                                            const std::type_info& type) const;
  void insert(const std::string& name, std::unique_ptr<Function> function,
              std::unique_ptr<FunctionSet> set, const SetMaker& make = nullptr);
  Child& own(const std::string& name);
  void put(Child& child, std::unique_ptr<Function> function, std::unique_ptr<FunctionSet> set,
           const SetMaker& make = nullptr);
  const Child* find(std::string_view path) const;
  const Child& at(std::string_view path) const;
  void append_fields(const std::string& prefix, bool with_unsized, std::vector<NamedField>& out);
  void append_unsized(const std::string& prefix, std::vector<internal::UnsizedLayer>& out);
  void move_to(cupyxx::Device device);
  void finish_copy();
  void take_arrays_of(const FunctionSet& source);
  void print(std::ostream& os, const std::string& indent) const;

  std::vector<Child> children_;
  std::vector<Child> replaced_;
  std::shared_ptr<FunctionSet*> place_;  // for those that refer to this set, or null
  const FunctionSet* source_;            // set while deep_copy makes this set
  bool takes_arrays_ = false;            // it has children already
};

/// Prints what a set consists of, a child a line: `Mlp(` / `  (l1): Linear(W (100, 784), b (100,))`
/// / `)`.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const FunctionSet& set);

/// Another set of the same type with its own copies of all arrays, on the same devices. The type is
/// made anew with `args`, which should be those of the source; nothing random is drawn.
template <std::derived_from<FunctionSet> Set, class... Args>
Set deep_copy(const Set& source, Args&&... args) {
  static_assert(std::is_constructible_v<Set, Args...>,
                "the model is made anew: write deep_copy(model, 784, 10), with what its "
                "constructor takes");
  const DeepCopyScope scope(source);
  return Set(std::forward<Args>(args)...);
}

}  // namespace chainerxx
