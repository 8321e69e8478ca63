"""Which watches arrays can look at together: those of beams of one kind."""

from __future__ import annotations

from collections.abc import Hashable

from devs_robotics.models.environment.instants import Raster
from devs_robotics.models.environment.questions.reading import Reader
from devs_robotics.models.environment.sensing.beams import BeamsOutlook
from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.sensing.readings import ReadingsOutlook
from devs_robotics.models.environment.sensing.watch import Watched

Kind = tuple[tuple[float, ...], float, float, Raster, bool, Hashable]
"""Of watches that are looked at together: bearings, reach, radius of the body, raster, whether all is told, and what
those have in common who read the distances."""


def kind_of(watched: Watched) -> Kind | None:
    """The kind of a watch; None: it is looked at alone."""
    beams, reader = beams_of(watched.outlook), reader_of(watched.outlook)
    alike = None if reader is None else reader.alike()
    if beams is None or watched.raster is None or (alike is None and reader is not None):
        return None
    return beams.question.bearings, beams.question.reach, beams.edge, watched.raster, watched.every, alike


def beams_of(outlook: Outlook) -> BeamsOutlook | None:
    """The outlook of beams that a watch has, or reads; None: it has none."""
    if isinstance(outlook, ReadingsOutlook):
        outlook = outlook.inner
    return outlook if isinstance(outlook, BeamsOutlook) else None


def reader_of(outlook: Outlook) -> Reader | None:
    """Who makes readings of what a watch tells; None: nobody."""
    return outlook.question.reader if isinstance(outlook, ReadingsOutlook) else None
