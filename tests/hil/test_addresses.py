"""Addresses: each kind is read, each mistake is a sentence, and no password is ever shown."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devs_robotics.hil.addresses import (
    SHOWN,
    AddressError,
    LocalAddress,
    MqttAddress,
    Ros2Address,
    SerialAddress,
    TcpAddress,
    masked,
    parse,
    parse_mqtt,
)

SECRET = "s3cret"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("serial:///dev/ttyACM0?baud=9600", SerialAddress("/dev/ttyACM0", 9600)),
        ("serial:///dev/ttyACM0", SerialAddress("/dev/ttyACM0", 115200)),
        ("serial:COM3?baud=9600", SerialAddress("COM3", 9600)),
        ("serial:socket://192.0.2.7:23", SerialAddress("socket://192.0.2.7:23", 115200)),
        ("tcp://192.0.2.7:1000", TcpAddress("192.0.2.7", 1000)),
        ("tcp://[2001:db8::7]:1000", TcpAddress("2001:db8::7", 1000)),
        ("mqtt://host/robot/7", MqttAddress("host", 1883, prefix="robot/7")),
        ("mqtt://host:1884", MqttAddress("host", 1884)),
        ("mqtt://me:p%40ss%2F@host/robot/7/", MqttAddress("host", 1883, False, "me", "p@ss/", "", "robot/7")),
        ("mqtts://me@host/a", MqttAddress("host", 8883, True, "me", prefix="a")),
        ("local:robots.mine:Wheels", LocalAddress("robots.mine:Wheels")),
        ("ros2://", Ros2Address()),
        ("ros2://turtle1?domain=5&peers=a,b", Ros2Address(name="turtle1", options=(("domain", "5"), ("peers", "a,b")))),
        ("ros2+zenoh://host/a/b", Ros2Address(name="a/b", host="host", port=7447)),
        (
            "ros2+zenoh://[2001:db8::7]:7448/a?bridge=ros2dds",
            Ros2Address(name="a", host="2001:db8::7", port=7448, options=(("bridge", "ros2dds"),)),
        ),
    ],
)
def test_each_kind_is_read_and_written_again(text: str, address: object) -> None:
    assert parse(text) == address
    if not (isinstance(address, MqttAddress) and address.password):
        assert parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is of no known kind: write serial"),
        ("/dev/ttyACM0", "is of no known kind"),
        ("http://host", "is of no known kind"),
        ("serial:", "names no device"),
        ("serial:///dev/ttyACM0?baud=fast", "has the baud rate 'fast': write a whole number"),
        ("serial:///dev/ttyACM0?baud=0", "has the baud rate '0'"),
        ("serial:///dev/ttyACM0?baud=" + 5000 * "1", f"has the baud rate '{200 * '1'}': write a whole number"),
        ("ros2://turtle1?domain=" + 5000 * "1", f"has the domain '{200 * '1'}': write a whole number"),
        ("mqtt://host/\udcff", "has a byte that is no text in UTF-8: correct it"),
        ("serial:///dev/ttyACM0?boud=9600", "has an option 'boud' that is unknown: there are baud"),
        ("serial:///dev/ttyACM0?baud=1&baud=2", "gives an option twice"),
        ("ros2:turtle1", "names no robot: write ros2://turtle1"),
        ("ros2://turtle-1", "has the namespace 'turtle-1': write letters"),
        ("ros2://turtle1?domain=102", "has the domain '102': write a whole number from 0 to 101"),
        ("ros2://turtle1?stamped=maybe", "write stamped=auto or stamped=yes or stamped=no"),
        ("ros2://turtle1?scan=my scan", "has scan=my scan, which is no name of a topic"),
        ("ros2://turtle1?range=", "has range=, which is no name of a topic"),
        ("ros2://e?ground=gs0,gs1,gs1", "names gs1 twice by ground=: each topic is one sensor"),
        ("ros2://e?light=ls0,ls1", "names 2 topics by light=, and an e-puck2 has 8: name all, in their order"),
        ("ros2://e?ground=gs0,,gs2", "has ground=, which is no name of a topic"),
        ("ros2://turtle1?delay=0", "has delay=0: write seconds from 0.02 to 2"),
        ("ros2://turtle1?bridge=ros2dds", "has an option 'bridge' that is unknown"),
        ("ros2+zenoh:///turtle1", "names no host"),
        ("tcp://192.0.2.7", "has no port: write tcp://HOST:PORT"),
        ("tcp://192.0.2.7:0", "has a port that is not a number from 1 to 65535"),
        ("tcp://192.0.2.7:70000", "has a port that is not a number from 1 to 65535"),
        ("tcp://192.0.2.7:http", "has a port that is not a number from 1 to 65535"),
        ("tcp://192.0.2.7:1000/robot", "says more than a host and a port"),
        ("tcp:192.0.2.7:1000", "names no host"),
        ("tcp://:1000", "names no host"),
        ("tcp://a..b:1000", "has no valid host: write a host's name"),
        ("tcp://a b:1000", "has no valid host: write a host's name"),
        ("tcp://[::1:1000", "is malformed"),
        ("mqtt:///robot/7", "names no host: write mqtt://HOST"),
        ("mqtt://host/robot/+", "has \\+, #, or an empty part in its topic"),
        ("mqtt://host/robot//7", "has \\+, #, or an empty part in its topic"),
        ("mqtt://host/robot/#", "has a # in it"),
        (
            "mqtt://host/robot?baud=1",
            "has an option 'baud' that is unknown: there are cafile, password_env, password_file",
        ),
        ("mqtt://host/robot?cafile=ca.pem", "has a cafile but no TLS: write mqtts://"),
        ("mqtts://host/robot?cafile=/nowhere/ca.pem", "names a cafile that does not exist"),
        (f"mqtt://:{SECRET}@host/robot", "has a password but no user"),
        (f"mqtt://me:{SECRET}@host?password_env=A", "has more than one password"),
        (
            "mqtt://me@host?password_env=NO_SUCH_VARIABLE",
            "environment variable NO_SUCH_VARIABLE, which is not set: set it",
        ),
        ("mqtt://me@host?password_file=/nowhere/file", "/nowhere/file, which cannot be read \\(No such file"),
        ("local:robots.mine", "names no class: write local:module:Class"),
        ("local:robots/mine:Wheels", "names no class"),
        ("local::Wheels", "names no class"),
    ],
)
def test_a_mistake_is_a_sentence_that_names_the_address_and_a_remedy(text: str, sentence: str) -> None:
    with pytest.raises(AddressError, match=sentence) as caught:
        parse(text)
    assert str(caught.value).startswith(f"the address {masked(text)[:SHOWN]!r} ")
    assert SECRET not in str(caught.value)


def test_a_password_may_come_from_the_environment_or_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\nanother line\n")
    monkeypatch.setenv("ROBOTS_PASSWORD", SECRET)
    for option in ("password_env=ROBOTS_PASSWORD", f"password_file={tmp_path / 'secret'}"):
        address = parse(f"mqtt://me@host/robot/7?{option}")
        assert address == MqttAddress("host", 1883, user="me", password=SECRET, prefix="robot/7")


def test_a_password_file_that_is_no_text_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\xff\xfe")
    with pytest.raises(AddressError, match="cannot be read \\(it is not UTF-8 text\\)"):
        parse(f"mqtt://me@host/robot/7?password_file={tmp_path / 'secret'}")


@pytest.mark.parametrize("text", ["host", "host:1883", "mqtt://host", "me@host"])
def test_a_broker_may_be_named_by_host_and_port_alone(text: str) -> None:
    address = parse_mqtt(text)
    assert (address.host, address.port) == ("host", 1883)


def test_another_kind_of_address_is_no_broker() -> None:
    with pytest.raises(AddressError, match="is not that of an MQTT broker: write HOST:PORT"):
        parse_mqtt("tcp://host:1883")


PLAIN = st.text("abcdefgh0123456789", min_size=1, max_size=10)


@given(
    st.builds(
        MqttAddress,
        host=PLAIN.map(lambda name: f"{name}.example"),
        port=st.integers(1, 65535),
        tls=st.booleans(),
        user=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=10),
        prefix=st.lists(st.text("abc /%?&=é:@", min_size=1).map(lambda t: t.replace("/", "")).filter(bool)).map(
            "/".join
        ),
    )
)
def test_an_mqtt_address_without_a_password_is_read_as_it_is_written(address: MqttAddress) -> None:
    assert parse(str(address)) == address


@given(
    st.sampled_from(
        ["mqtt://{}:{}@host/robot/7", "mqtt:{}:{}@host", "{}:{}@host", "tcp://{}:{}@host:1", "x://{}:{}@h"]
    ),
    st.text("user", max_size=5),
    st.text(st.characters(codec="utf-8"), max_size=8),
)
@example("mqtt:{}:{}@host", "", "//")
@example("{}:{}@host", "u", "//")
@example("{}:{}@host", "u", "=mqtt://")
def test_no_password_is_shown_however_wrong_the_address_is(form: str, user: str, noise: str) -> None:
    text = form.format(user, noise + SECRET + noise)
    try:
        shown = repr(parse(text)) + str(parse(text))
    except AddressError as error:
        shown = str(error)
    assert SECRET not in shown
    assert SECRET not in masked(text)


@given(
    st.text(st.characters(codec="utf-8"), max_size=30), st.sampled_from(["", "tcp://", "mqtt://", "serial:", "local:"])
)
def test_any_text_is_an_address_or_a_mistake(text: str, kind: str) -> None:
    with suppress(AddressError):  # whatever else is raised fails
        parse(kind + text)


def test_the_user_of_an_address_is_shown_after_a_key_too() -> None:
    assert masked("mqtt://me:secret@host/robot") == "mqtt://me:***@host/robot"
    assert masked("real.2.address=mqtt://me:secret@host/robot") == "real.2.address=mqtt://me:***@host/robot"


def test_a_namespace_that_is_none_does_not_show_a_password() -> None:
    with pytest.raises(AddressError, match="has the namespace") as caught:
        parse(f"ros2://me:{SECRET}@turtle1")
    assert SECRET not in str(caught.value)
