"""What a methods paragraph refers to, numbered in the order in which it does."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORKS = {
    "devs": "B. P. Zeigler, A. Muzy, E. Kofman. Theory of Modeling and Simulation: Discrete Event & Iterative System "
    "Computational Foundations, 3rd edition. Academic Press, 2018.",
    "replications": "A. M. Law. Simulation Modeling and Analysis, 5th edition. McGraw-Hill, 2015.",
    "bca": "B. Efron. Better bootstrap confidence intervals. Journal of the American Statistical Association 82(397), "
    "171–185, 1987.",
    "bootstrap": "B. Efron, R. J. Tibshirani. An Introduction to the Bootstrap. Chapman & Hall, 1993.",
    "aicc": "C. M. Hurvich, C.-L. Tsai. Regression and time series model selection in small samples. Biometrika 76(2), "
    "297–307, 1989.",
    "firth": "D. Firth. Bias reduction of maximum likelihood estimates. Biometrika 80(1), 27–38, 1993.",
    "share": "C. J. Clopper, E. S. Pearson. The use of confidence or fiducial limits illustrated in the case of the "
    "binomial. Biometrika 26(4), 404–413, 1934.",
    "trend": "H. B. Mann. Nonparametric tests against trend. Econometrica 13(3), 245–259, 1945.",
    "autocorrelated": "K. H. Hamed, A. R. Rao. A modified Mann–Kendall trend test for autocorrelated data. Journal of "
    "Hydrology 204(1–4), 182–196, 1998.",
    "sobol": "I. M. Sobol. Global sensitivity indices for nonlinear mathematical models and their Monte Carlo "
    "estimates. Mathematics and Computers in Simulation 55(1–3), 271–280, 2001.",
    "saltelli": "A. Saltelli et al. Variance based sensitivity analysis of model output. Design and estimator for the "
    "total sensitivity index. Computer Physics Communications 181(2), 259–270, 2010.",
    "morris": "M. D. Morris. Factorial sampling plans for preliminary computational experiments. Technometrics 33(2), "
    "161–174, 1991.",
    "campolongo": "F. Campolongo, J. Cariboni, A. Saltelli. An effective screening design for sensitivity analysis of "
    "large models. Environmental Modelling & Software 22(10), 1509–1518, 2007.",
    "salib": "J. Herman, W. Usher. SALib: an open-source Python library for sensitivity analysis. Journal of Open "
    "Source Software 2(9), 97, 2017.",
}


class References:
    """Works that were cited so far.

    Args:
        others: works that are not in `WORKS`, by name
    """

    def __init__(self, others: Mapping[str, str] = {}) -> None:
        self._works = {**WORKS, **others}
        self._cited: list[str] = []

    def cite(self, *works: str) -> str:
        """The numbers of works, as in "[1, 2]"."""
        for work in works:
            if work not in self._cited:
                self._cited.append(work)
        return f"[{', '.join(str(1 + self._cited.index(work)) for work in works)}]"

    def filled(self, text: str) -> str:
        """A text with numbers for the names of works in braces, as in "{devs}" or "{trend, devs}"."""
        return re.sub(r"\{([\w, ]+)\}", lambda found: self.cite(*found[1].split(", ")), text)

    def lines(self) -> list[str]:
        """The list of all that were cited."""
        return [f"[{number}] {self._works[work]}" for number, work in enumerate(self._cited, start=1)]
