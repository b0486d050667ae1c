// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::jit {

namespace {

// `T name = value;`, or a reference for an output.
std::string declare(const ElementwiseOperand& operand, const std::string& value) {
  const std::string type = device_type(operand.type);
  if (operand.is_output) return type + "& " + operand.name + " = " + value + ";\n";
  if (!operand.seen || operand.seen == operand.type) {
    return "const " + type + " " + operand.name + " = " + value + ";\n";
  }
  const std::string seen = device_type(operand.seen);
  return "const " + seen + " " + operand.name + " = cupyxx::ops::cast<" + seen + ">(" + value +
         ");\n";
}

}  // namespace

std::string write_elementwise_host(const ElementwiseSource& source) {
  std::string text =
      "#include \"cupyxx/internal/kernels/user_kernel.h\"\n"
      "namespace ck = cupyxx::internal::kernels;\n" +
      source.preamble + R"(extern "C" __attribute__((visibility("default"))) void )" +
      source.entry +
      "(\n    const ck::HostArgs& _args, ck::i64 _begin, ck::i64 _end) {\n"
      "  const ck::i64 n = _args.size;\n  (void)n;\n";
  const std::string rank = std::to_string(source.layout.rank);
  const bool strided = source.layout.form != Form::contiguous;
  std::string offsets, decompose, last, advance, values;
  for (std::size_t k = 0; k < source.operands.size(); ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    const std::string number = std::to_string(k);
    const std::string type = device_type(operand.type);
    if (operand.access == Access::scalar) {
      text +=
          "  " + declare(operand, "ck::immediate<" + type + ">(_args.immediate[" + number + "])");
      continue;
    }
    const std::string pointer = (operand.is_output ? "" : "const ") + type + "*";
    if (!strided) {
      text += "  auto* _p" + number + " = reinterpret_cast<" + pointer + ">(_args.data[" + number +
              "]);\n";
      values += "    " + declare(operand, "_p" + number + "[_i]");
      continue;
    }
    const std::string stride = "_args.stride[" + number + " * " + rank + " + ";
    offsets += "    char* _p" + number + " = _args.data[" + number + "];\n";
    decompose += "      _p" + number + " += _at * " + stride + "_axis];\n";
    last += "    _p" + number + " += _rest * " + stride + "0];\n";
    text += "  const ck::i64 _s" + number + " = " + stride + rank + " - 1];\n";
    advance += ", _p" + number + " += _s" + number;
    values += "    " + declare(operand, "*reinterpret_cast<" + pointer + ">(_p" + number + ")");
  }
  for (std::size_t k = 0; k < source.raws.size(); ++k) {
    const RawOperand& raw = source.raws[k];
    const std::string data = "ck::RawData<" + std::to_string(raw.rank > 1 ? raw.rank : 1) + ">";
    text += "  const " + raw_type(raw) + " " + raw.name + "(*static_cast<const " + data +
            "*>(_args.raw[" + std::to_string(k) + "]));\n";
  }
  if (!source.loop_prep.empty()) text += "  " + source.loop_prep + "\n";
  const std::string body =
      "    const ck::i64 i = _i;\n    (void)i;\n" + values + "    {\n" + source.body + "\n    }\n";
  if (!strided) {
    text += "  for (ck::i64 _i = _begin; _i < _end; ++_i) {\n" + body + "  }\n";
  } else {
    // Row by row along the last axis.
    text +=
        "  ck::i64 _row = _begin;\n  while (_row < _end) {\n"
        "    ck::i64 _rest = _row;\n    ck::i64 _left = _end - _row;\n" +
        offsets + "    for (int _axis = " + rank +
        " - 1; _axis > 0; --_axis) {\n"
        "      const ck::i64 _at = _rest % _args.extent[_axis];\n"
        "      if (_axis == " +
        rank + " - 1 && _args.extent[_axis] - _at < _left) _left = _args.extent[_axis] - _at;\n" +
        decompose + "      _rest /= _args.extent[_axis];\n    }\n" + last +
        "    const ck::i64 _stop = _row + _left;\n"
        "    for (ck::i64 _i = _row; _i < _stop; ++_i" +
        advance + ") {\n" + body + "    }\n    _row = _stop;\n  }\n";
  }
  if (!source.after_loop.empty()) text += "  " + source.after_loop + "\n";
  return text + "}\n";
}

}  // namespace cupyxx::internal::jit
