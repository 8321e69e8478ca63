"""The one place where the project's version is written."""

__version__ = "0.17.0"
