// SPDX-License-Identifier: MIT
// The text of reductions. Every result is combined in an order that depends on the shape only.
#include "cupyxx/kernel/user_kernel/reduction.h"

namespace cupyxx::internal::user_kernel {

namespace {

// Whether a text asks for CuPy's `_in_ind.size()` or `_out_ind.size()`.
bool has_indexers(const ReductionSpecification& spec) {
  for (const std::string* text : {&spec.map, &spec.post_map}) {
    if (mentions(*text, "_in_ind") || mentions(*text, "_out_ind")) return true;
  }
  return false;
}

// Texts of one specialisation. Operands are numbered outputs first; the number after the last one
// counts elements in C order.
struct Writer {
  const ReductionSpecification& spec;
  const Binding& binding;
  const Raws& raws;
  const ReductionLayout& layout;
  bool on_host;
  std::vector<std::size_t> order = outputs_first(spec);

  std::string stride(std::size_t k) const {
    const std::string number = std::to_string(k);
    return on_host ? "_args.stride[" + number + " * _args.rank + _axis]"
                   : "_args.stride[" + number + "][_axis]";
  }

  const Parameter& parameter(std::size_t k) const { return spec.parameters[order[k]]; }
  const Argument& argument(std::size_t k) const { return binding.arguments[order[k]]; }

  // `_o<k> += ...` for the axes from `first` below `end`, from the number `_rest` of an element.
  // `wanted` says which operands have a place there.
  template <class Wanted>
  std::string walk(const std::string& first, const std::string& end, Wanted wanted) const {
    std::string text = "for (int _axis = static_cast<int>(" + end + ") - 1; _axis >= " + first +
                       "; --_axis) {\n"
                       "  const ck::i64 _at = _axis == " +
                       first +
                       " ? _rest : _rest % _args.extent[_axis];\n"
                       "  if (_axis != " +
                       first + ") _rest /= _args.extent[_axis];\n";
    for (std::size_t k = 0; k <= order.size(); ++k) {
      if (wanted(k)) text += "  _o" + std::to_string(k) + " += _at * " + stride(k) + ";\n";
    }
    return text + "}\n";
  }

  bool has_place(std::size_t k) const { return k == order.size() || !argument(k).is_number; }
  bool is_input(std::size_t k) const {
    return k == order.size() || (has_place(k) && !parameter(k).is_output);
  }

  std::string place(std::size_t k) const {
    const std::string type = jit::device_type(argument(k).array.dtype());
    return "*reinterpret_cast<" + std::string(parameter(k).is_output ? "" : "const ") + type +
           "*>(_args.data[" + std::to_string(k) + "] + _o" + std::to_string(k) + ")";
  }

  std::string constants() const {
    std::string text = "const ck::i64 n = _args.kept * _args.reduced;\n(void)n;\n";
    if (has_indexers(spec)) text += indexer("_in_ind", "n") + indexer("_out_ind", "_args.kept");
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!argument(k).is_number) continue;
      const std::string type = jit::device_type(argument(k).seen);
      text += "const " + type + " " + parameter(k).name + " = ck::immediate<" + type +
              ">(_args.immediate[" + std::to_string(k) + "]);\n";
    }
    for (std::size_t k = 0; k < raws.operands.size(); ++k) {
      const jit::RawOperand& raw = raws.operands[k];
      const std::string number = std::to_string(k);
      const std::string data = on_host ? "*static_cast<const ck::RawData<" +
                                             std::to_string(std::max(1, raw.rank)) +
                                             ">*>(_args.raw[" + number + "])"
                                       : "_raw" + number;
      text += "const " + jit::raw_type(raw) + " " + raw.name + "(" + data + ");\n";
    }
    return text;
  }

  // Sets `_sum` from the elements _j = begin, begin + step, ... below `end`.
  std::string accumulate(const std::string& begin, const std::string& end,
                         const std::string& step) const {
    std::string text = "bool _has = false;\nfor (ck::i64 _j = " + begin + "; _j < " + end +
                       "; _j += " + step + ") {\nck::i64 _rest = _j;\n";
    for (std::size_t k = 0; k <= order.size(); ++k) {
      const std::string number = std::to_string(k);
      if (is_input(k)) text += "ck::i64 _o" + number + " = _k" + number + ";\n";
    }
    text += walk("_first", "_args.rank", [&](std::size_t k) { return is_input(k); });
    text += "const ck::i64 i = _o" + std::to_string(order.size()) + ";\n(void)i;\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!is_input(k)) continue;
      const std::string seen = jit::device_type(argument(k).seen);
      text += "const " + seen + " " + parameter(k).name + " = cupyxx::ops::cast<" + seen + ">(" +
              place(k) + ");\n";
    }
    return text + "const _Reduced _value = static_cast<_Reduced>(\n" + spec.map +
           "\n);\n_sum = _has ? _combine(_sum, _value) : _value;\n_has = true;\n}\n";
  }

  std::string finish() const {
    std::string text = "{\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!parameter(k).is_output) continue;
      text += "const ck::i64 _o" + std::to_string(k) + " = _k" + std::to_string(k) + ";\n" +
              jit::device_type(argument(k).seen) + "& " + parameter(k).name + " = " + place(k) +
              ";\n";
    }
    text += "const ck::i64 i = _out;\n(void)i;\n{\n";
    if (spec.identity.empty()) {
      text += "const _Reduced a = _sum;\n";
    } else {
      text += "const _Reduced _identity = static_cast<_Reduced>(" + spec.identity +
              ");\nconst _Reduced a = _args.reduced == 0 ? _identity : _combine(_identity, "
              "_sum);\n";
    }
    return text + as_statement(spec.post_map) + "\n}\n}\n";
  }

  // Places of the result `_out`, of its outputs and of its first element.
  std::string locate() const {
    std::string text = "ck::i64 _rest = _out;\n";
    std::string keep;
    for (std::size_t k = 0; k <= order.size(); ++k) {
      if (!has_place(k)) continue;
      const std::string number = std::to_string(k);
      text += "ck::i64 _o" + number + " = 0;\n";
      keep += "const ck::i64 _k" + number + " = _o" + number + ";\n";
    }
    return text + walk("0", "_args.kept_rank", [&](std::size_t k) { return has_place(k); }) + keep +
           "const int _first = static_cast<int>(_args.kept_rank);\n_Reduced _sum;\n";
  }

  std::string host() const {
    // Partial results of 1024 elements keep the rounding error of long sums small.
    return R"(extern "C" __attribute__((visibility("default"))) void )" + spec.entry() +
           "(const ck::HostArgs& _args, ck::i64 _begin, ck::i64 _end) {\n" + constants() +
           "for (ck::i64 _out = _begin; _out < _end; ++_out) {\n" + locate() +
           "_Reduced _total;\n"
           "for (ck::i64 _from = 0; _from < _args.reduced; _from += 1024) {\n"
           "const ck::i64 _to = _args.reduced - _from < 1024 ? _args.reduced : _from + 1024;\n" +
           accumulate("_from", "_to", "1") +
           "_total = _from == 0 ? _sum : _combine(_total, _sum);\n}\n_sum = _total;\n" + finish() +
           "}\n}\n";
  }

  bool is_splat(std::size_t k) const { return (layout.splat >> k & 1u) != 0; }
  std::string stored(std::size_t k) const { return jit::device_type(argument(k).array.dtype()); }

  // Neighbouring elements of every input.
  std::string packets() const {
    std::string text = "template <int _V>\nstruct _Packet {\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!is_input(k)) continue;
      text += "ck::Vector<" + stored(k) + ", " + (is_splat(k) ? "1" : "_V") + "> v" +
              std::to_string(k) + ";\n";
    }
    return text + "};\n";
  }

  std::string load() const {
    std::string text = "const auto _load = [&]<int _V>(const ck::i64 (&_at)[" + places() +
                       "]) {\n_Packet<_V> _packet;\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!is_input(k)) continue;
      const std::string number = std::to_string(k);
      text += "_packet.v" + number + " = *reinterpret_cast<const ck::Vector<" + stored(k) + ", " +
              (is_splat(k) ? "1" : "_V") + ">*>(_args.data[" + number + "] + _at[" + number +
              "]);\n";
    }
    return text + "return _packet;\n};\n";
  }

  std::string map() const {
    std::string text =
        "const auto _map = [&](const auto& _packet, const int _e, const ck::i64 i) -> _Reduced {\n"
        "(void)_packet;\n(void)_e;\n(void)i;\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!is_input(k)) continue;
      const std::string seen = jit::device_type(argument(k).seen);
      text += "const " + seen + " " + parameter(k).name + " = cupyxx::ops::cast<" + seen +
              ">(_packet.v" + std::to_string(k) + ".at[" + (is_splat(k) ? "0" : "_e") + "]);\n";
    }
    return text + "return static_cast<_Reduced>(\n" + spec.map + "\n);\n};\n";
  }

  std::string head() const {
    const std::string bytes =
        std::to_string(layout.packet) + " * sizeof(" + stored(layout.main) + ")";
    return "const auto _head = [&](const ck::i64 (&_at)[" + places() +
           "]) -> ck::u32 {\nconst ck::u64 _beyond = reinterpret_cast<ck::u64>(_args.data[" +
           std::to_string(layout.main) + "] + _at[" + std::to_string(layout.main) + "]) % (" +
           bytes + ");\nreturn _beyond == 0 ? 0 : static_cast<ck::u32>((" + bytes +
           " - _beyond) / sizeof(" + stored(layout.main) + "));\n};\n";
  }

  std::string finish_part() const {
    std::string text =
        "const auto _finish = [&](const ck::Part<_Reduced>& _part, const ck::i64 (&_at)[" +
        places() +
        "], const ck::i64 _out) {\n(void)_out;\n"
        "const _Reduced& _sum = _part.value;\n(void)_sum;\n";
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (parameter(k).is_output) {
        text += "const ck::i64 _k" + std::to_string(k) + " = _at[" + std::to_string(k) + "];\n";
      }
    }
    return text + finish() + "};\n";
  }

  std::string places() const { return std::to_string(order.size() + 1); }

  std::string device() const {
    std::string text = packets() + "extern \"C\" __global__ void __launch_bounds__(256)\n" +
                       spec.entry() + "(const __grid_constant__ ck::UserReduceArgs<" +
                       std::to_string(layout.rank) + ", " + std::to_string(order.size()) +
                       "> _args";
    for (std::size_t k = 0; k < raws.operands.size(); ++k) {
      text += ",\n    const __grid_constant__ ck::RawData<" +
              std::to_string(std::max(1, raws.operands[k].rank)) + "> _raw" + std::to_string(k);
    }
    unsigned inputs = 0, everything = 0;  // operands with places
    for (std::size_t k = 0; k <= order.size(); ++k) {
      const bool counted = k < order.size() || spec.numbered;
      if (counted && is_input(k)) inputs |= 1u << k;
      if (counted && has_place(k)) everything |= 1u << k;
    }
    const bool rows = layout.kernel == gpu::ReduceKernel::rows;
    const char* kernel = rows                                             ? "user_rows"
                         : layout.kernel == gpu::ReduceKernel::rows_short ? "user_rows_short"
                                                                          : "user_columns";
    return text + ") {\n" + jit::kWaitForKernelBefore + constants() + load() + map() +
           (rows ? head() : "") +
           "const auto _fold = [](const _Reduced& _x, const _Reduced& _y) { return _combine(_x, "
           "_y); "
           "};\n" +
           finish_part() + "ck::" + kernel + "<_Reduced, " + (layout.wide ? "ck::u64" : "ck::u32") +
           ", " + std::to_string(layout.packet) + ", " + std::to_string(inputs) + "u, " +
           std::to_string(everything) + "u>(_args, " + (rows ? "_head, " : "") +
           "_load, _map, _fold, _finish);\n}\n";
  }
};

// A NumPy name becomes C++; anything else is C++ already.
std::string reduced_type(const std::string& text) {
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    const dtype type{static_cast<dtype::Code>(code)};
    if (type.name() == text) return jit::device_type(type);
  }
  return text;
}

}  // namespace

std::int64_t reduced_bytes(const ReductionSpecification& spec, const Binding& binding) {
  const std::string& type = spec.reduce_type;
  if (type.empty()) return binding.arguments[spec.nin].seen.itemsize();
  for (const auto& [letter, dtype] : binding.placeholders) {
    if (type == std::string(1, letter)) return dtype.itemsize();
  }
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    const dtype known{static_cast<dtype::Code>(code)};
    if (known.name() == type || jit::device_type(known) == type) return known.itemsize();
  }
  return spec.most_bytes;
}

std::string write_reduction(const ReductionSpecification& spec, const Binding& binding,
                            const Raws& raws, const ReductionLayout& layout, bool on_host) {
  const Writer writer{spec, binding, raws, layout, on_host};
  const std::string type = spec.reduce_type.empty()
                               ? std::string(jit::device_type(binding.arguments[spec.nin].seen))
                               : reduced_type(spec.reduce_type);
  return "#include \"cupyxx/internal/kernels/" +
         std::string(on_host ? "user_kernel" : "user_reduce") +
         ".h\"\nnamespace ck = cupyxx::internal::kernels;\n" +
         (has_indexers(spec) ? indexer_type() : "") +
         preamble(spec, binding, {spec.map, spec.reduce, spec.post_map, type}) + "typedef " + type +
         " _Reduced;\n"
         "static CUPYXX_FN _Reduced _combine(const _Reduced a, const _Reduced b) {\n"
         "return static_cast<_Reduced>(\n" +
         spec.reduce + "\n);\n}\n" + (on_host ? writer.host() : writer.device());
}

}  // namespace cupyxx::internal::user_kernel
