// SPDX-License-Identifier: MIT
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "cupyxx/core/body.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/io/byte_source.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/internal/jit/module.h"
#include "cupyxx/kernel.h"
#include "cupyxx/kernel/raw_kernel/arguments.h"
#include "cupyxx/kernel/raw_kernel/signature.h"

namespace cupyxx {

namespace internal::raw_kernel {

// A source or an image, and what it became on each device.
struct Module {
  struct Loaded {
    const jit::Module* module = nullptr;
    std::vector<std::string> lowered;  // of the name expressions
  };

  jit::ModuleSource source;
  std::string image;  // in place of a source
  bool cooperative = false;
  bool any_layout = false;  // arrays need not be C-contiguous
  mutable std::mutex mutex;
  mutable std::map<int, Loaded> loaded;

  const Loaded& load(int device) const {
    const std::lock_guard lock(mutex);
    if (const auto known = loaded.find(device); known != loaded.end()) return known->second;
    gpu::check_device(source.name.c_str(), device);
    Loaded fresh;
    if (image.empty()) {
      jit::ModuleImage compiled =
          jit::find_module(source, jit::architecture_of(device), jit::DiskCache::instance());
      fresh.module = jit::load_module(device, source.name, compiled.data);
      fresh.lowered = std::move(compiled.lowered);
    } else {
      fresh.module = jit::load_module(device, source.name, image);
    }
    return loaded.emplace(device, std::move(fresh)).first->second;
  }

  // The mangled name of a name expression; the name itself for others.
  const std::string& lowered(const Loaded& on, const std::string& name) const {
    for (std::size_t k = 0; k < on.lowered.size(); ++k) {
      if (source.name_expressions[k] == name) return on.lowered[k];
    }
    return name;
  }
};

// One kernel on one device.
struct Ready {
  const jit::Kernel* kernel = nullptr;
  jit::KernelInfo info;
  Parameters parameters;
};

struct Function {
  internal::Shared<const Module> module;
  std::string name;
  std::optional<std::vector<Parameter>> declared;  // by the source alone
  mutable std::mutex mutex;
  mutable std::map<int, Ready> ready;

  const Ready& load(int device) const;
};

namespace {

// "void ns::axpy<float>(int)" -> "ns::axpy<float>"; names that are not mangled stay.
std::string readable(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return name;
  std::string text = demangled;
  std::free(demangled);
  text = text.substr(0, text.find('('));
  const std::size_t blank = text.rfind(' ', text.find('<'));
  return blank == std::string::npos ? text : text.substr(blank + 1);
}

const jit::Kernel* find(const Module& module, const Module::Loaded& on, const std::string& name,
                        std::string* exact) {
  *exact = module.lowered(on, name);
  if (const jit::Kernel* kernel = jit::find_kernel(on.module, *exact, name)) return kernel;
  std::string known;
  for (const std::string& candidate : jit::kernel_names(on.module)) {
    if (readable(candidate) == name) {
      *exact = candidate;
      return jit::find_kernel(on.module, candidate, name);
    }
    known += (known.empty() ? "" : ", ") + readable(candidate);
  }
  throw ValueError(message(name, ": there is no kernel of that name; there are: ", known));
}

void check_backend(const std::string& kernel, const std::string& backend) {
  if (backend != "nvrtc") {
    throw ValueError(message(kernel, ": unknown backend '", backend, "'; expected 'nvrtc'"));
  }
}

/// A little-endian number in an image that is long enough.
template <class T>
T number_at(std::string_view image, std::size_t at) {
  T value;
  std::memcpy(&value, image.data() + at, sizeof value);
  return value;
}

/// Whether a table ends within an image; its three numbers stand in the header.
bool holds_table(std::string_view image, std::size_t where, std::size_t size, std::size_t count) {
  const auto begin = number_at<std::uint64_t>(image, where);
  const std::uint64_t bytes =
      std::uint64_t{number_at<std::uint16_t>(image, size)} * number_at<std::uint16_t>(image, count);
  return begin <= image.size() && bytes <= image.size() - begin;
}

// The driver is told where an image begins, not where it ends, and reads what its header declares.
bool is_whole_elf(std::string_view image) {
  constexpr std::size_t kHeader = 64;
  if (image.size() < kHeader) return false;
  // The tables of segments and of sections: where, how large an entry, how many.
  return holds_table(image, 32, 54, 56) && holds_table(image, 40, 58, 60);
}

bool is_whole_fatbin(std::string_view image) {
  constexpr std::size_t kHeader = 16, kHeaderSize = 6, kSize = 8;
  if (image.size() < kHeader) return false;
  const std::uint64_t header = number_at<std::uint16_t>(image, kHeaderSize);
  return header <= image.size() && number_at<std::uint64_t>(image, kSize) <= image.size() - header;
}

// Whether bytes look like something that can be loaded: the driver may look at them much later.
bool is_image(std::string_view image) {
  if (image.starts_with("\177ELF")) return is_whole_elf(image);
  if (image.starts_with("\x50\xed\x55\xba")) return is_whole_fatbin(image);
  return image.find(".version") != std::string_view::npos;
}

std::shared_ptr<Module> make_module(std::string name, std::string_view code,
                                    const std::vector<std::string>& options, bool cooperative,
                                    bool any_layout) {
  auto module = std::make_shared<Module>();
  module->source.name = std::move(name);
  module->source.text = code;
  module->source.options = options;
  module->cooperative = cooperative;
  module->any_layout = any_layout;
  return module;
}

void check_extent(const std::string& kernel, const char* what, const Dim3& dim, std::int64_t x,
                  std::int64_t yz) {
  if (dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= x && dim.y <= yz && dim.z <= yz) return;
  throw ValueError(message(kernel, ": ", what, " must be within (1, 1, 1) and (", x, ", ", yz, ", ",
                           yz, "); given (", dim.x, ", ", dim.y, ", ", dim.z, ")"));
}

void check_shape(const Function& function, const LaunchOptions& options) {
  check_extent(function.name, "grid", options.grid, 2147483647, 65535);
  check_extent(function.name, "block", options.block, 1024, 1024);
  check_extent(function.name, "cluster", options.cluster, 16, 16);
  const auto divides = [](std::int64_t grid, std::int64_t cluster) { return grid % cluster == 0; };
  if (!divides(options.grid.x, options.cluster.x) || !divides(options.grid.y, options.cluster.y) ||
      !divides(options.grid.z, options.cluster.z)) {
    throw ValueError(message(function.name, ": the cluster does not divide the grid"));
  }
  if (options.shared_mem < 0 || options.shared_mem > (1 << 30)) {
    throw ValueError(message(function.name, ": shared_mem is out of range; ", options.shared_mem));
  }
}

}  // namespace

const Ready& Function::load(int device) const {
  const std::lock_guard lock(mutex);
  if (const auto known = ready.find(device); known != ready.end()) return known->second;
  const Module::Loaded& on = module->load(device);
  Ready fresh;
  std::string exact;
  fresh.kernel = find(*module, on, name, &exact);
  fresh.info = jit::kernel_info(device, fresh.kernel);
  fresh.parameters.types = find_signature(module->source.text, name, exact);
  std::vector<jit::ParameterPlace> places;
  if (jit::kernel_parameters(fresh.kernel, &places)) fresh.parameters.places = std::move(places);
  return ready.emplace(device, std::move(fresh)).first->second;
}

}  // namespace internal::raw_kernel

using internal::raw_kernel::Function;
using internal::raw_kernel::Ready;
namespace raw = internal::raw_kernel;
namespace gpu = internal::gpu;
namespace jit = internal::jit;

KernelArgument::KernelArgument(const ndarray& a)
    : kind_(Kind::array), size_(sizeof(void*)), array_(&a) {
  if (!a.is_none()) dtype_ = a.dtype();
}

KernelArgument::KernelArgument(const Scalar& value) : kind_(Kind::number) {
  dtype_ = value.own_dtype();
  size_ = static_cast<std::size_t>(dtype_.itemsize());
  value.store("kernel", dtype_, bits_);
}

KernelArgument::KernelArgument(Kind kind, const void* value, std::size_t size, cupyxx::dtype type)
    : kind_(kind), dtype_(type), size_(size) {
  std::memcpy(bits_, value, std::min(size, sizeof bits_));
}

RawKernel::RawKernel(std::string_view code, std::string_view name,
                     const RawKernelOptions& options) {
  auto function = std::make_shared<Function>();
  function->name = name;
  if (name.empty()) throw ValueError("RawKernel: the name is empty");
  raw::check_backend(function->name, options.backend);
  auto module = raw::make_module(function->name, code, options.options,
                                 options.enable_cooperative_groups, options.any_layout);
  // Extern "C" or not, the compiler knows the exact name.
  module->source.name_expressions = {function->name};
  function->module = std::move(module);
  function->declared = raw::parse_source(code, name);
  function_ = std::move(function);
}

RawKernel::RawKernel(internal::Shared<const Function> function) : function_(std::move(function)) {}

const std::string& RawKernel::name() const { return function_->name; }

void RawKernel::compile() const { function_->load(gpu::current_device()); }

void RawKernel::operator()(const Dim3& grid, const Dim3& block,
                           std::initializer_list<KernelArgument> arguments) const {
  launch_list({.grid = grid, .block = block}, {arguments.begin(), arguments.size()});
}

void RawKernel::launch_list(const LaunchOptions& options,
                            std::span<const KernelArgument> arguments) const {
  raw::check_shape(*function_, options);
  const Device device = raw::device_of(function_->name, function_->declared, arguments);
  const Ready& ready = function_->load(device.index);
  raw::Packed packed(function_->name, ready.parameters, arguments, device,
                     options.any_layout || function_->module->any_layout);
  const std::int64_t threads = options.block.x * options.block.y * options.block.z;
  if (threads > ready.info.max_threads_per_block) {
    throw ValueError(message(function_->name, ": a block of ", threads,
                             " threads is too large; the kernel's limit is ",
                             ready.info.max_threads_per_block));
  }
  const gpu::OnDevice on(device.index);
  void* stream = gpu::current_stream(device.index);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].kind() != KernelArgument::Kind::array || arguments[k].array().is_none()) {
      continue;
    }
    internal::Body* body = arguments[k].array().body();
    gpu::record_use(body->storage, stream);
    const auto& types = ready.parameters.types;
    if (!types || k >= types->size() || !(*types)[k].is_const) internal::touch(body);
  }
  jit::LaunchShape shape;
  shape.grid_x = static_cast<unsigned>(options.grid.x);
  shape.grid_y = static_cast<unsigned>(options.grid.y);
  shape.grid_z = static_cast<unsigned>(options.grid.z);
  shape.block_x = static_cast<unsigned>(options.block.x);
  shape.block_y = static_cast<unsigned>(options.block.y);
  shape.block_z = static_cast<unsigned>(options.block.z);
  shape.shared_bytes = static_cast<unsigned>(options.shared_mem);
  shape.cluster_x = static_cast<unsigned>(options.cluster.x);
  shape.cluster_y = static_cast<unsigned>(options.cluster.y);
  shape.cluster_z = static_cast<unsigned>(options.cluster.z);
  shape.cooperative = function_->module->cooperative;
  jit::launch_with(ready.kernel, shape, stream, packed.data());
}

KernelAttributes RawKernel::attributes() const {
  const int device = gpu::current_device();
  const jit::KernelInfo info = jit::kernel_info(device, function_->load(device).kernel);
  return {.max_threads_per_block = info.max_threads_per_block,
          .num_regs = info.registers,
          .shared_size_bytes = static_cast<std::int64_t>(info.shared_bytes),
          .const_size_bytes = static_cast<std::int64_t>(info.constant_bytes),
          .local_size_bytes = static_cast<std::int64_t>(info.local_bytes),
          .binary_version = info.binary_version,
          .ptx_version = info.ptx_version,
          .cache_mode_ca = info.caches_in_l1,
          .max_dynamic_shared_size_bytes = info.dynamic_shared_bytes,
          .preferred_shared_memory_carveout = info.carveout};
}

void RawKernel::set_max_dynamic_shared_size_bytes(int bytes) const {
  const int device = gpu::current_device();
  jit::set_dynamic_shared(device, function_->load(device).kernel, bytes);
}

void RawKernel::set_preferred_shared_memory_carveout(int percent) const {
  if (percent < -1 || percent > 100) {
    throw ValueError(
        message(name(), ": the share of shared memory is in percent or -1; ", percent));
  }
  const int device = gpu::current_device();
  jit::set_carveout(device, function_->load(device).kernel, percent);
}

int RawKernel::max_active_blocks(const Dim3& block, std::int64_t shared_mem) const {
  raw::check_shape(*function_, {.block = block, .shared_mem = shared_mem});
  const int device = gpu::current_device();
  return jit::active_blocks(device, function_->load(device).kernel,
                            static_cast<int>(block.x * block.y * block.z),
                            static_cast<std::size_t>(shared_mem));
}

int RawKernel::best_block_size(std::int64_t shared_mem) const {
  const int device = gpu::current_device();
  const Ready& ready = function_->load(device);
  int best = 32;
  int most = 0;
  for (int threads = 32; threads <= ready.info.max_threads_per_block; threads += 32) {
    const int running = threads * jit::active_blocks(device, ready.kernel, threads,
                                                     static_cast<std::size_t>(shared_mem));
    if (running >= most) {
      most = running;
      best = threads;
    }
  }
  return best;
}

RawModule::RawModule(std::string_view code, const RawModuleOptions& options) {
  raw::check_backend("RawModule", options.backend);
  auto module = raw::make_module("RawModule", code, options.options,
                                 options.enable_cooperative_groups, options.any_layout);
  module->source.name_expressions = options.name_expressions;
  module_ = std::move(module);
}

RawModule RawModule::from_image(std::string_view image, const RawModuleOptions& options) {
  if (!raw::is_image(image)) {
    throw ValueError(message("RawModule: the bytes are neither PTX nor a whole cubin or fatbin; ",
                             image.size(), " bytes"));
  }
  RawModule result;
  auto module =
      raw::make_module("RawModule", "", {}, options.enable_cooperative_groups, options.any_layout);
  module->image = image;
  result.module_ = std::move(module);
  return result;
}

RawModule RawModule::load(const std::string& path, const RawModuleOptions& options) {
  const internal::io::File file(path, "RawModule");
  std::string content(file.size(), '\0');
  file.read_at(0, content.data(), content.size());
  return path.size() > 3 && path.substr(path.size() - 3) == ".cu" ? RawModule(content, options)
                                                                  : from_image(content, options);
}

RawKernel RawModule::get_function(std::string_view name) const {
  if (name.empty()) throw ValueError("RawModule: the name is empty");
  auto function = std::make_shared<Function>();
  function->module = module_;
  function->name = name;
  function->declared = raw::parse_source(module_->source.text, name);
  return RawKernel(internal::Shared<const Function>(std::move(function)));
}

ndarray RawModule::get_global(std::string_view name, cupyxx::dtype dtype) const {
  const int device = gpu::current_device();
  const raw::Module::Loaded& on = module_->load(device);
  std::size_t nbytes = 0;
  const std::string wanted(name);
  void* address = jit::find_global(on.module, module_->lowered(on, wanted), &nbytes);
  if (address == nullptr) {
    throw ValueError(message("RawModule: there is no global variable of that name; ", wanted));
  }
  const auto itemsize = static_cast<std::size_t>(dtype.itemsize());
  if (nbytes % itemsize != 0) {
    throw ValueError(message("RawModule: ", wanted, " has ", nbytes,
                             " bytes, which are no elements of ", dtype.name()));
  }
  // The memory is the module's, which stays loaded.
  auto* storage = new internal::Storage;
  storage->device = Device::cuda(device);
  storage->data = static_cast<char*>(address);
  storage->nbytes = nbytes;
  storage->destroy = [](internal::Storage* s) { delete s; };
  const auto count = static_cast<std::int64_t>(nbytes / itemsize);
  return ndarray::adopt(internal::new_body(storage, storage->data, dtype, 1, &count, nullptr));
}

void RawModule::compile() const {
  // The driver loads when something is asked for.
  jit::kernel_names(module_->load(gpu::current_device()).module);
}

}  // namespace cupyxx
