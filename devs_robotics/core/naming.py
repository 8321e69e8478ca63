"""Classes by name: every extension point of the project is a ``module:Class`` text."""

from __future__ import annotations

import importlib

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.user_code import user_code


def load_class(target: str, what: str) -> type:
    """A class by ``module:Class``.

    Args:
        what: it is, for people

    Raises:
        DevsRoboticsError: it is not there, or its module raises something
    """
    module_name, _, name = target.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), name)):
        raise DevsRoboticsError(f"{target!r} can name no {what}: write module:Class")
    with user_code(lambda why: DevsRoboticsError(f"{target!r} cannot be imported ({why}): mend the module")):
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not (module_name == error.name or module_name.startswith(f"{error.name}.")):
                raise  # a module that this one imports is missing: that is for its author
            raise DevsRoboticsError(
                f"the {what} {target!r} is not there: no module {error.name!r} can be imported; check the name, and "
                "that its folder is in PYTHONPATH"
            ) from None
        found = getattr(module, name, None)
    if not isinstance(found, type):
        raise DevsRoboticsError(f"the {what} {target!r} is not there: {module_name} has no class {name!r}")
    return found
