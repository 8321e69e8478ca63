"""The errors that this project raises on purpose; each message is one sentence that says what to do."""


class DevsRoboticsError(Exception):
    """Base of every error that a user of this project can cause."""


class ModelError(DevsRoboticsError):
    """A model, or the way models are put together, breaks a rule of DEVS.

    The message names the model's path and, while a simulation runs, the simulated time.
    """


class ObserverError(DevsRoboticsError):
    """An observer failed while it was told of a simulation; the simulation breaks off."""


class ResolutionWarning(UserWarning):
    """The simulated time has grown so large that a model's time advance is rounded by more than a thousandth."""
