"""SpaceManager: where everything is (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from devs_robotics import Atomic, Exchange, Fix, In, Out, Port
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.ports import add_port, types_agree
from devs_robotics.models.environment.actions import Action
from devs_robotics.models.environment.gathered_rows import GatheredRows
from devs_robotics.models.environment.messages import (
    ArcMotion,
    BodyChange,
    BodyMotion,
    Disturbance,
    GlideMotion,
    Halted,
    Join,
    Leave,
    Motion,
    MotionEnded,
    PoseChange,
    TrajectoryChange,
    Twist,
)
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.questions import Contact, Question
from devs_robotics.models.environment.sensing import Noticed, StrategyName, Unwatch, Watching
from devs_robotics.models.environment.world import World

SAYS: dict[type, str] = {MotionEnded: "moved", Contact: "felt"}
"""Names of ports for answers that are not called as these are."""

ALL = 0
"""In place of a robot's number: all that have no port of their own, those that will join included."""

if TYPE_CHECKING:
    from devs_robotics.models.environment.driving import Driving

_robot = attrgetter("robot")


class SpaceManager(Atomic):
    """Keeps the poses of all robots, moves them, and answers their sensors; all within zero time.

    What comes at one instant is handled in the order changes of bodies, disturbances, motions, those of counterparts,
    fixes, velocities, motions of omniwheels, actions, watches, questions, and each in the order of the robots' numbers,
    so that the result does not depend on the order in a bag. What is due at the same instant comes first.

    =========  =====================  ==============================  ==========================================
    phase      time advance           output                          next phase
    =========  =====================  ==============================  ==========================================
    passive    until the next         none                            passive; answering, if something is to be said
               contact or look
    answering  0                      pose_change, and the answers    passive
    =========  =====================  ==============================  ==========================================

    Ports:
        motion: motions of virtual motors that have ended in time, to be made now
        counterpart: motions that real robots have made
        fix: where a tracking system sees a real robot
        body_change: who joins or leaves, is carried or put down, follows a trajectory
        disturbance: what the floor does to a robot's next motion
        twist: velocities that robots keep from now on
        glide: motions of omniwheels, which begin now
        action: what robots do to the world beside moving
        watch: watches of questions that begin, or end
        question: what sensors want to know
        pose_change: where a robot of those at the beginning stands, after each change of its pose or motion
        trajectory_change: how it moves then, where somebody wants to know
        body_motion: the same of all bodies, and who joins and leaves, where somebody wants to know
        and one per robot and kind of answer, which `offer` makes: ``moved1``, ``distances1`` and so on, or one for
        many robots, which `offer_rows` makes with ``rows``, through which what they ask comes

    Args:
        world: what questions are answered from
        strategy: of looking at watches
    """

    looks_on_grid: ClassVar[bool] = False  # as a `GridSpace` does

    motion = In(Motion)
    counterpart = In(Motion | ArcMotion)
    fix = In(Fix)
    disturbance = In(Disturbance)
    twist = In(Twist)
    glide = In(GlideMotion)
    body_change: In[BodyChange] = In(BodyChange)
    action = In(Action)
    watch = In(Watching | Unwatch)
    question = In(Question)
    pose_change = Out(PoseChange)
    trajectory_change = Out(TrajectoryChange)
    body_motion = Out(BodyMotion)

    def __init__(self, name: str, world: World, strategy: StrategyName = "auto") -> None:
        super().__init__(name)
        self.world = world
        self.field = world.field
        self.strategy = strategy
        self.driving: Driving | None = None
        """Made when the first robot drives with a velocity, or watches something."""
        self.tells_trajectories = False
        """Whether somebody wants to know how robots move."""
        self.tells_bodies = False
        """Whether somebody wants to know how all bodies move."""
        self._disturbances: dict[int, Disturbance] = {}
        self._replies: dict[tuple[type, int, str], Port[Any]] = {}
        """By type of answer, robot, and name of its equipment: the port on which that is told."""
        self._gatherings: list[GatheredRows] = []
        self._rows: Port[Rows] | None = None
        self._answers: list[tuple[Port[Any], Any]] = []
        self._jumped: list[int] = []
        """Bodies that were put elsewhere, of which `driving` has not yet heard."""
        self._gliding: dict[int, Trajectory] = {}
        """On what omniwheels have put bodies last."""
        self._next = inf
        """When something is due that nobody has to ask for (s)."""
        self._handlers: tuple[tuple[Port[Any], Callable[[Any], None], bool], ...] = (
            (self.body_change, self._stage, True),
            (self.disturbance, self._disturb, False),
            (self.motion, self._move, False),
            (self.counterpart, self._follow, False),
            (self.fix, self._place, False),
            (self.twist, self._drive_on, True),  # who sets out together sees the others do so
            (self.glide, self._glide, False),
            (self.action, self._act, False),
            (self.watch, self._watch, False),
            (self.question, self._ask, False),
        )
        """Ports in their order, who handles what comes through them, and whether all of an instant together."""

    def offer(self, answer: type, robot: int, sensor: str = "") -> Port[Any]:
        """The port on which a robot, or one of its pieces of equipment, is told such answers; it is made once.

        Args:
            answer: type of the answers
            robot: its number; `ALL`: all those that have no port of their own for such answers
            sensor: name of its equipment
        """
        key = answer, robot, sensor
        if key not in self._replies:
            name = f"{SAYS.get(answer, answer.__name__.lower())}{robot or ''}"
            port: Port[Any] = Port(answer, f"{name}_{sensor}" if sensor else name)
            add_port(self, port, "out")
            self._replies[key] = port
        return self._replies[key]

    def offer_rows(self, answer: type, robots: Sequence[int], sensor: str, name: str) -> Exchange[Rows, Rows]:
        """Two ports for many robots: one for what they ask, and one on which they are told such answers.

        Args:
            answer: type of the answers
            robots: their numbers
            sensor: name of their equipment; empty where it does not hear its own answers alone
            name: of the second port
        """
        if self._rows is None:
            self._rows = Port(Rows, "rows")
            add_port(self, self._rows, "in")
        port: Port[Rows] = Port(Rows, name)
        add_port(self, port, "out")
        gathering = GatheredRows(answer, port)
        self._gatherings.append(gathering)
        self._replies.update({(answer, robot, sensor): gathering for robot in robots})
        return Exchange(self._rows, port)

    def speeds(self, body: int) -> tuple[float, float]:
        """How fast a body moves along its heading (m/s), and turns (rad/s), where it follows no other trajectory."""
        return self.field.bodies.speed[body], self.field.bodies.turn_rate[body]

    def deltext(self, e: float) -> None:
        """Carry out the motions and answer the questions of this instant."""
        self.field.now += e
        rows = list(self._rows.values) if self._rows else ()
        for port, handle, together in self._handlers:
            if port or rows:
                messages = list(port.values)
                for each in rows:
                    if types_agree(each.kind, port.p_type):
                        messages += each.messages
                if len(messages) > 1:
                    messages.sort(key=_robot)
                if together and messages:
                    handle(messages)
                    continue
                for message in messages:
                    handle(message)
        if self.driving is not None:
            self._hear(self.driving)
            self._wait(self.driving)
        elif self._answers:
            self.activate("answering")

    def lambdaf(self) -> None:
        """Send all answers."""
        for port, answer in self._answers:
            port.add(answer)
        for gathering in self._gatherings:
            gathering.send()

    def deltint(self) -> None:
        """Wait, or do what is due."""
        driving, answered = self.driving, bool(self._answers)
        self._answers.clear()
        if driving is None:
            self.passivate()
            return
        if not answered:
            self.field.now = self._next
            driving.go_on()
            self._hear(driving)
        self._wait(driving)

    def _wait(self, driving: Driving) -> None:
        """Answer at once, or wait for what is due next."""
        if self._answers:
            self.activate("answering")
            return
        self._next = driving.next_time()
        self.hold_in("passive", self._next - self.field.now)

    def _say(self, robot: int, answer: Any, sensor: str = "") -> None:
        port = self._replies.get((type(answer), robot, sensor))
        if port is None:
            port = self._replies.get((type(answer), ALL, sensor))
        if port is not None:
            self._answers.append((port, answer))

    def _stage(self, changes: list[Any]) -> None:
        from devs_robotics.models.environment.staging import stage  # as driving is

        stage(self.world, changes, self._driving)
        if self.tells_bodies:
            for body in {each.robot - 1: None for each in changes if isinstance(each, Join | Leave)}:
                self._tell_motion(body)

    def _disturb(self, disturbance: Disturbance) -> None:
        self._disturbances[disturbance.robot] = disturbance

    def _ask(self, question: Question) -> None:
        gone = question.robot - 1 in self.field.bodies.gone
        if not gone and (answer := question.answer(self.world)) is not None:
            self._say(question.robot, answer, question.sensor)

    def _act(self, action: Action) -> None:
        if (answer := action.act(self.world)) is not None:
            self._say(action.robot, answer, action.sensor)

    def _move(self, motion: Motion) -> None:
        robot, body, field = motion.robot, motion.robot - 1, self.field
        if (field.bodies.carrier or field.bodies.gone) and not field.bodies.moves_itself(body):
            self._say(robot, MotionEnded(robot, 0.0, 0.0, True))
            return
        self._end_glide(body)
        if self.driving is not None:
            self._end_velocity(self.driving, body)
        field.turn(body, motion.turn)
        gone, blocked = motion.distance, False
        if gone:
            gone, blocked = self._drive(body, gone, self._disturbances.pop(robot, None))
        self._stands_elsewhere(body, motion.turn, gone)
        self._say(robot, MotionEnded(robot, motion.turn, gone if blocked else motion.distance, blocked))

    def _drive(self, body: int, distance: float, disturbance: Disturbance | None) -> tuple[float, bool]:
        """Drive a body, noise included, up to a contact; returns the distance gone (m), and whether there was one."""
        field = self.field
        wanted = distance if disturbance is None else distance * (1.0 + disturbance.stretch)
        room = field.free_distance(body, 1.0 if wanted > 0.0 else -1.0, abs(wanted))
        blocked = room < abs(wanted)
        gone = (room if wanted > 0.0 else -room) if blocked else wanted
        field.advance(body, gone)
        if disturbance is not None:
            field.turn(body, disturbance.swerve * abs(gone))
        return gone, blocked

    def _follow(self, motion: Motion | ArcMotion) -> None:
        """Move the counterpart of a real robot, which has been there already: nothing in the model can stop it."""
        body, field = motion.robot - 1, self.field
        if not field.bodies.moves_itself(body):
            if isinstance(motion, Motion):
                self._say(motion.robot, MotionEnded(motion.robot, motion.turn, motion.distance, False))
            return
        self._end_glide(body)
        if self.driving is not None:
            self._end_velocity(self.driving, body)
        if isinstance(motion, ArcMotion):
            field.place(body, *motion.end(*field.pose(body)))
            self.world.followed.put(body, field.now, field.pose(body))
        else:
            field.turn(body, motion.turn)
            if motion.distance:
                field.advance(body, motion.distance)
        self._stands_elsewhere(body, motion.turn, motion.distance)
        if isinstance(motion, Motion):  # of arcs, there comes one after the other, and nobody waits for their ends
            self._say(motion.robot, MotionEnded(motion.robot, motion.turn, motion.distance, False))

    def _place(self, fix: Fix) -> None:
        body = fix.robot - 1
        if not self.field.bodies.moves_itself(body):  # it is where its carrier is
            return
        self._end_glide(body)
        self.field.place(body, fix.x, fix.y, fix.heading)
        for each in self.field.bodies.with_cargo((body,)):
            self._tell_pose(each)
        self._feel_ahead(body)
        if self.driving is not None:
            self._jumped.append(body)

    def _stands_elsewhere(self, body: int, turned: float, gone: float) -> None:
        """Tell where a body is after a motion, and what its whiskers feel there."""
        if turned or gone:
            self._tell_pose(body)
            if self.field.bodies.carrier:
                for each in self.field.bodies.with_cargo((body,))[1:]:
                    self._tell_pose(each)
            if self.driving is not None:
                self._jumped.append(body)
        if gone > 0.0 or self.world.touching[body]:
            self._feel_ahead(body)

    def _end_velocity(self, driving: Driving, body: int) -> None:
        """A motion as a whole takes the place of a velocity."""
        driving.stop(body)
        if self.field.bodies.speed[body]:
            self._jumped.append(body)

    def _end_glide(self, body: int) -> None:
        """A motion of another kind takes the place of that of omniwheels, which are told that theirs is over."""
        if self._gliding and self.field.bodies.paths.get(body) is self._gliding.pop(body, self):
            self._say(body + 1, Halted(body + 1, True))

    def _drive_on(self, twists: list[Twist]) -> None:
        for twist in twists:
            self._end_glide(twist.robot - 1)
        self._driving().twist(twists)

    def _glide(self, glide: GlideMotion) -> None:
        driving, bodies, body = self._driving(), self.field.bodies, glide.robot - 1
        if bodies.moves_itself(body):
            path = self._gliding[body] = glide.path(self.field.now, *bodies.pose(body, self.field.now))
            driving.follow(body, path)
        else:
            self._say(glide.robot, Halted(glide.robot, True))

    def _watch(self, watch: Watching | Unwatch) -> None:
        if isinstance(watch, Unwatch):
            self._driving().unwatch(watch)
            return
        port = self._replies.get((Noticed, watch.robot, watch.question.sensor))
        if port is not None and watch.robot - 1 not in self.field.bodies.gone:
            self._driving().watch(watch, port)

    def _driving(self) -> Driving:
        if self.driving is None:
            from devs_robotics.models.environment.driving import Driving  # slow to load, and many worlds do without

            self.driving = Driving(self.world, self.strategy)
        self._tell_jumps(self.driving)
        return self.driving

    def _tell_jumps(self, driving: Driving) -> None:
        if self._jumped:
            driving.jumped(self._jumped)
            self._jumped.clear()

    def _hear(self, driving: Driving) -> None:
        """Tell what has happened to bodies that drive, and what watches notice."""
        self._tell_jumps(driving)
        happened = driving.take()
        for body in happened.moved:
            self._tell_pose(body)
        for stopped in happened.stopped:
            self._say(stopped.robot, stopped)
        self._answers += happened.told

    def _tell_pose(self, body: int) -> None:
        """Where a robot is; nobody but frames asks after bodies without one."""
        if self.tells_bodies:
            self._tell_motion(body)
        if body < self.world.robots and body not in self.field.bodies.gone:
            x, y, heading = self.field.bodies.pose(body, self.field.now)
            self._answers.append((self.pose_change, PoseChange(body + 1, x, y, heading)))
            if self.tells_trajectories:
                path = self.field.bodies.trajectory(body)
                self._answers.append((self.trajectory_change, TrajectoryChange(body + 1, path)))

    def _tell_motion(self, body: int) -> None:
        self._answers.append((self.body_motion, self.field.bodies.motion(body)))

    def _feel_ahead(self, body: int) -> None:
        world = self.world
        touching = self.field.free_distance(body, 1.0, world.whisker_reach) < inf
        if touching != world.touching[body]:
            world.touching[body] = touching
            self._say(body + 1, Contact(body + 1, touching))
