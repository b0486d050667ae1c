# SPDX-License-Identifier: MIT
"""Options of loops over elements."""

# As the loops of //cupyxx/internal/cpu: what GCC needs to vectorise, and vector mathematics.
LOOP_COPTS = [
    "-O3",
    "-fopenmp-simd",
    "-fno-trapping-math",
    "-DCUPYXX_VECTOR_MATH",
]
