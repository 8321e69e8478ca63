"""``python -m devs_robotics.scenarios``: the same as the command ``devs-robotics``."""

import sys

from devs_robotics.scenarios.cli import main

sys.exit(main())
