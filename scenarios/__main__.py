"""``python -m devs_robotics.scenarios``: the same as the command ``devs-robotics``."""

import sys

from devs_robotics.scenarios.commands.cli import main

sys.exit(main())
