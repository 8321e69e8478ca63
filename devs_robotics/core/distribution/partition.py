"""Takes a model apart for several processes, each of which gets what is its own and a `Peer` for each other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from xdevs.models import Component
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics.core.distribution.peer import Fits, Peer
from devs_robotics.core.distribution.session import Session, data_topic
from devs_robotics.core.errors import DevsRoboticsError, ModelError
from devs_robotics.core.model import Coupled
from devs_robotics.core.ports import Port, add_port, component_path, port_path
from devs_robotics.core.realtime.bridge import Bridge
from devs_robotics.core.realtime.packet_ports import PacketPorts, lead_packets
from devs_robotics.core.realtime.transport import Transport
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.core.robots.device import Fault
from devs_robotics.core.wiring import components, destinations, next_ports

XPort = XdevsPort[Any]
FlatCoupling = tuple[XPort, XPort]
"""From a unit's output, or an input of the root, to a unit's input, or an output of the root."""


class Partition(Struct, frozen=True):
    """What one process runs.

    Attributes:
        root: the model; its units have the paths that they had in the undivided one, and it has those ports of the
            undivided root that they are coupled to, under the same names
        peers: the other processes that are coupled to this one, by name
        wires: ports of the root for the packets of each peer
        fault: an output of the root: a peer has failed, and the run must end
    """

    root: Coupled
    peers: dict[str, Peer]
    wires: dict[str, PacketPorts]
    fault: Port[Fault]

    def connect(self, bridge: Bridge, transport: Transport) -> None:
        """Couple all peers with a transport."""
        for there, ports in self.wires.items():
            session = self.peers[there].session
            bridge.connect(
                transport,
                ports.outgoing,
                ports.incoming,
                send_on=data_topic(session.run, session.here, there),
                listen_on=data_topic(session.run, there, session.here),
            )


def anything(port: str, value: Any) -> bool:
    """Every value may come."""
    return True


def partition(
    root: Coupled,
    places: Mapping[str, str],
    session: Session,
    titles: Mapping[str, str] | None = None,
    fits: Fits = anything,
) -> dict[str, Partition]:
    """Take a model apart, and move its components into the parts.

    Args:
        root: no simulator uses it
        places: process by model path; what is not named belongs where the model round it belongs:
            ``{"experiment": "host", "experiment/system/robot3": "node1"}``
        session: `here` is set for each process
        titles: of the processes, for people
        fits: whether a value may come from another process, by the path of the port that sends it, without the root
            (``system/robot3.round_done``); one that does not fit is dropped, before any model sees it

    Returns:
        a part for each process; where the root itself has a place, it is the root of that part, ports and all

    Raises:
        DevsRoboticsError: a path names no model, or nothing says where a model belongs
        ModelError: values of a type that cannot be sent would have to cross between processes
    """
    units, nests = _units_and_nests(root, places)
    routes = list(_routes(root, units))
    paths = {model: component_path(model) for model in (*nests, *units)}
    names = {port: _name(port) for port, _ in routes}
    for nest in nests:
        for component in list(nest.components):
            nest.remove_component(component)
    parts: dict[str, Partition] = {}
    for process in dict.fromkeys(units.values()):
        assembly = _Assembly(root, {paths[nest]: nest for nest, owner in nests.items() if owner == process})
        for unit, owner in units.items():
            if owner == process:
                assembly.add(unit, paths[unit].rpartition("/")[0])
        crossings = _Crossings(process, units, names, routes)
        parts[process] = assembly.finish(crossings, replace(session, here=process), titles or {}, fits)
    return parts


def _units_and_nests(
    root: Coupled, places: Mapping[str, str]
) -> tuple[dict[Component, str], dict[Coupled, str | None]]:
    """The largest models that belong to one process as a whole, and those that are divided, in the order of the tree.

    Both by the process in which they belong; one that is divided may belong nowhere.
    """
    paths = {component_path(model): model for model in components(root)}
    for path in places:
        if path not in paths:
            raise DevsRoboticsError(
                f"{path} is to run in the process {places[path]}, but there is no such model in {root.name}: "
                f"give a path such as {next(reversed(paths))}"
            )
    divided = {root, *(model for path in places for model in _round(paths[path]))}
    units: dict[Component, str] = {}
    nests: dict[Coupled, str | None] = {}
    pending: list[tuple[Component, str | None]] = [(root, None)]
    while pending:
        model, process = pending.pop()
        path = component_path(model)
        process = places.get(path, process)
        if isinstance(model, Coupled) and (process is None or model in divided):
            nests[model] = process
            pending += [(component, process) for component in reversed(model.components)]
        elif process is None:
            raise DevsRoboticsError(
                f"nothing says in which process {path} is to run: give a place for it, or for a model round it"
            )
        elif model in divided:
            raise ModelError(f"{path} cannot be divided: derive it from devs_robotics.Coupled")
        else:
            units[model] = process
    return units, nests


def _routes(root: Coupled, units: Mapping[Component, str]) -> Iterator[FlatCoupling]:
    """Where couplings lead, from unit to unit and to and from the root."""
    for source in [*root.in_ports, *(port for unit in units for port in unit.out_ports)]:
        found: dict[XPort, None] = {}
        pending = [source]
        while pending:
            port = pending.pop()
            if port is not source and (port.parent in units or (port.parent is root and port in root.out_ports)):
                if port in found:
                    raise ModelError(
                        f"{port_path(source)} is coupled to {port_path(port)} by two paths, which cannot be told apart "
                        f"when the model is divided: couple them once"
                    )
                found[port] = None
            else:
                pending.extend(reversed(list(next_ports(port))))
        for end in found:
            if _is_heard(end):
                yield source, end


def _is_heard(end: XPort) -> bool:
    """Whether anybody takes what reaches the end of a route: a unit may be a coupled model that leads it nowhere."""
    unit = end.parent
    return not (isinstance(unit, XdevsCoupled) and unit.input.get(end.name) is end and not destinations(end))


def _round(model: Component) -> Iterator[XdevsCoupled]:
    """The coupled models round a model, from the innermost."""
    while model.parent is not None:
        model = model.parent
        yield model


def _name(port: XPort) -> str:
    """What a port is called on the wire: its path without the root."""
    return port_path(port).partition("/")[2]


class _Crossings:
    """The routes of one process, sorted."""

    def __init__(
        self, process: str, units: Mapping[Component, str], names: Mapping[XPort, str], routes: Iterable[FlatCoupling]
    ) -> None:
        self.names = names
        self.local: list[FlatCoupling] = []
        self.sent: dict[str, dict[XPort, None]] = {}
        """Ports here, by the process that they reach."""
        self.come: dict[str, dict[XPort, list[XPort]]] = {}
        """Ports there, by their process, and those here that they reach."""
        for source, end in routes:
            begins, ends = (units.get(port.parent) for port in (source, end) if port.parent is not None)
            if begins in (process, None) and ends in (process, None):
                self.local.append((source, end))
            elif begins == process and ends is not None:
                self.sent.setdefault(ends, {})[source] = None
            elif ends == process and begins is not None:
                self.come.setdefault(begins, {}).setdefault(source, []).append(end)

    @property
    def peers(self) -> list[str]:
        """The processes that this one is coupled to."""
        return sorted({*self.sent, *self.come})


class _Assembly:
    """Builds the model of one process: a tree like the undivided one, of the units that it has, and couplings."""

    def __init__(self, undivided: Coupled, nests: dict[str, Coupled]) -> None:
        name = undivided.name
        self.root = nests.get(name) or Coupled(name)
        self._made = {name: self.root}
        self._nests = nests
        """The undivided model's own, which belong here, by path; they are empty."""
        self._leading: dict[tuple[XPort, Coupled], Port[Any]] = {}
        """Ports that lead a port out of, or into, a coupled model."""

    def add(self, unit: Component, path: str) -> None:
        """Add a unit inside the model at a path."""
        self._nest(path).add_component(unit)

    def finish(self, crossings: _Crossings, session: Session, titles: Mapping[str, str], fits: Fits) -> Partition:
        """Make all couplings."""
        for source, end in crossings.local:
            self._couple(source, end)
        fault: Port[Fault] = Port(Fault, "peer_fault")
        add_port(self.root, fault, "out")
        peers: dict[str, Peer] = {}
        wires: dict[str, PacketPorts] = {}
        for there in crossings.peers:
            sent, come = crossings.sent.get(there, {}), crossings.come.get(there, {})
            peer = Peer(
                f"peer_{there}",
                session,
                there,
                titles.get(there, there),
                {crossings.names[port]: port.p_type for port in sent},
                {crossings.names[port]: port.p_type for port in come},
                fits,
            )
            self.root.add_component(peer)
            self.root.add_coupling(peer.fault, fault)
            for port in sent:
                self._couple(port, peer.sends[crossings.names[port]])
            for port, ends in come.items():
                for end in ends:
                    self._couple(peer.receives[crossings.names[port]], end)
            peers[there] = peer
            wires[there] = lead_packets(self.root, peer.outgoing, peer.incoming)
        return Partition(self.root, peers, wires, fault)

    def _nest(self, path: str) -> Coupled:
        """The coupled model that stands at a path here, made when it is asked for."""
        if path not in self._made:
            above, _, name = path.rpartition("/")
            self._made[path] = self._nests.get(path) or Coupled(name)
            self._nest(above).add_component(self._made[path])
        return self._made[path]

    def _couple(self, source: XPort, end: XPort) -> None:
        """Couple two ports that may stand at any depth, or be ports of the undivided root."""
        outside = self._round(source)
        level = next(nest for nest in self._round(end) if nest in outside)
        assert isinstance(level, Coupled)
        level.add_coupling(self._led(source, level, "out"), self._led(end, level, "in"))

    def _round(self, port: XPort) -> list[XdevsCoupled]:
        assert port.parent is not None
        return list(_round(port.parent)) or [self.root]

    def _led(self, port: XPort, level: Coupled, direction: str) -> XPort:
        """The port, of a component of `level` or of the root itself, to which a port is led out, or from which in."""
        owner = port.parent
        assert owner is not None
        nest = owner.parent
        if nest is level:
            return port
        if nest is None:
            return self._of_root(port)
        assert isinstance(nest, Coupled)
        if (port, nest) not in self._leading:
            lead: Callable[[Coupled, Any, str], Port[Any]] = lead_out if direction == "out" else lead_in
            self._leading[port, nest] = lead(nest, port, f"{owner.name}.{port.name}")
        return self._led(self._leading[port, nest], level, direction)

    def _of_root(self, port: XPort) -> XPort:
        """The port of this root that stands for one of the undivided root; itself, if that is this one."""
        if port.parent is self.root:
            return port
        if (port, self.root) not in self._leading:
            assert port.parent is not None
            self._leading[port, self.root] = Port(port.p_type, port.name)
            direction = "in" if port.parent.input.get(port.name) is port else "out"
            add_port(self.root, self._leading[port, self.root], direction)
        return self._leading[port, self.root]
