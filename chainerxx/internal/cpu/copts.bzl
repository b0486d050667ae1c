# SPDX-License-Identifier: MIT
"""Options of functions over elements."""

# As for the loops of cpu_loops, without an instruction set: what GCC needs to vectorise, and vector mathematics.
DRIVER_COPTS = [
    "-O3",
    "-fopenmp-simd",
    "-fno-trapping-math",
    "-DCUPYXX_VECTOR_MATH",
]
