"""Types for Cyclone DDS whose messages stay bytes (CDR), and whose endpoints announce no type information.

Cyclone's binding for Python writes and reads messages by classes of its own; here `serialize` returns the bytes that it
was given, and `deserialize` keeps them. Cyclone still checks that they fit the type.

The binding announces XTypes information with each endpoint, and Fast DDS 3 (Kilted and later) does too, which Cyclone
takes for invalid where there is a sequence or an array: such endpoints never match, and nobody says so. Those of
rmw_cyclonedds announce none, and so match by the name of their type. `Silent` does as they do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

from cyclonedds.__library__ import library_path
from cyclonedds.idl import make_idl_struct, types
from cyclonedds.idl.annotations import final
from rosbags.interfaces import Nodetype

from devs_robotics.hil.protocols.ros2.names import dds_type
from devs_robotics.hil.protocols.ros2.type_store import DISTRO, type_store

_BASE: dict[str, Any] = {
    "bool": bool,
    "byte": types.uint8,
    "octet": types.byte,
    "char": types.uint8,
    "int8": types.int8,
    "uint8": types.uint8,
    "int16": types.int16,
    "uint16": types.uint16,
    "int32": types.int32,
    "uint32": types.uint32,
    "int64": types.int64,
    "uint64": types.uint64,
    "float32": types.float32,
    "float64": types.float64,
    "string": str,
}

_SEARCHED = 512
"""Size of the part of a sertype that is searched for its type information (bytes); in 11.0.1 it is at 96."""


@cache
def raw_type(name: str, distro: str = DISTRO) -> Any:
    """The class of a type of ROS for Cyclone; its objects have the bytes of a message as `cdr`."""
    made = _struct(name, distro)
    made.cdr = b""
    made.serialize = lambda self, buffer=None, use_version_2=None: self.cdr
    made.deserialize = classmethod(lambda cls, data, has_header=True, use_version_2=None: raw_sample(cls, bytes(data)))
    return made


def raw_sample(kind: Any, data: bytes) -> Any:
    """A message of a `raw_type`."""
    sample = kind.__new__(kind)
    sample.cdr = data
    return sample


@cache
def _struct(name: str, distro: str) -> Any:
    package, _, short = name.partition("/msg/")
    fields = {field: _type(of, distro) for field, of in type_store(distro).fielddefs[name][1]}
    return final(make_idl_struct(f"{package}_{short}_", dds_type(name), fields, dataclassify=True))


def _type(said: Any, distro: str) -> Any:
    kind, of = said
    if kind == Nodetype.BASE:
        return _BASE[of[0] if isinstance(of, tuple) else of]
    if kind == Nodetype.NAME:
        return _struct(of, distro)
    inner, made = _type(of[0], distro), cast("Any", types)
    return made.array[inner, of[1]] if kind == Nodetype.ARRAY else made.sequence[inner]


class Silent:
    """Has the endpoints of topics announce no type information.

    Cyclone knows a type by what it announces, too: while another topic of the same type is made, it must find that.

    Attributes:
        failed: whether the place was not found where Cyclone keeps it, as may be with a version that is not known
    """

    def __init__(self) -> None:
        self.failed = False
        self._library = ctypes.CDLL(str(library_path))
        self._library.dds_get_entity_sertype.argtypes = [ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)]
        self._library.dds_get_entity_sertype.restype = ctypes.c_int32
        self._sizes: dict[str, list[tuple[ctypes.c_uint32, int]]] = {}
        """By type: where sizes stand, and what they were."""

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """While it is entered, topics of this type can be made."""
        for size, said in self._sizes.get(name, ()):
            size.value = said
        try:
            yield
        finally:
            for size, _ in self._sizes.get(name, ()):
                size.value = 0

    def silence(self, name: str, topic: Any) -> None:
        """Have a new topic announce nothing."""
        information = topic.data_type.__idl__._xt_bytedata[0]
        sertype = ctypes.c_void_p()
        if not information or self._library.dds_get_entity_sertype(topic._ref, ctypes.byref(sertype)) != 0:
            self.failed = True
            return
        assert sertype.value is not None
        for offset in range(0, _SEARCHED, 8):
            place = sertype.value + offset
            data = ctypes.c_void_p.from_address(place).value
            size = ctypes.c_uint32.from_address(place + 8)
            if size.value == len(information) and data and ctypes.string_at(data, len(information)) == information:
                self._sizes.setdefault(name, []).append((size, size.value))
                size.value = 0
                return
        # the type may be shared with a topic before, whose size is known
        self.failed = self.failed or name not in self._sizes
