"""``python -m scenarios``: the same as the command ``devs-robotics``."""

import sys

from scenarios.cli import main

sys.exit(main())
