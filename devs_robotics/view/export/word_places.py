"""Where words have room in a picture."""

from __future__ import annotations

from collections.abc import Iterable

Area = tuple[float, float, float, float]
"""Left, top, right and bottom; y counts downwards."""


class WordPlaces:
    """Finds places for words where they cover no others.

    Args:
        width, height: of the picture, in any unit
        taken: where there are words already

    Attributes:
        taken: where there are words
    """

    def __init__(self, width: float, height: float, taken: Iterable[Area] = ()) -> None:
        self.taken = list(taken)
        self._width, self._height = width, height

    def take(self, x: float, y: float, words: Area, up: float, aside: float) -> tuple[float, float] | None:
        """The middle of words where they have room, which is taken from then on; None: there is no such place.

        They stand above what they name, or else on its other sides.

        Args:
            x, y: of what they name
            words: how far they extend from their middle
            up: how far above, or below, what they name their middle stands; below, if it is negative
            aside: how far they stand away from it beside it
        """
        wide, high = self._width, self._height
        if not (0.0 <= x <= wide and 0.0 <= y <= high):
            return None
        left, top, right, bottom = words
        aside += 0.5 * (right - left)
        in_x = min(max(x, -left), wide - right)  # along its side, into the picture
        in_y = min(max(y, -top), high - bottom)
        for to_x, to_y in ((in_x, y - up), (in_x, y + up), (x + aside, in_y), (x - aside, in_y)):
            area = to_x + left, to_y + top, to_x + right, to_y + bottom
            inside = min(area) >= 0.0 and area[2] <= wide and area[3] <= high
            if inside and not any(_meet(area, other) for other in self.taken):
                self.taken.append(area)
                return to_x, to_y
        return None


def _meet(one: Area, other: Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
