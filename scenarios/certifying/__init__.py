"""The safety gate: a scenario is judged on many runs in the stage `fast` before real robots move."""

from devs_robotics.scenarios.certifying.certificate import Certificate, CertificateError, beside, prepare, read, write
from devs_robotics.scenarios.certifying.certify import certify
from devs_robotics.scenarios.certifying.gate import admit, why_void

__all__ = ["Certificate", "CertificateError", "admit", "beside", "certify", "prepare", "read", "why_void", "write"]
