// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/nvtx.h"

#include <nvtx3/nvToolsExt.h>

#include <iterator>

namespace cupyxx::cuda::nvtx {
namespace {

// Green, blue, yellow, violet, cyan, red, white.
constexpr std::uint32_t kColors[] = {0xff00ff00, 0xff0000ff, 0xffffff00, 0xffff00ff,
                                     0xff00ffff, 0xffff0000, 0xffffffff};

nvtxEventAttributes_t attributes(const std::string& message) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = message.c_str();
  return event;
}

nvtxEventAttributes_t attributes(const std::string& message, std::uint32_t color) {
  nvtxEventAttributes_t event = attributes(message);
  event.colorType = NVTX_COLOR_ARGB;
  event.color = color;
  return event;
}

nvtxEventAttributes_t by_number(const std::string& message, int id_color) {
  if (id_color < 0) return attributes(message);
  return attributes(message, kColors[static_cast<std::size_t>(id_color) % std::size(kColors)]);
}

}  // namespace

int RangePush(const std::string& message, int id_color) {
  const nvtxEventAttributes_t event = by_number(message, id_color);
  return nvtxRangePushEx(&event);
}

int RangePushC(const std::string& message, std::uint32_t color) {
  const nvtxEventAttributes_t event = attributes(message, color);
  return nvtxRangePushEx(&event);
}

int RangePop() { return nvtxRangePop(); }

void Mark(const std::string& message, int id_color) {
  const nvtxEventAttributes_t event = by_number(message, id_color);
  nvtxMarkEx(&event);
}

void MarkC(const std::string& message, std::uint32_t color) {
  const nvtxEventAttributes_t event = attributes(message, color);
  nvtxMarkEx(&event);
}

}  // namespace cupyxx::cuda::nvtx
