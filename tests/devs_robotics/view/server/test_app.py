"""What browsers get, and what they do not, of a recording."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.server.app import KINDS, PAGE, ViewApp
from devs_robotics.view.server.messages import CROWDED, MISSING, SUBPROTOCOL, UNSEEN
from devs_robotics.view.server.recorded import RecordingHub
from devs_robotics.view.server.security import POLICY
from devs_robotics.view.server.serving import Serving
from devs_robotics.view.server.shown import OPEN, ViewContent
from devs_robotics.view.states import packed, unpacked
from devs_robotics.view.timeline import decoded
from tests.devs_robotics.view.replays import small_replay

TOKEN = "t" * 22
HERE = Serving()
AWAY = Serving(host="192.0.2.1")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A bare page of its own, so that these tests need none other."""
    (tmp_path / "index.html").write_text("<!doctype html><title>a page</title>")
    (tmp_path / "main.js").write_text("export {}")
    (tmp_path / "secret.key").write_text("not served")
    return tmp_path


def client(
    page: Path, shown: ViewContent | None = None, serving: Serving = HERE, host: str = "127.0.0.1"
) -> TestClient:
    view = ViewApp(shown or ViewContent(RecordingHub(small_replay())), serving, TOKEN, 8470, page)
    made = TestClient(view.app, base_url=f"http://{host}:8470")
    made.app_state["view"] = view
    return made


def watch(client: TestClient, path: str = "/ws", **headers: str) -> WebSocketTestSession:
    url = str(client.base_url).replace("http", "ws") + path
    session: WebSocketTestSession = client.websocket_connect(url, subprotocols=[SUBPROTOCOL], headers=headers)
    return session


def message(socket: WebSocketTestSession) -> Any:
    return json.loads(socket.receive_text())


def test_the_page_comes_with_the_rules_that_it_keeps_to(page: Path) -> None:
    answer = client(page).get("/")
    assert answer.text == "<!doctype html><title>a page</title>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == POLICY
    assert POLICY.startswith("default-src 'self';")
    assert "unsafe" not in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert not [name for name in answer.headers if name.startswith("access-control") or name == "set-cookie"]
    assert client(page).get("/main.js").headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize(
    "path", ["/secret.key", "/../setup.cfg", "/%2e%2e/setup.cfg", "//etc/passwd", "/main.js/", "/C:/x", "/main.js%00"]
)
def test_nothing_else_is_served(page: Path, path: str) -> None:
    answer = client(page).get(path)
    assert answer.status_code == 404
    assert "not served" not in answer.text


@pytest.mark.parametrize(
    ("takes", "packed"),
    [
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.1", True),
        ("gzip;q=0.001", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000", False),
        ("identity", False),
        ("x-gzip2", False),
        ("", False),
    ],
)
def test_files_are_packed_for_who_takes_that(page: Path, takes: str, packed: bool) -> None:
    (page / "long.js").write_text("// a line of the page\n" * 100)
    with client(page).stream("GET", "/long.js", headers={"accept-encoding": takes}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == ("gzip" if packed else None)
    assert answer.headers["vary"] == "accept-encoding"
    assert (gzip.decompress(raw) if packed else raw) == (page / "long.js").read_bytes()
    assert int(answer.headers["content-length"]) == len(raw)


@pytest.mark.parametrize(("takes", "most"), [("identity", 150_000), ("gzip", 50_000)])
def test_all_files_of_the_page_together_are_below_150_kilobytes(takes: str, most: int) -> None:
    whole = client(PAGE)
    sizes = {}
    for name in [path.name for path in PAGE.iterdir() if path.suffix in KINDS]:
        with whole.stream("GET", f"/{name}", headers={"accept-encoding": takes}) as answer:
            sizes[name] = len(b"".join(answer.iter_raw()))
    assert sizes.keys() >= {"index.html", "app.js", "view.css", "plots.js"}
    assert sum(sizes.values()) < most


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_put_there(page: Path, method: str) -> None:
    answer = client(page).request(method, "/", headers={"origin": "http://127.0.0.1:8470"})
    assert answer.status_code == 405


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example"}, {"host": "evil.example:8470"}, {"origin": "http://evil.example"}]
)
def test_other_pages_and_other_names_get_nothing(page: Path, headers: dict[str, str]) -> None:
    for path in ("/", "/timeline/0"):
        answer = client(page).get(path, headers=headers)
        assert answer.status_code == 403
        assert answer.headers["content-security-policy"] == POLICY
    with pytest.raises(WebSocketDisconnect), watch(client(page), **headers):
        pass


def test_its_own_page_and_programs_that_are_no_browsers_look_at_a_recording(page: Path) -> None:
    origins: list[dict[str, str]] = [{}, {"origin": "http://127.0.0.1:8470"}]
    for headers in origins:
        with watch(client(page), **headers) as socket:
            assert str(socket.accepted_subprotocol) == SUBPROTOCOL
            hello, scene, status = (message(socket) for _ in range(3))
            assert (hello["type"], hello["kind"], hello["end"], hello["chunks"]) == ("hello", "recording", 2.0, 1)
            assert hello["control"] == []
            assert hello["series"] == {"share (%)": [[0.0, 0.0], [1.0, 50.0]]}
            assert (scene["type"], scene["revision"], scene["width"], scene["title"]) == ("scene", 1, 4.0, "Two robots")
            assert [body["name"] for body in scene["bodies"]] == ["robot 1", "robot 2"]
            assert scene["changes"][0][:2] == [0.5, "goal"]
            assert (status["state"], status["viewers"]) == ("ended", 1)


def test_who_does_not_speak_the_protocol_is_refused(page: Path) -> None:
    with pytest.raises(WebSocketDisconnect), client(page).websocket_connect("ws://127.0.0.1:8470/ws"):
        pass


@pytest.mark.parametrize("path", [f"/timeline/{'9' * 5000}", f"/r/{'9' * 5000}/", f"/{'a' * 5000}"])
def test_paths_that_are_too_long_are_refused(page: Path, path: str) -> None:
    assert client(page).get(path).status_code == 403


def test_names_are_texts_whatever_stands_in_them(page: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    with watch(client(page, ViewContent(RecordingHub(small_replay(name=name))))) as socket:
        message(socket)
        assert message(socket)["bodies"][0]["name"] == name


def test_a_timeline_comes_as_it_was_recorded_whole_or_in_part(page: Path) -> None:
    (chunk,) = small_replay().timeline.chunks
    browser = client(page)
    whole = browser.get("/timeline/0")
    assert whole.content == chunk
    assert whole.headers["accept-ranges"] == "bytes"
    assert "content-encoding" not in whole.headers
    assert len(decoded(whole.content)) == 3
    part = browser.get("/timeline/0", headers={"range": "bytes=3-9"})
    assert (part.status_code, part.content) == (206, chunk[3:10])
    assert part.headers["content-range"] == f"bytes 3-9/{len(chunk)}"
    assert browser.get("/timeline/0", headers={"range": "bytes=-5"}).content == chunk[-5:]
    assert browser.get("/timeline/0", headers={"range": "bytes=5-"}).content == chunk[5:]
    assert browser.get("/timeline/0", headers={"range": f"bytes={len(chunk)}-"}).status_code == 416


@pytest.mark.parametrize(
    "text", ["lines=1-2", "bytes=1", "bytes=a-b", "bytes=-", "bytes=1-2,4-5", f"bytes={'9' * 40}-"]
)
def test_a_range_that_is_not_understood_is_none(page: Path, text: str) -> None:
    assert client(page).get("/timeline/0", headers={"range": text}).status_code == 200


@pytest.mark.parametrize("path", ["/timeline/1", "/timeline/99999999999999999999", "/timeline/-1", "/timeline/x"])
def test_there_are_no_other_chunks(page: Path, path: str) -> None:
    assert client(page).get(path).status_code == 404


def test_one_viewer_too_many_is_told_why_not(page: Path) -> None:
    browser = client(page, serving=Serving(viewers=2))
    with watch(browser) as one, watch(browser) as two:
        assert message(one)["type"] == message(two)["type"] == "hello"
        with watch(browser) as three:
            assert "2 viewers look already" in message(three)["reason"]
            with pytest.raises(WebSocketDisconnect) as refused:
                three.receive_text()
        assert refused.value.code == CROWDED
    with watch(browser) as again:
        assert message(again)["type"] == "hello"


GARBAGE = [
    "",
    "{",
    "null",
    "[]",
    '{"type": "open"}',
    '{"type": "seen"}',
    '{"type": "want", "rate": "x"}',
    "x" * 5000,
    "[" * 4000,
]


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_is_dropped_and_counted(page: Path, text: str) -> None:
    browser = client(page)
    with watch(browser) as socket:
        for _ in range(3):
            message(socket)
        socket.send_text(text)
        socket.send_bytes(b"\xff" * 100)
        socket.send_text('{"type": "control", "id": 1, "do": "pause", "new": 1}')
        assert message(socket)["type"] == "error"
    assert browser.app_state["view"].dropped == 2


def test_a_flood_of_messages_is_borne(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them within one second, however long that takes here."""
    monkeypatch.setattr("devs_robotics.view.server.app.time", SimpleNamespace(monotonic=lambda: 100.0))
    browser = client(page)
    with watch(browser) as socket:
        for _ in range(2000):
            socket.send_text('{"type": "seen", "seq": 1}')
        with watch(browser) as other:
            assert message(other)["type"] == "hello"
    assert browser.app_state["view"].dropped >= 1000


def test_without_the_token_nobody_controls_anything(page: Path) -> None:
    with watch(client(page)) as socket:
        for _ in range(3):
            message(socket)
        socket.send_text('{"type": "control", "id": 1, "do": "stop"}')
        refused = message(socket)
        assert (refused["type"], refused["id"]) == ("error", 1)
        assert "no token" in refused["reason"]
        socket.send_text('{"type": "token", "value": "wrong"}')
        assert message(socket) == {"type": "error", "id": None, "reason": "the token is wrong"}
        socket.send_text(json.dumps({"type": "token", "value": TOKEN}))
        assert message(socket)["type"] == "hello"
        socket.send_text('{"type": "control", "id": "a", "do": "pause"}')
        assert message(socket)["reason"] == "this is a recording: there is nothing to control"


def test_from_elsewhere_looking_needs_the_token(page: Path) -> None:
    browser = client(page, serving=AWAY, host=AWAY.host)
    for first in ('{"type": "want"}', '{"type": "token", "value": "wrong"}', "garbage"):
        with watch(browser) as socket:
            socket.send_text(first)
            assert "token" in message(socket)["reason"]
            with pytest.raises(WebSocketDisconnect) as refused:
                socket.receive_text()
        assert refused.value.code == MISSING
    with watch(browser) as socket:
        socket.send_text(json.dumps({"type": "token", "value": TOKEN}))
        assert message(socket)["type"] == "hello"
    assert browser.get("/timeline/0").status_code == 401
    assert browser.get("/timeline/0", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert browser.get("/timeline/0", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


class Still(RecordingHub):
    """Something of which there is a state."""

    @property
    def latest(self) -> bytes:
        """It never changes."""
        return packed(1, 0.0, 0.0, 1, np.zeros((3, 1)), np.ones(1))


def test_who_answers_no_state_for_long_is_gone(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.view.server.flow.PATIENCE", 0.05)
    with watch(client(page, ViewContent(Still(small_replay())))) as socket:
        for _ in range(3):
            message(socket)
        socket.send_text('{"type": "want", "rate": 30}')
        assert unpacked(socket.receive_bytes()).number == 1
        with pytest.raises(WebSocketDisconnect) as gone:
            socket.receive_text()
    assert gone.value.code == UNSEEN


def try_wrong_tokens(socket: WebSocketTestSession) -> None:
    for _ in range(6):
        socket.send_text('{"type": "token", "value": "wrong"}')
        message(socket)


def test_who_tries_five_wrong_tokens_is_closed_out(page: Path) -> None:
    browser = client(page)
    with watch(browser) as socket:
        for _ in range(3):
            message(socket)
        with pytest.raises(WebSocketDisconnect):
            try_wrong_tokens(socket)
    with pytest.raises(WebSocketDisconnect), watch(browser):
        pass


def listed(names: list[str], read: list[int]) -> ViewContent:
    def reading(number: int) -> Any:
        read.append(number)
        if names[number] == "bad":
            raise DevsRoboticsError("it is no recording")
        return small_replay(names[number])

    return ViewContent(None, "out/", names, reading)


def test_a_folder_is_a_list_of_links_to_its_recordings(page: Path) -> None:
    browser = client(page, listed(["a.mcap", "<b>.jsonl", "bad"], []))
    answer = browser.get("/")
    assert 'href="r/0/"' in answer.text
    assert "&lt;b&gt;.jsonl" in answer.text
    assert "<b>" not in answer.text
    assert browser.get("/r/1/").text == browser.get("/r/1/index.html").text == "<!doctype html><title>a page</title>"
    assert browser.get("/r/1/main.js").text == "export {}"
    with watch(browser, "/r/1/ws") as socket:
        assert message(socket)["title"] == "<b>.jsonl"
    assert browser.get("/r/1/timeline/0").status_code == 200
    for path in ("/r/3/timeline/0", "/r/2/timeline/0", "/timeline/0"):
        assert browser.get(path).status_code == 404
    with pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)), watch(browser, "/r/3/ws"):
        pass


def test_of_a_long_list_few_recordings_are_in_memory(page: Path) -> None:
    read: list[int] = []
    shown = listed([str(number) for number in range(3 * OPEN)], read)
    for number in range(3 * OPEN):
        assert shown.hub(number) is not None
        assert shown.hub(number) is not None
    assert read == list(range(3 * OPEN))
    assert len(shown._open) <= OPEN
    assert shown.hub(-1) is shown.hub(3 * OPEN) is None
