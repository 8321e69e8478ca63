"""Who may look, and who may do more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.server.process import new_token
from devs_robotics.view.server.security import ADDRESSES, CLOSED_OUT, WRONG, Gatekeeper, Tokens
from devs_robotics.view.server.serving import Serving, ServingError, check, listening


async def nothing(*what: Any) -> None:
    """An application that answers nothing."""


def lets_in(guard: Gatekeeper, host: str | None, *origins: str) -> bool:
    headers = [(b"host", host.encode())] if host is not None else []
    headers += [(b"origin", origin.encode()) for origin in origins]
    return guard.lets_in({"type": "http", "path": "/", "headers": headers})


LOCAL = Gatekeeper(nothing, Serving(), 8470)


@pytest.mark.parametrize("host", ["127.0.0.1:8470", "localhost:8470", "LOCALHOST:8470", "[::1]:8470"])
def test_its_own_page_and_no_page_at_all_are_let_in(host: str) -> None:
    assert lets_in(LOCAL, host)
    assert lets_in(LOCAL, host, f"http://{host.lower()}")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8470", "127.0.0.1", "127.0.0.1:8471", "127.0.0.1:8470.evil.example", "", None],
)
def test_foreign_names_are_refused_that_lead_to_this_computer(host: str | None) -> None:
    assert not lets_in(LOCAL, host)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://127.0.0.1:8470",
        "http://127.0.0.1",
        "http://127.0.0.1:80",
        "http://localhost:8470",
        "http://127.0.0.1:8470.evil.example",
        "http://127.0.0.1:8470/",
        "null",
        "file://",
        "",
    ],
)
def test_pages_of_other_origins_are_refused(origin: str) -> None:
    assert not lets_in(LOCAL, "127.0.0.1:8470", origin)


def test_two_origins_are_refused() -> None:
    assert not lets_in(LOCAL, "127.0.0.1:8470", "http://127.0.0.1:8470", "http://evil.example")


def test_the_address_that_was_given_is_the_only_one_on_a_network() -> None:
    guard = Gatekeeper(nothing, Serving(host="192.168.1.5"), 8470)
    assert lets_in(guard, "192.168.1.5:8470", "http://192.168.1.5:8470")
    assert not lets_in(guard, "localhost:8470")
    assert lets_in(Gatekeeper(nothing, Serving(host="fd00::5"), 8470), "[fd00::5]:8470")
    assert lets_in(Gatekeeper(nothing, Serving(host="robots", certificate="a.pem"), 443), "robots", "https://robots")


def test_five_wrong_tokens_close_an_address_out_for_a_minute() -> None:
    now = [0.0]
    tokens = Tokens("right", lambda: now[0])
    for _ in range(WRONG - 1):
        assert not tokens.is_right("wrong", "a")
    assert tokens.is_right("right", "a")  # which makes up for them
    for _ in range(WRONG):
        assert not tokens.is_closed_out("a")
        assert not tokens.is_right("wrong", "a")
    assert tokens.is_closed_out("a")
    assert not tokens.is_right("right", "a")
    assert tokens.is_right("right", "b")
    now[0] = CLOSED_OUT
    assert not tokens.is_closed_out("a")
    assert tokens.is_right("right", "a")


@given(st.text())
def test_no_other_text_is_the_token(given_text: str) -> None:
    token = new_token()
    assert Tokens(token).is_right(given_text, "a") == (given_text == token)


def test_no_number_of_addresses_fills_the_memory() -> None:
    tokens = Tokens("right", lambda: 0.0)
    for number in range(2 * ADDRESSES):
        tokens.is_right("wrong", str(number))
    assert len(tokens._wrong) == ADDRESSES


def test_tokens_have_128_random_bits() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert {len(token) for token in made} == {22}  # of 6 bits each


@pytest.mark.parametrize(
    ("serving", "is_local"),
    [
        (Serving(), True),
        (Serving(host="localhost"), True),
        (Serving(host="::1"), True),
        (Serving(host="127.8.8.8"), True),
        (Serving(host="192.168.1.5"), False),
        (Serving(host="robots.example"), False),
    ],
)
def test_looking_from_elsewhere_needs_the_token(serving: Serving, *, is_local: bool) -> None:
    assert serving.needs_token is not is_local
    assert bool(serving.warning) is not is_local


def test_links_say_where_and_how() -> None:
    assert Serving().link(8470) == "http://127.0.0.1:8470/"
    assert Serving(host="::1").link(1, "abc") == "http://[::1]:1/#abc"
    assert Serving(host="robots", certificate="a.pem").link(1) == "https://robots:1/"
    assert Serving(host="robots", certificate="a.pem").warning == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_an_address_that_names_no_computer_is_refused(host: str) -> None:
    with pytest.raises(ServingError, match="give the address by which browsers reach this one"):
        check(Serving(host=host))


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.pem"
    with pytest.raises(ServingError, match=r"No such file or directory.*certificate and its key, in PEM"):
        check(Serving(certificate=str(path)))
    path.write_text("no certificate")
    with pytest.raises(ServingError, match=r"a\.pem cannot be used"):
        check(Serving(certificate=str(path)))


def test_a_missing_package_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.view.server.serving.available", lambda name: name != "uvicorn")
    with pytest.raises(
        ServingError, match=r"a view needs uvicorn, which is not installed: pip install 'devs-robotics\[view\]'"
    ):
        check(Serving())


def test_foxglove_without_its_package_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.view.server.serving.available", lambda name: name != "foxglove")
    check(Serving())
    with pytest.raises(
        ServingError, match=r"--foxglove needs foxglove-sdk, which is not installed: pip install 'devs-robotics\[fox"
    ):
        check(Serving(foxglove=8765))


def test_the_next_free_port_is_taken_unless_one_is_asked_for() -> None:
    with listening(Serving()) as one, listening(Serving()) as other:
        port = one.getsockname()[1]
        assert other.getsockname()[1] > port
        with pytest.raises(ServingError, match=f"--view-port {port} cannot be had at 127.0.0.1 .*give another one"):
            listening(Serving(port=port))


def test_an_address_of_another_computer_cannot_be_had() -> None:
    with pytest.raises(ServingError, match=r"--view-host 192\.0\.2\.1 is no address of this computer"):
        listening(Serving(host="192.0.2.1"))
    with pytest.raises(ServingError, match=r"--view-host no\.such\.name\.invalid is no address"):
        listening(Serving(host="no.such.name.invalid"))
