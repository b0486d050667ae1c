# SPDX-License-Identifier: MIT
"""The tests of this package, apart from its libraries."""

load("//bazel:cx.bzl", "cx_test")

def cupyxx_tests():
    """Declares them."""
    cx_test(
        name = "wild_arguments_test",
        srcs = ["wild_arguments_test.cc"],
        deps = [
            ":cupyxx",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "process_test",
        srcs = ["process_test.cc"],
        devices = ["cpu"],
        deps = [
            ":cupyxx",
            "//cupyxx/testing",
        ],
    )
    cx_test(
        name = "memory_faults_test",
        srcs = ["memory_faults_test.cc"],
        deps = [
            ":cupyxx",
            "//cupyxx/testing",
            "//cupyxx/testing:failing_new",
        ],
    )

    cx_test(
        name = "save_faults_test",
        size = "medium",
        srcs = ["save_faults_test.cc"],
        devices = ["cpu"],
        deps = [
            ":cupyxx",
            "//cupyxx/testing:save_faults",
        ],
    )

    cx_test(
        name = "dtype_test",
        srcs = ["dtype_test.cc"],
        devices = ["cpu"],
        deps = [
            ":dtype",
            ":error",
            ":promotion_table",
            "//cupyxx/testing:expect_error",
        ],
    )

    cx_test(
        name = "half_test",
        srcs = ["half_test.cc"],
        devices = ["cpu"],
        deps = [":dtype"],
    )

    cx_test(
        name = "message_test",
        srcs = ["message_test.cc"],
        devices = ["cpu"],
        deps = [
            ":error",
            ":shape",
        ],
    )

    cx_test(
        name = "shape_test",
        srcs = ["shape_test.cc"],
        devices = ["cpu"],
        deps = [
            ":error",
            ":shape",
            "//cupyxx/testing:expect_error",
        ],
    )

    cx_test(
        name = "scalar_test",
        srcs = ["scalar_test.cc"],
        devices = ["cpu"],
        deps = [
            ":error",
            ":scalar",
            "//cupyxx/testing:expect_error",
        ],
    )

    cx_test(
        name = "device_test",
        srcs = ["device_test.cc"],
        devices = ["cpu"],
        deps = [
            ":device",
            ":error",
            "//cupyxx/testing:expect_error",
        ],
    )

    cx_test(
        name = "host_routines_test",
        srcs = ["host_routines_test.cc"],
        devices = ["cpu"],
        deps = [":cupyxx"],
    )

    cx_test(
        name = "host_copies_test",
        srcs = ["host_copies_test.cc"],
        devices = ["cpu"],
        deps = [":cupyxx"],
    )

    # The lines of the guide.
    cx_test(
        name = "taste_test",
        srcs = ["taste_test.cc"],
        deps = [
            ":array",
            ":kernel",
            ":random",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "safetensors_test",
        srcs = ["safetensors_test.cc"],
        deps = [
            ":safetensors",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "dlpack_test",
        srcs = ["dlpack_test.cc"],
        deps = [
            ":array",
            ":dlpack",
            ":error",
            "//cupyxx/internal:dlpack_abi",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "dlpack_stream_test",
        srcs = ["dlpack_stream_test.cc"],
        devices = ["cuda"],
        deps = [
            ":array",
            ":dlpack",
            "//cupyxx/cuda",
            "//cupyxx/internal:dlpack_abi",
            "//cupyxx/internal/jit",
        ],
    )

    cx_test(
        name = "host_buffer_test",
        srcs = ["host_buffer_test.cc"],
        deps = [
            ":array",
            ":error",
            ":host_buffer",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "array_memory_test",
        srcs = ["array_memory_test.cc"],
        deps = [
            ":array",
            ":array_memory",
            ":error",
            "//cupyxx/cuda:memory",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "io_test",
        srcs = ["io_test.cc"],
        data = ["//cupyxx/testdata:npy"],
        deps = [
            ":array",
            ":error",
            ":io",
            "//cupyxx/testing",
            "@nlohmann_json//:json",
        ],
    )

    cx_test(
        name = "io_text_test",
        srcs = ["io_text_test.cc"],
        deps = [
            ":array",
            ":error",
            ":io",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "asserts_test",
        srcs = ["asserts_test.cc"],
        deps = [
            ":array",
            ":constants",
            ":testing",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "genfromtxt_test",
        srcs = ["genfromtxt_test.cc"],
        deps = [
            ":array",
            ":constants",
            ":conversion",
            ":error",
            ":io",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "mmap_test",
        srcs = ["mmap_test.cc"],
        data = ["//cupyxx/testdata:npy"],
        deps = [
            ":array",
            ":error",
            ":io",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "printing_test",
        srcs = ["printing_test.cc"],
        data = ["//cupyxx/testdata:repr"],
        deps = [
            ":array",
            ":io",
            "//cupyxx/testing",
            "@nlohmann_json//:json",
        ],
    )

    cx_test(
        name = "kernel_test",
        size = "medium",
        srcs = ["kernel_test.cc"],
        deps = [
            ":array",
            ":error",
            ":kernel",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "user_ufunc_test",
        size = "medium",
        srcs = ["user_ufunc_test.cc"],
        deps = [
            ":array",
            ":error",
            ":user_ufunc",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "unusual_kernel_test",
        size = "medium",
        srcs = ["unusual_kernel_test.cc"],
        deps = [
            ":array",
            ":error",
            ":kernel",
            ":logic",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "literal_kernel_test",
        srcs = ["literal_kernel_test.cc"],
        # g++ 12 finds no constants in addresses that it wants to check.
        copts = ["-fno-sanitize=undefined"],
        deps = [
            ":array",
            ":error",
            ":literal_kernel",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "literal_kernel_errors_test",
        srcs = ["literal_kernel_errors_test.cc"],
        data = [":header_files"],
        devices = ["cpu"],
    )

    cx_test(
        name = "memoize_test",
        srcs = ["memoize_test.cc"],
        deps = [
            ":array",
            ":kernel",
            ":memoize",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "selection_copy_test",
        srcs = ["selection_copy_test.cc"],
        deps = [
            ":array",
            ":array_memory",
            ":dlpack",
            ":error",
            ":random",
            ":routines",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "fuse_test",
        srcs = ["fuse_test.cc"],
        deps = [
            ":array",
            ":error",
            ":fuse",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "raw_kernel_test",
        srcs = ["raw_kernel_test.cc"],
        devices = ["cuda"],
        deps = [
            ":array",
            ":error",
            ":raw_kernel",
            "//cupyxx/cuda",
            "//cupyxx/internal/jit:compile",
            "//cupyxx/testing",
        ],
    )

    # Every routine, and the headers that name them.
    cx_test(
        name = "none_test",
        srcs = ["none_test.cc"],
        data = [":header_files"],
        devices = ["cpu"],
        deps = [
            ":cupyxx",
            ":dlpack",
            ":error",
            ":io",
            ":routines",
            ":safetensors",
        ],
    )

    # Brace lists with names are options, in every routine.
    cx_test(
        name = "options_test",
        srcs = [
            "options_rows.inc",
            "options_test.cc",
        ],
        devices = ["cpu"],
        deps = [":cupyxx"],
    )

    cx_test(
        name = "first_try_test",
        srcs = ["first_try_test.cc"],
        deps = [
            ":cupyxx",
            "//cupyxx/testing",
        ],
    )

    cx_test(
        name = "creation_options_test",
        srcs = ["creation_options_test.cc"],
        deps = [
            ":array",
            ":error",
            ":host_buffer",
            ":io",
            ":routines",
            "//cupyxx/testing",
        ],
    )

    # Sizes around 2^31 and 2^32: views on the CPU, everything on a device with memory for it.
    cx_test(
        name = "large_view_test",
        srcs = ["large_view_test.cc"],
        devices = ["cpu"],
        deps = [":array"],
    )

    cx_test(
        name = "large_test",
        srcs = ["large_test.cc"],
        devices = ["cuda"],
        deps = [
            ":array",
            ":error",
            ":routines",
            "//cupyxx/cuda:memory_pool_header",
            "//cupyxx/testing:devices",
        ],
    )

    # Which routines need a compiler in spite of the kernel bundle: none.
    cx_test(
        name = "bundle_test",
        srcs = ["bundle_test.cc"],
        devices = ["cuda"],
        deps = [
            ":array",
            ":routines",
            "//cupyxx/internal/jit:kernel",
            "//cupyxx/testing:devices",
            "//cupyxx/testing:kernel_walk",
        ],
    )

    # Arrays of the host and of a device that computes nothing.
    cx_test(
        name = "mixed_device_test",
        srcs = ["mixed_device_test.cc"],
        devices = ["cpu"],
        target_compatible_with = select({
            "//bazel:cuda": [],
            "//conditions:default": ["//bazel:absent"],
        }),
        deps = [
            ":array",
            ":error",
            ":fuse",
            ":kernel",
            "//cupyxx/testing:dry_cuda",
            "//cupyxx/testing:expect_error",
        ],
    )

    # Every launch is awaited, those of CUDA's libraries too.
    cx_test(
        name = "debug_mode_test",
        srcs = ["debug_mode_test.cc"],
        devices = ["cuda"],
        deps = [
            ":array",
            ":random",
            ":routines",
            "//cupyxx/cuda",
            "//cupyxx/internal/diagnostics:launch_note",
            "//cupyxx/testing:devices",
        ],
    )

    # The same without a device, for every layout: which programs would be launched.
    cx_test(
        name = "bundle_walk_test",
        size = "medium",
        srcs = ["bundle_walk_test.cc"],
        devices = ["cpu"],
        env = {"CUPYXX_POOL": "off"},
        target_compatible_with = select({
            "//bazel:cuda": [],
            "//conditions:default": ["//bazel:absent"],
        }),
        deps = [
            "//cupyxx/testing:dry_cuda",
            "//cupyxx/testing:kernel_walk",
        ],
    )

    # The tests of arrays, each on every device.
    [
        cx_test(
            name = name,
            srcs = [name + ".cc"],
            deps = [
                ":array",
                ":error",
                "//cupyxx/testing",
            ],
        )
        for name in [
            "linalg_test",
            "bfloat16_test",
            "complex_test",
            "creation_test",
            "index_test",
            "manipulation_test",
            "ndarray_test",
            "reduction_test",
            "selection_test",
            "sorting_test",
            "statistics_test",
            "ufunc_test",
        ]
    ]

    [
        cx_test(
            name = name,
            srcs = [name + ".cc"],
            deps = [
                ":array",
                ":error",
                ":routines",
                "//cupyxx/testing",
            ],
        )
        for name in [
            "advanced_index_test",
            "array_api_test",
            "bad_input_test",
            "bin_estimators_test",
            "decomposition_test",
            "einsum_test",
            "element_values_test",
            "fft_test",
            "float_text_test",
            "functional_test",
            "iteration_test",
            "mask_places_test",
            "ordering_test",
            "partition_test",
            "picking_test",
            "polynomials_test",
            "special_test",
            "stride_tricks_test",
            "sets_test",
            "tiling_test",
            "type_functions_test",
            "ufunc_methods_test",
        ]
    ]

    [
        cx_test(
            name = name,
            srcs = [name + ".cc"],
            deps = [
                ":array",
                ":error",
                ":profiler",
                ":runtime_info",
                ":version",
                "//cupyxx/cuda",
                "//cupyxx/testing",
            ],
        )
        for name in [
            "profiler_test",
            "runtime_info_test",
        ]
    ]
