"""Explorers, travellers and path books, by what they hear and say."""

from __future__ import annotations

from math import cos, dist, pi, sin

import pytest

from devs_robotics import Drive, Driven, Sense, Stream
from devs_robotics.models.activities import AskWays, OwnPose, Ways
from devs_robotics.models.environment import Reception
from devs_robotics.models.transport.explorer import Explorer, Exploring
from devs_robotics.models.transport.messages import (
    Claim,
    Company,
    Delivered,
    Hold,
    Offered,
    PathFound,
    PathTaken,
    Resume,
    Returned,
    Route,
    Shortcut,
    Visited,
    Waited,
    Yielded,
)
from devs_robotics.models.transport.path import Waypoints, length
from devs_robotics.models.transport.path_book import PathBook
from devs_robotics.models.transport.radio_words import spoken
from devs_robotics.models.transport.traveller import Traveller
from devs_robotics.models.transport.travelling import Travelling, way_over
from tests.approximately import near
from tests.models.play import Said, settle, tell

LINE: Waypoints = tuple((float(x), 0.0) for x in range(11))


# explorers


def explorer(**how: float) -> Explorer:
    model = Explorer("explorer", Stream(1, 1, "explorer"), (10.0, 0.0), Exploring(**how))
    model.initialize()
    assert settle(model) == [("position_ask", Sense())]
    return model


def test_it_goes_a_step_near_its_heading_and_tells_where_it_has_been() -> None:
    model = explorer()
    said = tell(model, (model.position.answer, OwnPose(0.0, 0.0, 0.0)))
    (_, asked), (_, visited) = sorted(said, key=lambda each: each[0])
    assert visited == Visited(0.0, 0.0)
    assert isinstance(asked, AskWays)
    (bearing,) = asked.bearings
    assert abs(bearing) <= 0.25
    assert tell(model, (model.sonar.answer, Ways((1.2,)))) == [("motor_ask", Drive(bearing, 1.0))]
    assert tell(model, (model.motor.answer, Driven(bearing, 1.0))) == [("position_ask", Sense())]


def test_each_draw_that_fails_widens_the_angle_and_where_nothing_is_free_it_rests() -> None:
    model = explorer()
    tell(model, (model.position.answer, OwnPose(0.0, 0.0, 0.0)))
    largest = 0.0
    for _ in range(200):
        said = tell(model, (model.sonar.answer, Ways((1.1,))))
        if model.phase == "resting":
            break
        ((_, asked),) = said
        largest = max(largest, abs(asked.bearings[0]))
        assert largest <= pi
    assert model.phase == "resting"
    assert largest > 2.0
    assert model.ta() == 1.0


def test_who_sees_the_destination_goes_there_and_has_found_it() -> None:
    model = explorer()
    said = tell(model, (model.position.answer, OwnPose(7.0, 0.0, pi / 2.0)))
    assert ("sonar_ask", AskWays((near(-pi / 2.0),))) in said
    ((_, drive),) = tell(model, (model.sonar.answer, Ways((3.0,))))
    assert drive == Drive(near(-pi / 2.0), near(3.0))
    tell(model, (model.motor.answer, Driven(-pi / 2.0, 3.0)))
    said = tell(model, (model.position.answer, OwnPose(10.0, 0.0, 0.0)))
    assert said == [("visited", Visited(10.0, 0.0, destination=True))]
    assert model.phase == "done"


def test_where_it_sees_the_destination_and_its_way_is_not_free_it_goes_towards_it_or_by_chance() -> None:
    model = explorer()
    tell(model, (model.position.answer, OwnPose(7.0, 0.0, 0.0)))
    assert tell(model, (model.sonar.answer, Ways((1.5,)))) == [("motor_ask", Drive(0.0, 1.0))]
    model = explorer()
    tell(model, (model.position.answer, OwnPose(7.0, 0.0, 0.0)))
    ((port, _),) = tell(model, (model.sonar.answer, Ways((0.5,))))
    assert (port, model.sees) == ("sonar_ask", False)


@pytest.mark.parametrize("x", [7.0, 0.0])  # where it sees the destination, and where it goes by chance
def test_a_way_that_the_sonar_finds_free_and_that_is_barred_at_once_has_failed_as_a_draw(x: float) -> None:
    model = explorer()
    largest, now, barred = 0.0, OwnPose(x, 0.0, 0.0), Driven(0.0, 0.0, blocked=True)
    for _ in range(200):
        tell(model, (model.position.answer, now))
        if model.phase == "resting":
            break
        ((_, drive),) = tell(model, (model.sonar.answer, Ways((5.0,))))
        largest = max(largest, abs(drive.turn))
        assert tell(model, (model.motor.answer, barred)) == [("position_ask", Sense())]
    assert model.phase == "resting"
    assert largest > 2.0
    assert settle(model, 1.0) == [("position_ask", Sense())]  # others may have left
    ((_, asked),) = [each for each in tell(model, (model.position.answer, now)) if each[0] == "sonar_ask"]
    assert abs(asked.bearings[0]) <= 0.25


def test_it_stands_while_somebody_talks_and_is_done_when_there_is_a_path() -> None:
    model = explorer()
    tell(model, (model.position.answer, OwnPose(0.0, 0.0, 0.0)))
    tell(model, (model.sonar.answer, Ways((3.0,))))
    assert tell(model, (model.held, Hold())) == [("motor_ask", Drive())]
    assert tell(model, (model.motor.answer, Driven(0.0, 0.0))) == []
    assert tell(model, (model.resumed, Resume())) == [("position_ask", Sense())]
    assert tell(model, (model.route, Route(LINE, "gift"))) == []
    assert tell(model, (model.resumed, Resume())) == []
    assert model.phase == "done"


# path books


def test_a_path_leads_from_the_source_by_what_was_visited_to_the_destination() -> None:
    book = PathBook("path_book", 3, (0.0, 0.0), (3.0, 0.0))
    book.initialize()
    for place in ((0.0, 1.0), (2.0, 1.0)):
        assert tell(book, (book.visited, Visited(*place))) == []
    said = dict(tell(book, (book.visited, Visited(3.1, 0.0, destination=True))))
    path: Waypoints = ((0.0, 0.0), (0.0, 1.0), (2.0, 1.0), (3.0, 0.0))
    assert said == {
        "route": Route(path, "find"),
        "found": PathFound(3, length(path)),
        "taken": PathTaken(3, 0.0, length(path), "find"),
    }
    said = dict(tell(book, (book.shortcut, Shortcut(3, 0))))
    assert said["route"] == Route(((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)), "chord")
    said = dict(tell(book, (book.offered, Offered(1, path))))
    assert said["taken"] == PathTaken(3, near(3.0), near(3.0), "sharing")
    assert tell(book, (book.visited, Visited(9.0, 9.0))) == []


def test_who_has_no_path_takes_the_whole_of_one() -> None:
    book = PathBook("path_book", 3, (0.0, 0.0), (10.0, 0.0))
    book.initialize()
    assert dict(tell(book, (book.offered, Offered(1, LINE))))["route"] == Route(LINE, "gift")


# travellers

USUAL = Travelling()


def traveller(how: Travelling = USUAL) -> Traveller:
    model = Traveller("traveller", 1, how)
    model.initialize()
    assert settle(model) == []
    return model


def go(model: Traveller, x: float, y: float, heading: float) -> list[Said]:
    """Be somewhere, by its question."""
    assert model.phase == "located"
    return tell(model, (model.position.answer, OwnPose(x, y, heading)))


def test_it_goes_from_point_to_point_turns_round_at_the_ends_and_counts() -> None:
    model = traveller()
    assert tell(model, (model.route, Route(((0.0, 0.0), (1.0, 0.0), (2.0, 0.0)), "find"))) == [
        ("position_ask", Sense())
    ]
    assert go(model, 2.0, 0.0, 0.0) == [("motor_ask", Drive(near(pi), near(1.0)))]
    said: list[Said] = []
    for x, heading in ((1.0, pi), (0.0, pi), (1.0, 0.0), (2.0, 0.0)):
        assert tell(model, (model.motor.answer, Driven(0.0, 1.0))) == [("position_ask", Sense())]
        said += go(model, x, 0.0, heading)
    assert [value for port, value in said if port != "motor_ask"] == [Returned(1, 1), Delivered(1, 1)]
    assert (model.course.direction, model.loaded) == (-1, False)


BENT: Waypoints = ((0.0, 0.0), (1.0, 1.0), (2.0, 1.5), (3.0, 0.0), (4.0, 0.0))


def at_a_point(model: Traveller) -> list[Said]:
    """At the point (3, 0) of the bent path, on its way to the source."""
    tell(model, (model.route, Route(BENT, "find")))
    go(model, 4.0, 0.0, pi)
    tell(model, (model.motor.answer, Driven(0.0, 1.0)))
    return go(model, 3.0, 0.0, pi)


def test_it_takes_the_chord_that_saves_most_of_those_that_are_free() -> None:
    model = traveller()
    ((port, asked),) = at_a_point(model)
    assert (port, len(asked.bearings)) == ("sonar_ask", 2)
    assert tell(model, (model.sonar.answer, Ways((3.0, 5.0)))) == [("shortcut", Shortcut(3, 1))]
    shorter: Waypoints = ((0.0, 0.0), (1.0, 1.0), (2.0, 0.5), (3.0, 0.0), (4.0, 0.0))
    ((port, drive),) = tell(model, (model.route, Route(shorter, "chord")))
    assert (port, drive.distance, model.course.target) == ("motor_ask", near(1.25**0.5), 2)
    model = traveller()
    at_a_point(model)
    ((port, drive),) = tell(model, (model.sonar.answer, Ways((1.0, 1.0))))
    assert (port, drive.distance) == ("motor_ask", near(3.25**0.5))


def test_from_a_lane_it_looks_along_chords_of_the_path_and_takes_those_that_are_free_to_their_ends() -> None:
    model = traveller(Travelling(lane=0.5))
    tell(model, (model.route, Route(BENT, "find")))
    go(model, *model.course.line[4], pi)
    tell(model, (model.motor.answer, Driven(0.0, 1.0)))
    x, y = model.course.line[3]
    ((port, asked),) = go(model, x, y, pi)
    assert (port, asked.beside, len(asked.bearings), len(asked.asides)) == ("sonar_ask", near(0.65), 2, 2)
    sizes, leads = [], []
    for end, bearing, aside in zip((BENT[0], BENT[1]), asked.bearings, asked.asides, strict=True):
        ux, uy = cos(pi + bearing), sin(pi + bearing)
        foot = x - aside * uy, y + aside * ux
        assert (end[0] - 3.0) * uy == near((end[1] - 0.0) * ux, 1e-9)  # the direction of the chord
        leads.append((3.0 - foot[0]) * ux + (0.0 - foot[1]) * uy)
        assert (3.0 - foot[0]) * uy == near((0.0 - foot[1]) * ux, 1e-9)  # on the line of the chord
        sizes.append(dist(end, (3.0, 0.0)))
    assert max(map(abs, leads)) > 0.1
    needed = [lead + size + 0.2 for lead, size in zip(leads, sizes, strict=True)]
    assert tell(model, (model.sonar.answer, Ways((needed[0] - 1e-6, needed[1] + 1e-6))))[0][0] == "shortcut"


def heard(model: Traveller) -> list[Said]:
    return tell(model, (model.radio.answer, Reception(2, "WAIT", (1.0, 0.0))), e=0.5)


def under_way(how: Travelling = USUAL) -> Traveller:
    model = traveller(how)
    tell(model, (model.route, Route(LINE, "find")))
    go(model, 10.0, 0.0, pi)
    assert model.phase == "under way"
    return model


def test_it_meets_somebody_only_where_something_is_ahead_and_it_has_just_heard_one() -> None:
    model = under_way()
    assert heard(model) == [("sonar_ask", AskWays((0.0,)))]
    assert tell(model, (model.sonar.answer, Ways((5.0,))), e=0.0) == []
    assert model.phase == "under way"
    heard(model)
    assert tell(model, (model.sonar.answer, Ways((0.7,))), e=0.0) == [("position_ask", Sense())]
    assert go(model, 9.6, 0.0, pi)[0][0] == "sonar_ask"
    assert tell(model, (model.sonar.answer, Ways((0.3,))), e=0.0) == [("motor_ask", Drive(distance=-0.4))]


def test_who_makes_way_goes_back_left_and_ahead_and_then_on_to_a_point_farther_ahead() -> None:
    model = under_way()
    heard(model)
    tell(model, (model.sonar.answer, Ways((0.3,))), e=0.0)
    tell(model, (model.position.answer, OwnPose(9.6, 0.0, pi)), e=0.0)
    tell(model, (model.sonar.answer, Ways((0.3,))), e=0.0)
    assert tell(model, (model.motor.answer, Driven(0.0, -0.4)), e=0.5) == []
    assert (model.phase, model.ta()) == ("pausing", 1.5)
    model.deltint()
    assert settle(model) == [("motor_ask", Drive(pi / 3.0, 0.5))]
    said = dict(tell(model, (model.motor.answer, Driven(pi / 3.0, 0.5)), e=2.0))
    assert said["yielded"] == Yielded(1, near(4.0), met=True)
    ((port, asked),) = tell(model, (model.position.answer, OwnPose(9.75, -0.43, 4.0)), e=0.0)
    assert (port, len(asked.bearings)) == ("sonar_ask", 5)
    ((port, drive),) = tell(model, (model.sonar.answer, Ways((5.0,) * 5)), e=0.0)
    assert (port, model.course.target) == ("motor_ask", 5)
    assert drive.distance > 3.7


def test_what_stops_it_is_an_obstacle_where_it_has_heard_nobody() -> None:
    model = under_way()
    tell(model, (model.motor.answer, Driven(0.0, 0.4, blocked=True)), e=2.0)
    tell(model, (model.motor.answer, Driven(0.0, -0.4)), e=0.5)
    model.deltint()
    settle(model)
    said = dict(tell(model, (model.motor.answer, Driven(1.0, 0.5)), e=2.0))
    assert said["yielded"].met is False


def test_it_stands_while_somebody_talks_and_goes_on_then() -> None:
    model = under_way()
    assert tell(model, (model.held, Hold())) == [("motor_ask", Drive())]
    assert heard(model) == []
    assert tell(model, (model.resumed, Resume())) == [("position_ask", Sense())]
    assert go(model, 9.5, 0.0, pi)[0][0] in ("motor_ask", "sonar_ask")


def in_lane() -> Traveller:
    """On its way to the source, in a lane, at (10, 0.5)."""
    model = traveller(Travelling(lane=0.5, crosses=True))
    tell(model, (model.route, Route(LINE, "find")))
    go(model, 10.0, 0.5, pi)
    tell(model, (model.motor.answer, Driven(0.0, 1.0)))
    heard(model)
    return model


def test_in_a_lane_it_goes_up_to_who_is_ahead_and_waits_there_before_it_makes_way() -> None:
    model = in_lane()
    assert go(model, 9.0, 0.5, pi) == [("sonar_ask", AskWays((near(0.0),)))]
    assert tell(model, (model.sonar.answer, Ways((1.2,))), e=0.0) == [("motor_ask", Drive(0.0, near(0.7)))]
    tell(model, (model.motor.answer, Driven(0.0, 0.7)), e=0.5)
    began = model.time
    while model.time < began + 25.0:
        heard(model)
        go(model, 8.3, 0.5, pi)
        said = tell(model, (model.sonar.answer, Ways((0.5,))), e=0.0)
        if said != [("motor_ask", Drive())]:
            break
        assert (model.phase, model.ta()) == ("queueing", 0.5)
        model.deltint()
        settle(model)
    assert said == [("motor_ask", Drive(distance=-0.4)), ("waited", Waited(1, near(20.0)))]
    assert 20.0 <= model.time - began <= 22.0


def test_what_is_seen_beyond_the_straight_of_a_lane_is_not_ahead() -> None:
    model = in_lane()
    go(model, 1.0, 0.5, pi)
    assert tell(model, (model.sonar.answer, Ways((1.01,))), e=0.0)[0][0] == "motor_ask"


def test_at_an_end_it_crosses_from_lane_to_lane_and_arrives_once() -> None:
    model = in_lane()
    model.course.target = 0
    said = go(model, 0.0, 0.5, pi) + tell(model, (model.sonar.answer, Ways((5.0,))), e=0.0)
    assert said[0] == ("sonar_ask", AskWays((near(pi / 2.0),)))
    assert ("returned", Returned(1, 1)) in said
    tell(model, (model.motor.answer, Driven(pi / 2.0, 1.0)))
    said = go(model, 0.0, -0.5, -pi / 2.0)
    assert "returned" not in dict(said)
    assert (model.course.direction, model.course.target, model.returns) == (1, 1, 1)


def claiming(robot: int, *, loaded: bool, since: float) -> Reception:
    """The claim of a robot that comes towards (9, 0) from the source's side."""
    said = spoken(Claim(robot, loaded, since, (8.0, 0.0), (10.0, 0.0)), 0)
    return Reception(robot, said.text, said.numbers, said.others)


def claims_and_hears(other: Reception) -> tuple[list[Said], list[Said]]:
    """What it says when something is ahead, and when it looks again and has heard another one's claim."""
    model = under_way(Travelling(claims=True))
    tell(model, (model.motor.answer, Driven(0.0, 1.0)), e=2.0)
    heard(model)
    go(model, 9.0, 0.0, pi)
    first = tell(model, (model.sonar.answer, Ways((0.4,))), e=0.0)
    assert model.phase == "queueing"
    tell(model, (model.radio.answer, other), e=0.25)
    model.sigma = 0.0
    model.deltint()
    settle(model)
    heard(model)
    tell(model, (model.position.answer, OwnPose(9.0, 0.0, pi)), e=0.0)
    return first, tell(model, (model.sonar.answer, Ways((0.4,))), e=0.0)


def test_who_has_the_lower_priority_makes_way_and_the_other_one_waits() -> None:
    first, said = claims_and_hears(claiming(2, loaded=True, since=9.0))
    (claim,) = (value for port, value in first if port == "radio_ask")
    assert (claim.text, claim.numbers[0]) == ("CLAIM", 0.0)
    assert ("motor_ask", Drive(near(pi / 3.0), 0.9)) in said
    _, said = claims_and_hears(claiming(2, loaded=False, since=9.0))
    assert ("motor_ask", Drive()) in said


def test_where_company_has_a_price_it_tells_at_the_ends_where_it_came_upon_others() -> None:
    model = traveller(Travelling(company=True))
    tell(model, (model.route, Route(((0.0, 0.0), (1.0, 0.0)), "find")))
    go(model, 1.0, 0.0, pi)
    for _ in range(3):
        heard(model)
    model.phase = "under way"
    tell(model, (model.motor.answer, Driven(0.0, 1.0)), e=0.0)
    said = go(model, 0.0, 0.0, pi) + tell(model, (model.sonar.answer, Ways((5.0,))), e=0.0)
    assert ("company", Company(((1.0, 0.0),))) in said


# ways


def test_a_piece_that_a_robot_is_in_is_left_where_it_ends() -> None:
    old: Waypoints = ((0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 2.0), (4.0, 0.0), (5.0, 0.0))
    new: Waypoints = ((0.0, 0.0), (1.0, 0.0), (4.0, 0.0), (5.0, 0.0))
    assert way_over(old, new, (2.5, 2.0), 1) == ([3], 2)
    assert way_over(old, new, (2.5, 2.0), -1) == ([2], 1)
    assert way_over(old, new, (0.5, 0.0), 1) == ([], 1)
