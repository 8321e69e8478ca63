"""What bodies are called in ROS."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.observe.mcap_ros2 import TEXT, ros_topic
from devs_robotics.hil.protocols.ros2.names import is_name
from devs_robotics.hil.protocols.ros2.type_store import type_hash, type_store
from devs_robotics.view.ros2.body_names import BodyNames
from devs_robotics.view.scene import SceneBody


@given(st.lists(st.text(max_size=8), unique=True, max_size=6), st.sampled_from(["", "sim"]))
def test_each_body_has_a_name_of_its_own_that_ros_allows(texts: list[str], prefix: str) -> None:
    names = BodyNames(prefix)
    names.learn(SceneBody(slot, 0, text) for slot, text in enumerate(texts))
    found = [names.namespace(text) for text in texts]
    assert len(set(found)) == len(texts)
    assert all(is_name(name) for name in found)
    assert all(name.startswith("sim/") for name in found if prefix)


def test_robots_are_called_as_people_call_them() -> None:
    names = BodyNames()
    bodies = [SceneBody(0, 3, "robot 3", kind="counterpart"), SceneBody(1, 3, "robot 3, real", kind="real")]
    names.learn([*bodies, SceneBody(2, 0, "e-puck at 4", kind="outside")])
    assert [names.frame(body.name) for body in bodies] == ["robot3_counterpart/base_link", "robot3_real/base_link"]
    assert names.namespace("e-puck at 4") == "e_puck_at4"
    assert names.of_robot(3) == bodies[0]
    assert (names.field, BodyNames("sim").field, names.frame("map")) == ("map", "sim/map", "map")


@given(st.text(max_size=12), st.text(max_size=12))
def test_topics_of_a_trace_are_names_of_ros(one: str, other: str) -> None:
    assert is_name(ros_topic(f"/{one}/{other}").strip("/"))


def test_texts_are_of_the_type_that_ros_has() -> None:
    assert TEXT.text.decode() == type_store().generate_msgdef(TEXT.schema, ros_version=2)[0]
    assert TEXT.metadata["topic_type_hash"] == type_hash(TEXT.schema)
