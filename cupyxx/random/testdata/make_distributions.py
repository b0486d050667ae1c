#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes distributions.h: what SciPy says of the distributions that the tests draw from.

Continuous ones are cut into 20 bins of equal probability, discrete ones into one bin for each value, from the left,
and the rest in the last one; bins below 1/200 are joined with their neighbours.
"""
import numpy as np
from scipy import stats

CONTINUOUS = [
    ("normal", (0.5, 2.0), stats.norm(0.5, 2)),
    ("lognormal", (0.25, 0.5), stats.lognorm(0.5, scale=np.exp(0.25))),
    ("gamma", (0.3, 2.0), stats.gamma(0.3, scale=2)),
    ("gamma", (4.5, 0.5), stats.gamma(4.5, scale=0.5)),
    ("gamma", (1.0, 1.0), stats.gamma(1.0)),
    ("gamma", (1000.0, 1.0), stats.gamma(1000.0)),
    ("beta", (0.5, 0.25), stats.beta(0.5, 0.25)),
    ("beta", (2.0, 5.0), stats.beta(2, 5)),
    ("chisquare", (3.0,), stats.chi2(3)),
    ("f", (4.0, 7.0), stats.f(4, 7)),
    ("standard_t", (3.5,), stats.t(3.5)),
    ("standard_cauchy", (), stats.cauchy()),
    ("laplace", (1.0, 3.0), stats.laplace(1, 3)),
    ("gumbel", (-1.0, 2.0), stats.gumbel_r(-1, 2)),
    ("logistic", (2.0, 0.5), stats.logistic(2, 0.5)),
    ("exponential", (1.5,), stats.expon(scale=1.5)),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("weibull", (1.5,), stats.weibull_min(1.5)),
    ("pareto", (3.0,), stats.lomax(3)),
    ("power", (2.5,), stats.powerlaw(2.5)),
    ("triangular", (-1.0, 0.5, 3.0), stats.triang(1.5 / 4, -1, 4)),
    ("uniform", (-2.0, 3.0), stats.uniform(-2, 5)),
    ("wald", (2.0, 3.0), stats.invgauss(2 / 3, scale=3)),
    ("vonmises", (0.0, 0.5), stats.vonmises(0.5)),
    ("vonmises", (0.0, 20.0), stats.vonmises(20)),
    ("noncentral_chisquare", (3.0, 2.5), stats.ncx2(3, 2.5)),
    ("noncentral_chisquare", (0.5, 4.0), stats.ncx2(0.5, 4)),
    ("noncentral_f", (3.0, 9.0, 2.0), stats.ncf(3, 9, 2)),
]
DISCRETE = [
    ("poisson", (0.7,), stats.poisson(0.7)),
    ("poisson", (9.5,), stats.poisson(9.5)),
    ("poisson", (12.0,), stats.poisson(12)),
    ("poisson", (400.0,), stats.poisson(400)),
    ("binomial", (10.0, 0.3), stats.binom(10, 0.3)),
    ("binomial", (60.0, 0.75), stats.binom(60, 0.75)),
    ("binomial", (1000.0, 0.4), stats.binom(1000, 0.4)),
    ("bernoulli", (0.35,), stats.bernoulli(0.35)),
    ("negative_binomial", (2.5, 0.4), stats.nbinom(2.5, 0.4)),
    ("geometric", (0.2,), stats.geom(0.2)),
    ("geometric", (0.9,), stats.geom(0.9)),
    ("zipf", (2.2,), stats.zipf(2.2)),
    ("logseries", (0.85,), stats.logser(0.85)),
    ("hypergeometric", (7.0, 20.0, 6.0), stats.hypergeom(27, 7, 6)),
    ("hypergeometric", (300.0, 200.0, 60.0), stats.hypergeom(500, 300, 60)),
    ("hypergeometric", (80.0, 500.0, 400.0), stats.hypergeom(580, 80, 400)),
]


def numbers(values):
    return ", ".join(repr(float(v)) for v in values)


def row(name, parameters, edges, masses, d):
    mean, variance = d.stats("mv")
    if d.dist.name == "vonmises":
        mean, variance = 0, d.expect(lambda x: x * x, -np.pi, np.pi) if hasattr(d, "expect") else np.nan
    finite = [float(v) if np.isfinite(v) else float("nan") for v in (mean, variance)]
    values = ", ".join("NAN" if np.isnan(v) else repr(v) for v in finite)
    return f'    {{"{name}", {{{numbers(parameters)}}}, {{{numbers(edges)}}}, {{{numbers(masses)}}}, {values}}},'


def continuous_rows():
    for name, parameters, d in CONTINUOUS:
        yield row(name, parameters, d.ppf(np.arange(1, 20) / 20), np.full(20, 0.05), d)


def discrete_rows():
    for name, parameters, d in DISCRETE:
        edges, masses, mass, k = [], [], 0.0, 0
        while d.sf(k) > 1 / 200:
            mass += d.pmf(k)
            if mass > 1 / 200:
                edges.append(k + 0.5)
                masses.append(mass)
                mass = 0.0
            k += 1
        masses.append(1 - sum(masses))
        yield row(name, parameters, edges, masses, d)


with open("distributions.h", "w") as out:
    out.write("""// SPDX-License-Identifier: MIT
// Written by make_distributions.py from SciPy's distributions; not by hand.
// clang-format off
#pragma once

#include <cmath>
#include <vector>

namespace cupyxx::random::testdata {

struct Distribution {
  const char* name;
  std::vector<double> parameters;
  std::vector<double> edges;   // between the bins
  std::vector<double> masses;  // probability of each bin
  double mean, variance;       // NaN where there is none
};

inline const std::vector<Distribution> kDistributions = {
""")
    for line in [*continuous_rows(), *discrete_rows()]:
        out.write(line + "\n")
    out.write("};\n\n}  // namespace cupyxx::random::testdata\n")
