"""The errors that this project raises on purpose; each message is one sentence that says what to do."""


class DevsRoboticsError(Exception):
    """Base of every error that a user of this project can cause."""


class ModelError(DevsRoboticsError):
    """A model, or the way models are put together, breaks a rule of DEVS.

    The message names the model's path and, while a simulation runs, the simulated time.
    """
