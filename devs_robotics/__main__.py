"""``python -m devs_robotics``: the same as the command ``devs-robotics``, where that is not on the path."""

import sys

from devs_robotics.scenarios.commands.cli import main

sys.exit(main())
