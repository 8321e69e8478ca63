"""The embedded broker: it starts, refuses, and ends as it says."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from devs_robotics.core.realtime.transport import Link
from devs_robotics.hil.addresses import parse_mqtt
from devs_robotics.hil.broker import BrokerError, EmbeddedBroker
from devs_robotics.hil.transports.mqtt import Mqtt
from tests.hil.transports.inbox import PATIENCE, Inbox
from tests.real_components import free_port


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_two_brokers_find_ports_of_their_own_and_say_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with EmbeddedBroker() as one, EmbeddedBroker() as other:
        assert one.address != other.address
        for broker in (one, other):
            client, inbox = Mqtt(broker.address), Inbox()
            client.open(inbox)
            inbox.wait_for_link(up=True)
            client.close()
    assert capfd.readouterr() == ("", "")


def how_it_is(address: str, stack: ExitStack) -> Link:
    """What a client at an address first hears of its link."""
    client, inbox = Mqtt(address), Inbox()
    stack.callback(client.close)
    client.open(inbox)
    inbox.wait_for(lambda: bool(inbox.links))
    return inbox.links[0]


def test_it_lets_in_who_is_told_its_address_and_nobody_else(stack: ExitStack) -> None:
    broker, other = stack.enter_context(EmbeddedBroker()), EmbeddedBroker()
    at = parse_mqtt(broker.address)
    assert parse_mqtt(broker.shown) == at
    assert at.password not in broker.shown
    assert len(at.password) >= 32
    assert (other._user, other._password) != (at.user, at.password)
    for address in (broker.address, broker.shown):
        assert how_it_is(address, stack) == Link(up=True)
    place = f"{at.host}:{at.port}"
    for stranger in (
        "",
        f"{at.user}@",
        f"{at.user}:{at.password[:-1]}@",
        f"{at.user}:x{at.password}@",
        f"x:{at.password}@",
    ):
        link = how_it_is(f"mqtt://{stranger}{place}", stack)
        assert "refuses the connection (Not authorized)" in link.reason


def test_its_password_is_on_no_command_line_and_in_a_file_of_this_user_alone_which_ends_with_it() -> None:
    with EmbeddedBroker() as broker:
        at = parse_mqtt(broker.address)
        file = Path(broker.shown.partition("?password_file=")[2])
        assert file.read_text() == at.password + "\n"
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        assert broker._process is not None
        for what in ("cmdline", "environ"):
            assert at.password.encode() not in Path(f"/proc/{broker._process.pid}/{what}").read_bytes()
    assert not file.parent.exists()


def test_a_password_that_cannot_be_kept_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(
        BrokerError, match=r"cannot be written to .*nowhere \(No such file.*\): make room there, or set TMPDIR"
    ):
        EmbeddedBroker().start()


def test_it_takes_no_module_from_the_folder_that_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("amqtt", "hil", "logging", "secrets"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"print('{name} of the user', flush=True)\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    with EmbeddedBroker() as broker:
        assert broker.address
    assert capfd.readouterr() == ("", "")


def test_a_port_that_is_in_use_is_a_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(BrokerError, match=f"cannot listen at 127.0.0.1:{port} .*in use.*: choose another port"):
            EmbeddedBroker(port=port).start()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read \\(No such file"),
        ("host:secret\n", "line 1 .* is not of the form 'user:hash': write it with python -m"),
    ],
)
def test_a_password_file_that_cannot_be_used_is_a_clear_error(
    content: str | None, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "users.txt"
    if content is not None:
        file.write_text(content)
    with pytest.raises(BrokerError, match=sentence) as caught:
        EmbeddedBroker(password_file=file).start()
    assert "secret" not in str(caught.value)


def test_it_demands_a_password_when_it_is_told_to(tmp_path: Path) -> None:
    from pwdlib import PasswordHash

    file = tmp_path / "users.txt"
    file.write_text(f"# users\n\nhost:{PasswordHash.recommended().hash('right')}\n")
    with EmbeddedBroker(password_file=file) as broker:
        for user, up in (("host:right@", True), ("host:wrong@", False), ("nobody:right@", False), ("", False)):
            client, inbox = Mqtt(broker.address.replace("//", f"//{user}")), Inbox()
            client.open(inbox)
            inbox.wait_for_link(up=up)
            client.close()
            assert [link.up for link in inbox.links] == [up]
            if not up:
                assert "refuses the connection (Not authorized): check the user" in inbox.links[0].reason


def test_the_last_will_is_told_when_a_robots_process_is_killed() -> None:
    program = (
        "import sys\nfrom devs_robotics.hil.transports.mqtt import Mqtt, Will\n"
        "robot = Mqtt(sys.argv[1], will=Will('robot/7/report', b'gone'))\n"
        "robot.open(lambda arrival: print('up', flush=True))\nsys.stdin.read()\n"
    )
    with EmbeddedBroker() as broker:
        heir, inbox = Mqtt(broker.address), Inbox()
        heir.listen("robot/7/report")
        heir.open(inbox)
        inbox.wait_for_link(up=True)
        with subprocess.Popen(
            [sys.executable, "-c", program, broker.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as robot:
            assert robot.stdout is not None
            assert robot.stdout.readline() == "up\n"
            robot.kill()
        inbox.wait_for(lambda: inbox.packets == [b"gone"])
        heir.close()


def test_a_client_that_sends_garbage_or_too_much_is_sent_away_and_harms_nobody() -> None:
    with EmbeddedBroker() as broker:
        port = parse_mqtt(broker.address).port
        client, inbox = Mqtt(broker.address), Inbox()
        client.listen("here")
        client.open(inbox)
        inbox.wait_for_link(up=True)
        hello = b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x00\x00\x01x"
        for words in (
            b"GET / HTTP/1.1\r\n\r\n",
            b"\x10\xff\xff\xff\x7f",
            hello + b"\x30\xff\xff\xff\x7f",
            b"\x00" * 99,
        ):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as stranger:
                stranger.sendall(words)
                stranger.shutdown(socket.SHUT_WR)
                while stranger.recv(1000):
                    pass
        client.send("here", b"still there?")
        inbox.wait_for(lambda: inbox.packets == [b"still there?"])
        client.close()


def test_closing_twice_and_starting_again_on_the_same_port_work() -> None:
    broker, addresses = EmbeddedBroker(port=free_port()), set[str]()
    for _ in range(2):
        broker.start()
        addresses.add(broker.address)
        client, inbox = Mqtt(broker.address), Inbox()
        client.open(inbox)
        inbox.wait_for_link(up=True)
        client.close()
        broker.close()
        broker.close()
    assert len(addresses) == 1  # clients come back


def test_it_ends_by_itself_when_its_parent_is_killed() -> None:
    program = (
        "import sys\nfrom devs_robotics.hil.broker import EmbeddedBroker\n"
        "with EmbeddedBroker() as broker:\n    print(broker.address, flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        client, inbox = Mqtt(parent.stdout.readline().strip()), Inbox()
        client.open(inbox)
        inbox.wait_for_link(up=True)
        parent.kill()
        inbox.wait_for(lambda: "cannot be reached (Connection refused)" in inbox.links[-1].reason)
        client.close()


def test_on_its_own_it_says_where_it_is_and_ends_when_interrupted() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "devs_robotics.hil.broker", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as broker:
        assert broker.stdout is not None
        assert broker.stderr is not None
        port = int(broker.stdout.readline().removeprefix("ready at port "))
        client, inbox = Mqtt(f"mqtt://127.0.0.1:{port}"), Inbox()
        client.open(inbox)
        inbox.wait_for_link(up=True)
        os.kill(broker.pid, signal.SIGINT)
        try:
            assert broker.wait(PATIENCE) == 0
        finally:
            broker.kill()
        assert broker.stderr.read() == ""
        client.close()


def test_a_user_is_added_by_name(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "devs_robotics.hil.broker",
        "--add-user",
        "ho:st",
        "--password-file",
        str(tmp_path / "users"),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "no user was added: give --password-file FILE, and a name without a colon\n"
