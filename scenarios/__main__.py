"""``python -m devs_robotics.scenarios``: the name of ``python -m devs_robotics`` before 0.13, which still works."""

import sys

from devs_robotics.scenarios.commands.cli import main

sys.exit(main())
