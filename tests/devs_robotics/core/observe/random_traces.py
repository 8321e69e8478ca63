"""Traces that no model has made."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics.core.observe import Changed, Event, Failed, Joined, Left, Received, Sent, Started


class Message(Struct, frozen=True):
    number: int
    inner: Any


@dataclass(frozen=True)
class Data:
    text: str


class Strange:
    pass


names = st.sampled_from(["a", "b", "state", "trace"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
times = st.floats(0.0, 1e12)
texts = st.text(st.characters(exclude_categories=()), max_size=5)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.binary(max_size=3)
    | st.complex_numbers()
    | st.builds(Strange)
    | st.builds(Data, st.text(max_size=3))
    | st.floats().map(np.float64)
    | st.sampled_from([np.arange(3), np.array([inf, 1.0])])
    | st.frozensets(st.integers() | st.text(max_size=2), max_size=3)
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(texts | st.integers() | st.tuples(st.integers()), inner, max_size=3)
        | st.builds(Message, st.integers(), inner)
    ),
    max_leaves=6,
)
bags = st.lists(values, min_size=1, max_size=3).map(tuple)
kinds = st.sampled_from(["internal", "external", "confluent"])
heads: st.SearchStrategy[Started] = st.builds(
    Started,
    devs_robotics=st.just("0"),
    time=times,
    root=st.just("a"),
    models=st.dictionaries(paths, names, max_size=3),
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Sent, times, paths, names, bags),
    st.builds(Received, times, paths, names, bags),
    st.builds(Changed, times, paths, kinds, times, st.text(max_size=5), times | st.just(inf)),
    st.builds(Joined, times, paths, names),
    st.builds(Left, times, paths),
    st.builds(Failed, times, st.text(max_size=5)),
)
traces: st.SearchStrategy[list[Event]] = st.builds(
    lambda head, rest: [head, *rest], heads, st.lists(events, max_size=8)
)
