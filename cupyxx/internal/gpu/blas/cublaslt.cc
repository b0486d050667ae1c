// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/cublaslt.h"

#include <cublasLt.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/extension/device_limit.h"
#include "cupyxx/extension/dynamic_library.h"
#include "cupyxx/extension/measured_choice.h"
#include "cupyxx/internal/gpu/await.h"
#include "cupyxx/internal/gpu/blas/generic.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {
namespace {

constexpr int kTuned = 8;                                     // proposals that are measured
constexpr std::size_t kMaxWorkspace = std::size_t{32} << 20;  // NVIDIA's advice for Hopper

struct Lt {
  extension::DynamicLibrary library{"cuBLASLt",
                                    {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}};
#define CUPYXX_LT(name) \
  decltype(&::cublasLt##name) name = library.symbol<decltype(&::cublasLt##name)>("cublasLt" #name)
  CUPYXX_LT(Create);
  CUPYXX_LT(Matmul);
  CUPYXX_LT(MatmulAlgoGetHeuristic);
  CUPYXX_LT(MatmulDescInit_internal);
  CUPYXX_LT(MatmulDescSetAttribute);
  CUPYXX_LT(MatrixLayoutInit_internal);
  CUPYXX_LT(MatrixLayoutSetAttribute);
  CUPYXX_LT(MatmulPreferenceInit_internal);
  CUPYXX_LT(MatmulPreferenceSetAttribute);
  CUPYXX_LT(GetStatusString);
  CUPYXX_LT(GetVersion);
#undef CUPYXX_LT
};

const Lt& lt() {
  static const Lt& functions = *new Lt;  // never destroyed: arrays may outlive main()
  return functions;
}

void check(cublasStatus_t status, const char* function) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(message("gemm: ", function, " failed; ", lt().GetStatusString(status)));
}

cublasLtHandle_t handle_of(int device) {
  static std::mutex mutex;
  static std::atomic<cublasLtHandle_t> handles[extension::kMaxDevices];
  cublasLtHandle_t handle = handles[device].load(std::memory_order_acquire);
  if (handle != nullptr) return handle;
  const std::lock_guard lock(mutex);
  handle = handles[device].load(std::memory_order_relaxed);
  if (handle == nullptr) {
    check(lt().Create(&handle), "cublasLtCreate");
    handles[device].store(handle, std::memory_order_release);
  }
  return handle;
}

// What decides on an algorithm.
struct Key {
  std::int64_t m, n, k, lda, ldb, ldc, batch, stride_a, stride_b, stride_c;
  std::uint64_t rest;  // dtypes, precision, transposes, epilogue, alignments, device

  bool operator==(const Key&) const = default;
};

std::size_t hash(const Key& key) {
  std::uint64_t words[sizeof(Key) / 8], h = 0x9e3779b97f4a7c15u;
  static_assert(sizeof(words) == sizeof(Key));
  std::memcpy(words, &key, sizeof(Key));
  for (const std::uint64_t word : words) {
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return static_cast<std::size_t>(h);
}
struct Hash {
  std::size_t operator()(const Key& key) const { return hash(key); }
};

// log2 of the alignment in bytes, at most 256.
unsigned alignment_of(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer) | 256;
  return static_cast<unsigned>(std::countr_zero(address));
}

Key key_of(int device, const GemmCall& call) {
  Key key{call.m, call.n, call.k, call.lda, call.ldb, call.ldc, call.batch, 0, 0, 0, 0};
  if (call.batch > 1) {
    key.stride_a = call.stride_a;
    key.stride_b = call.stride_b;
    key.stride_c = call.stride_c;
  }
  auto rest = static_cast<std::uint64_t>(call.dtype.code());
  rest = rest << 2 | static_cast<std::uint64_t>(call.compute);
  for (const bool flag : {call.trans_a, call.trans_b, call.relu, call.bias != nullptr, call.wide_c,
                          call.gelu, call.gelu_gradient, call.sums_of_a != nullptr}) {
    rest = rest << 1 | static_cast<unsigned>(flag);
  }
  for (const void* pointer : {call.a, call.b, static_cast<const void*>(call.c), call.bias,
                              static_cast<const void*>(call.pre_activation)}) {
    rest = rest << 4 | alignment_of(pointer);
  }
  key.rest = rest << 8 | static_cast<unsigned>(device);
  return key;
}

using Desc = cublasLtMatmulDescOpaque_t;
using Layout = cublasLtMatrixLayoutOpaque_t;

struct Algorithm {
  cublasLtMatmulAlgo_t algorithm;
  std::size_t workspace = 0;
};

struct Plan {
  bool supported = false;  // else there is no algorithm at all
  bool epilogue = false;   // bias and relu are done by cuBLASLt
  Desc desc;               // complete unless a bias is added
  Layout a, b, c;
  Algorithm chosen;
};

cudaDataType_t type_of(cupyxx::dtype dtype) {
  switch (dtype.code()) {
    case cupyxx::dtype::Code::float16:
      return CUDA_R_16F;
    case cupyxx::dtype::Code::bfloat16:
      return CUDA_R_16BF;
    case cupyxx::dtype::Code::float32:
      return CUDA_R_32F;
    case cupyxx::dtype::Code::complex64:
      return CUDA_C_32F;
    case cupyxx::dtype::Code::complex128:
      return CUDA_C_64F;
    default:
      return CUDA_R_64F;
  }
}

// The type of the sums, and of alpha and beta.
bool sums_double(cupyxx::dtype dtype) { return dtype == float64 || dtype == complex128; }
cudaDataType_t scale_type_of(cupyxx::dtype dtype) {
  return dtype.is_complex() || dtype == float64 ? type_of(dtype) : CUDA_R_32F;
}

cudaDataType_t type_of_c(const GemmCall& call) {
  return call.wide_c ? CUDA_R_32F : type_of(call.dtype);
}

// How factors are multiplied.
cublasComputeType_t compute_type_of(const GemmCall& call) {
  if (call.dtype == float32 || call.dtype == complex64) {
    switch (call.compute) {
      case Precision::tf32:
        return CUBLAS_COMPUTE_32F_FAST_TF32;
      case Precision::bfloat16:
        return CUBLAS_COMPUTE_32F_FAST_16BF;
      case Precision::float16:
        return CUBLAS_COMPUTE_32F_FAST_16F;
      case Precision::float32:
        break;
    }
  }
  return sums_double(call.dtype) ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

template <class T>
void set(Desc* desc, cublasLtMatmulDescAttributes_t attribute, T value) {
  check(lt().MatmulDescSetAttribute(desc, attribute, &value, sizeof(value)),
        "cublasLtMatmulDescSetAttribute");
}

// Its "A" is our B, and its columns are our rows.
cublasLtEpilogue_t epilogue_of(const GemmCall& call) {
  const bool bias = call.bias != nullptr;
  if (call.gelu) return bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
  // With the sums of columns (DGELU_BGRAD) the library runs a slow kernel of its own behind the
  // product: 330 us for 16384 x 3072 bfloat16 on an H200.
  if (call.gelu_gradient) return CUBLASLT_EPILOGUE_DGELU;
  if (call.sums_of_a != nullptr) return CUBLASLT_EPILOGUE_BGRADB;
  if (!bias) return CUBLASLT_EPILOGUE_RELU;
  return call.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
}

// cuBLASLt reads columns first, so it sees the transposes and computes C' = B' A'.
void describe(Desc* desc, const GemmCall& call, bool epilogue) {
  check(lt().MatmulDescInit_internal(desc, sizeof(*desc), compute_type_of(call),
                                     scale_type_of(call.dtype)),
        "cublasLtMatmulDescInit");
  set(desc, CUBLASLT_MATMUL_DESC_TRANSA, call.trans_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(desc, CUBLASLT_MATMUL_DESC_TRANSB, call.trans_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (!epilogue) return;
  set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(call));
  const void* const vector = call.bias != nullptr ? call.bias : call.sums_of_a;
  if (vector != nullptr) set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, vector);
  if (call.pre_activation == nullptr) return;
  set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
      static_cast<const void*>(call.pre_activation));
  set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, call.n);
}

void lay_out(Layout* layout, const GemmCall& call, cudaDataType_t type, std::int64_t rows,
             std::int64_t columns, std::int64_t ld, std::int64_t stride) {
  check(lt().MatrixLayoutInit_internal(layout, sizeof(*layout), type,
                                       static_cast<std::uint64_t>(columns),
                                       static_cast<std::uint64_t>(rows), ld),
        "cublasLtMatrixLayoutInit");
  if (call.batch == 1) return;
  const auto count = static_cast<std::int32_t>(call.batch);
  check(lt().MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                      sizeof(count)),
        "cublasLtMatrixLayoutSetAttribute");
  check(lt().MatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                      sizeof(stride)),
        "cublasLtMatrixLayoutSetAttribute");
}

// What cuBLASLt proposes, best first by its estimate; at most kTuned.
std::vector<Algorithm> find_algorithms(int device, const GemmCall& call, Plan& plan) {
  cublasLtMatmulPreferenceOpaque_t preference;
  check(lt().MatmulPreferenceInit_internal(&preference, sizeof(preference)),
        "cublasLtMatmulPreferenceInit");
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
    check(lt().MatmulPreferenceSetAttribute(&preference, attribute, &value, sizeof(value)),
          "cublasLtMatmulPreferenceSetAttribute");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{kMaxWorkspace});
  // Parts of a sum are never rounded to float16 before they are added.
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         std::uint32_t{CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  const auto bytes = [](const void* pointer) { return std::uint32_t{1} << alignment_of(pointer); };
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, bytes(call.b));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, bytes(call.a));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, bytes(call.c));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, bytes(call.c));
  cublasLtMatmulHeuristicResult_t results[kTuned] = {};
  int found = 0;
  const cublasStatus_t status =
      lt().MatmulAlgoGetHeuristic(handle_of(device), &plan.desc, &plan.b, &plan.a, &plan.c, &plan.c,
                                  &preference, extension::tunes() ? kTuned : 1, results, &found);
  if (status != CUBLAS_STATUS_SUCCESS) found = 0;
  std::vector<Algorithm> algorithms;
  for (int i = 0; i < found; ++i) {
    if (results[i].state != CUBLAS_STATUS_SUCCESS) continue;
    algorithms.push_back({results[i].algo, results[i].workspaceSize});
  }
  return algorithms;
}

// Enqueues the product into `c`, which is the call's or another matrix like it.
cublasStatus_t multiply(int device, void* stream, const GemmCall& call, const Plan& plan,
                        const Desc& desc, const Algorithm& chosen, void* c) {
  // Real numbers are the first halves of complex ones.
  const double one[2] = {1, 0}, zero[2] = {0, 0};
  const float one_float[2] = {1, 0}, zero_float[2] = {0, 0};
  const bool is_double = sums_double(call.dtype);
  const void* alpha = is_double ? static_cast<const void*>(one) : one_float;
  const void* beta = call.accumulate ? alpha
                     : is_double     ? static_cast<const void*>(zero)
                                     : zero_float;
  Storage* workspace = chosen.workspace != 0 ? allocate(device, chosen.workspace) : nullptr;
  const cublasStatus_t status =
      lt().Matmul(handle_of(device), const_cast<Desc*>(&desc), alpha, call.b,
                  const_cast<Layout*>(&plan.b), call.a, const_cast<Layout*>(&plan.a), beta, c,
                  const_cast<Layout*>(&plan.c), c, const_cast<Layout*>(&plan.c), &chosen.algorithm,
                  workspace != nullptr ? workspace->data : nullptr, chosen.workspace,
                  static_cast<cudaStream_t>(stream));
  if (workspace != nullptr) release(workspace);  // reused in the order of the stream
  return status;
}

// All that the choice of an algorithm depends on.
std::string text_of(int device, const Key& key) {
  std::string text =
      message("cupyxx product 1; cuBLASLt ", lt().GetVersion(), "; ", device_info(device).name);
  for (const std::int64_t number : {key.m, key.n, key.k, key.lda, key.ldb, key.ldc, key.batch,
                                    key.stride_a, key.stride_b, key.stride_c}) {
    text += " " + std::to_string(number);
  }
  return text + " " + std::to_string(key.rest >> 8);  // without the device's number
}

// The bytes of an algorithm tell it apart, in one version of the library.
std::string name_of(const Algorithm& algorithm) {
  std::string name;
  for (const std::uint64_t word : algorithm.algorithm.data) name += std::to_string(word) + " ";
  return name;
}

// The algorithm that was fastest, now or in an earlier run, where the environment asks for it.
// Measuring writes into the result, which the product will overwrite, or into a matrix like it.
const Algorithm& choose(int device, void* stream, const GemmCall& call, const Plan& plan,
                        const std::vector<Algorithm>& algorithms) {
  if (algorithms.size() == 1) return algorithms.front();
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms) names.push_back(name_of(algorithm));
  std::unique_ptr<Storage, decltype(&release)> scratch(nullptr, &release);
  const auto run = [&](std::size_t i) {
    try {
      if (call.accumulate && scratch == nullptr) {
        const std::int64_t rows = (call.batch - 1) * call.stride_c + call.m * call.ldc;
        scratch.reset(allocate(
            device, static_cast<std::size_t>(rows * (call.wide_c ? 4 : call.dtype.itemsize()))));
      }
      void* const c = scratch != nullptr ? scratch->data : call.c;
      return multiply(device, stream, call, plan, plan.desc, algorithms[i], c) ==
             CUBLAS_STATUS_SUCCESS;
    } catch (const OutOfMemoryError&) {
      return false;
    }
  };
  return algorithms[extension::measured_choice(text_of(device, key_of(device, call)), names, device,
                                               run)];
}

std::unique_ptr<Plan> make_plan(int device, void* stream, const GemmCall& call) {
  auto plan = std::make_unique<Plan>();
  std::vector<Algorithm> algorithms;
  const cudaDataType_t type = type_of(call.dtype);
  lay_out(&plan->a, call, type, call.trans_a ? call.k : call.m, call.trans_a ? call.m : call.k,
          call.lda, call.stride_a);
  lay_out(&plan->b, call, type, call.trans_b ? call.n : call.k, call.trans_b ? call.k : call.n,
          call.ldb, call.stride_b);
  lay_out(&plan->c, call, type_of_c(call), call.m, call.n, call.ldc, call.stride_c);
  if (call.bias != nullptr || call.relu || call.has_epilogue()) {
    describe(&plan->desc, call, true);
    algorithms = find_algorithms(device, call, *plan);
    plan->epilogue = !algorithms.empty();
  }
  if (algorithms.empty() && !call.has_epilogue()) {
    describe(&plan->desc, call, false);
    algorithms = find_algorithms(device, call, *plan);
  }
  plan->supported = !algorithms.empty();
  if (plan->supported) plan->chosen = choose(device, stream, call, *plan, algorithms);
  return plan;
}

// Plans live for ever. Each thread remembers where some of them are.
const Plan& plan_for(int device, void* stream, const GemmCall& call) {
  struct Seen {
    Key key;
    const Plan* plan;
  };
  constexpr std::size_t kSeen = 64;
  static thread_local Seen seen[kSeen];
  const Key key = key_of(device, call);
  Seen& slot = seen[hash(key) % kSeen];
  if (slot.plan != nullptr && slot.key == key) return *slot.plan;

  static std::mutex& mutex = *new std::mutex;
  static auto& plans = *new std::unordered_map<Key, std::unique_ptr<Plan>, Hash>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Plan>& plan = plans[key];
  if (plan == nullptr) plan = make_plan(device, stream, call);
  slot = {key, plan.get()};
  return *plan;
}

// C = bias, then C += A B, then relu, which does not round.
bool gemm_onto_bias(int device, void* stream, GemmCall call) {
  GemmCall rest = call;
  rest.k = 0;
  rest.relu = false;
  gemm_generic(device, stream, rest);
  call.bias = nullptr;
  call.accumulate = true;
  return gemm_cublaslt(device, stream, call);
}

}  // namespace

bool gemm_cublaslt(int device, void* stream, const GemmCall& call) {
  if (call.batch > INT32_MAX) return false;
  const Plan& plan = plan_for(device, stream, call);
  if (!plan.supported) return false;
  if (!plan.epilogue && call.bias != nullptr && call.dtype.itemsize() == 2) {
    // A bias added to the finished product would round a second time: it goes first, unless C's old
    // elements are there already.
    return !call.accumulate && gemm_onto_bias(device, stream, call);
  }
  // The descriptor holds the bias's address, so it cannot be shared.
  Desc own;
  const Desc* desc = &plan.desc;
  if (plan.epilogue && (call.bias != nullptr || call.has_epilogue())) {
    describe(&own, call, true);
    desc = &own;
  }
  const cublasStatus_t status = multiply(device, stream, call, plan, *desc, plan.chosen, call.c);
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw CudaError(message("gemm: cublasLtMatmul failed: ", lt().GetStatusString(status), "; ",
                            call.dtype.name(), ", m=", call.m, " n=", call.n, " k=", call.k,
                            " batch=", call.batch));
  }
  await_library("cublasLtMatmul", device, stream);
  if (!plan.epilogue && (call.bias != nullptr || call.relu)) {
    GemmCall rest = call;
    rest.k = 0;
    rest.accumulate = true;
    gemm_generic(device, stream, rest);
  }
  return true;
}

}  // namespace cupyxx::internal::gpu
