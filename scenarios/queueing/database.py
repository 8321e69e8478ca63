"""The file of a queue: an SQLite database in which each step is whole, or has not been taken."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devs_robotics.scenarios.queueing.experiments import QueueError

FILE = "queue.sqlite"

FORMAT = 1
"""Of the tables."""

APPLICATION = 0x64655671
"""Tells the file from other SQLite databases."""

PATIENCE = 30.0
"""So long one process waits for another one to write (s)."""

TABLES = (
    """
    CREATE TABLE experiments (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        source TEXT NOT NULL,
        settings TEXT NOT NULL,
        recipe TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        seed INTEGER NOT NULL,
        stage TEXT NOT NULL,
        rate REAL,
        lab TEXT NOT NULL,
        real_robots INTEGER NOT NULL,
        wanted_arena TEXT,
        priority INTEGER NOT NULL,
        deaths_allowed INTEGER NOT NULL,
        state TEXT NOT NULL,
        arena TEXT,
        begun INTEGER NOT NULL DEFAULT 0,
        deaths INTEGER NOT NULL DEFAULT 0,
        cancel INTEGER NOT NULL DEFAULT 0,
        certificate TEXT,
        added_s REAL NOT NULL,
        begun_s REAL,
        ended_s REAL,
        outcome TEXT,
        reason TEXT
    )
    """,
    "CREATE INDEX by_state ON experiments (state, priority DESC, number)",
    """
    CREATE TABLE history (
        experiment INTEGER NOT NULL REFERENCES experiments (number),
        time_s REAL NOT NULL,
        event TEXT NOT NULL,
        arena TEXT,
        note TEXT NOT NULL
    )
    """,
    "CREATE INDEX by_experiment ON history (experiment)",
    "CREATE TABLE queue (id TEXT NOT NULL)",
)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Have what SQLite raises told in a sentence."""
    try:
        yield
    except sqlite3.Error as exc:
        raise QueueError(sentence(path, exc)) from exc


def sentence(path: Path, exc: sqlite3.Error) -> str:
    """What to say of something that SQLite raises."""
    code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
    remedy = {
        sqlite3.SQLITE_BUSY: f"another process has been writing for {PATIENCE:g} s: try again when it is done",
        sqlite3.SQLITE_FULL: "the disk is full: free some space, and give the same command again",
        sqlite3.SQLITE_IOERR: "the disk is full or damaged: free some space, and give the same command again",
        sqlite3.SQLITE_NOTADB: "this is no database: put it back, or name another folder by --queue",
        sqlite3.SQLITE_CORRUPT: "the database is damaged: put it back, or name another folder by --queue",
        sqlite3.SQLITE_READONLY: "it may not be written to: see to its rights, and to those of its folder",
        sqlite3.SQLITE_CANTOPEN: "it cannot be opened: see to its rights, and to those of its folder",
    }.get(code, "name another folder by --queue, or put this one in order")
    return f"the queue {path} cannot be used ({exc}): {remedy}"


def opened(path: Path) -> sqlite3.Connection:
    """The database, with its tables, which are made where there are none.

    Raises:
        QueueError: it is none of a queue, is of a later version of this software, or cannot be used
    """
    with told(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _refuse_others(connection, path)
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")  # what was told is on disk, also where the power fails
    if _number(connection, "user_version") == 0:
        with writing(connection):
            _refuse_others(connection, path)  # another process may have come first
            if _number(connection, "user_version") == 0:
                _make_tables(connection)


def _refuse_others(connection: sqlite3.Connection, path: Path) -> None:
    """Raises QueueError for a database of something else, or of a later version; an empty one is none of these."""
    version, application = _number(connection, "user_version"), _number(connection, "application_id")
    if version > FORMAT and application == APPLICATION:
        raise QueueError(f"the queue {path} was made by a later version of devs-robotics: install that one")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if not empty and application != APPLICATION:
        raise QueueError(f"{path} is no queue, but another database: name another folder by --queue")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers read while one writes; SQLite itself does not wait for this switch, which is needed once."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO queue VALUES (?)", (uuid.uuid4().hex,))
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A step that is taken as a whole or not at all, while no other process takes one."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
