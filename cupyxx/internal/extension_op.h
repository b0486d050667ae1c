// SPDX-License-Identifier: MIT
// The ufuncs of operations outside of cupyxx. Included by sources that cupyxx_ops (in
// extension/ops.bzl) writes, which have the text of the operations' header for kernels.
#pragma once

#include "cupyxx/extension/device_text.h"
#include "cupyxx/internal/make_op_info.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal {

/// A number for an operation that is used for the first time. Throws ValueError when too many are.
int take_op_id(const char* name);

/// The ufunc of an operation; lives for ever.
template <class Op, class EmbeddedFile>
const ufunc& make_extension_ufunc(const char* header, const EmbeddedFile* files,
                                  unsigned long count) {
  extension::add_device_texts(files, count);
  return *new ufunc(*new OpInfo(make_op_info<Op>(header, take_op_id(Op::name))));
}

/// Makes the compiler emit ufunc_of() of all operations of a list.
template <class List>
struct EmitUfuncs;
template <class... Op>
struct EmitUfuncs<ops::OpList<Op...>> {
  using Getter = const ufunc& (*)();
  static const Getter getters[];
};
template <class... Op>
[[gnu::used]] const typename EmitUfuncs<ops::OpList<Op...>>::Getter
    EmitUfuncs<ops::OpList<Op...>>::getters[] = {&ufunc_of<Op>...};

}  // namespace cupyxx::internal

/// `List` and the namespace `texts` (of a cx_embed_text) by their full names.
#define CUPYXX_REGISTER_EXTENSION(List, header, texts)                           \
  namespace cupyxx::internal {                                                   \
  template <class Op>                                                            \
  const ufunc& ufunc_of() {                                                      \
    static const ufunc& made =                                                   \
        make_extension_ufunc<Op>(header, ::texts::kFiles, ::texts::kFilesCount); \
    return made;                                                                 \
  }                                                                              \
  template struct EmitUfuncs<::List>;                                            \
  }
