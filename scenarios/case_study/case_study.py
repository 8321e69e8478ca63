"""The base of all case studies: settings, a system that is built, a frame that measures it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError, create_model
from pydantic.fields import FieldInfo

from devs_robotics.core.user_code import user_code
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.sentences import sentences_of
from devs_robotics.scenarios.settings.tables import RealTable, SettingsTable

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.frame import Frame
    from devs_robotics.models.robots import CaseSystem

Disagreement = tuple[str | tuple[str, ...], str]
"""The settings that disagree, by their names, and what is wrong and what to do, in a sentence."""


class CaseStudy:
    """A case study; its docstring's first line is what ``devs-robotics list`` shows.

    Its annotated attributes are its settings: keys of a table of scenario files that has the class's name, in small
    letters with underscores. Each needs a default. A setting whose type is a `SettingsTable` is a table of its own.

    Attributes:
        defaults: of the harness's own keys, dotted, as ``{"field.width": 6.0, "run.duration": "2 min"}``
        in_the_loop: the real robots of the stage `loop`, by number, where a scenario names none
        stand_ins: what plays equipment of robots' own in the laboratory, by its name: ``module:Class`` of an
            `EquipmentStandIn`
    """

    defaults: ClassVar[Mapping[str, Any]] = {}
    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {2: {}}
    stand_ins: ClassVar[Mapping[str, str]] = {}

    table: ClassVar[type[SettingsTable]]
    """Its own table."""
    table_name: ClassVar[str]
    tables: ClassVar[Mapping[str, type[SettingsTable]]]
    """Further tables, by their names."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.table_name = _table_name(cls)
        fields, cls.tables = _settings(cls)
        with user_code(lambda why: CaseError(f"{cls.__name__}: its settings cannot be read ({why}): mend them")):
            cls.table = create_model(
                f"{cls.__name__}Table", __base__=SettingsTable, __module__=cls.__module__, __doc__=cls.__doc__, **fields
            )

    def __init__(self, **settings: Any) -> None:
        """A case study with its settings.

        Raises:
            CaseError: there is no such setting, or a value is wrong
        """
        if type(self) is CaseStudy:
            raise CaseError("a case study is a class of its own: derive it from CaseStudy")
        own = {name: value for name, value in settings.items() if name not in self.tables}
        further = {name: value for name, value in settings.items() if name in self.tables}
        try:
            values = self.table.model_validate(own)
            self.__dict__.update({name: getattr(values, name) for name in type(values).model_fields})
            for name, kind in self.tables.items():
                self.__dict__[name] = kind.model_validate(further.get(name, {}))
        except ValidationError as exc:
            wrong = "; ".join(sentences_of(exc))
            raise CaseError(f"{type(self).__name__}: {wrong}") from None

    def __repr__(self) -> str:
        given = ", ".join(
            f"{name}={getattr(self, name)!r}"
            for name, field in self.table.model_fields.items()
            if getattr(self, name) != field.get_default()
        )
        return f"{type(self).__name__}({given})"

    # what a case study says

    def build(self, system: CaseSystem) -> None:
        """Build the system under test: add robots, and what decides in them. It never sees the stage."""
        raise NotImplementedError

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Add what is measured to the experimental frame; by default nothing."""

    def check(self) -> Iterable[Disagreement]:
        """What settings must be to each other: the names of those that disagree, and a sentence with the remedy."""
        return ()

    # hooks of the harness, each with a default

    def size(self) -> float:
        """What a run costs, in proportion to others of the case: by default the number of robots times the time."""
        return float("nan")

    def noise_free(self) -> CaseStudy:
        """The same without chance, for proofs: what noise a case study makes itself is left out. By default itself."""
        return self

    @classmethod
    def bundles(cls) -> Mapping[str, Mapping[str, tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]]]:
        """Named sets of values for several keys of a table together, by the table and their name."""
        return {}


HOOKS = {name for name in dir(CaseStudy) if not name.startswith("__")}
"""Names that no setting may have."""


def _table_name(cls: type) -> str:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
    if name in Scenario.model_fields:
        raise CaseError(f"{cls.__name__}: a scenario's table [{name}] is the harness's: give the class another name")
    return name


def _settings(cls: type[CaseStudy]) -> tuple[dict[str, Any], dict[str, type[SettingsTable]]]:
    """The fields of the table of a case study, and its further tables."""
    with user_code(lambda why: CaseError(f"{cls.__name__}: the types of its settings cannot be read ({why})")):
        hints = get_type_hints(cls, localns=vars(sys.modules[cls.__module__]), include_extras=True)
    fields: dict[str, Any] = {}
    tables: dict[str, type[SettingsTable]] = {}
    for name, kind in hints.items():
        if name in HOOKS or _is_class_var(kind) or name.startswith("_"):
            if name in HOOKS and name in vars(cls).get("__annotations__", {}) and not _is_class_var(kind):
                raise _reserved(cls, name)
            continue
        if isinstance(kind, type) and issubclass(kind, SettingsTable):
            if name in Scenario.model_fields:
                raise CaseError(f"{cls.__name__}.{name}: a scenario's table [{name}] is the harness's: rename it")
            tables[name] = kind
        elif not hasattr(cls, name):
            raise CaseError(f"{cls.__name__}.{name} has no default: write {name}: {_written(kind)} = ...")
        else:
            fields[name] = (kind, _default(getattr(cls, name)))
    return fields, tables


def _is_class_var(kind: Any) -> bool:
    return kind is ClassVar or get_origin(kind) is ClassVar


def _default(value: Any) -> Any:
    if isinstance(value, FieldInfo):
        return value
    return FieldInfo(default=value, validate_default=True)


def _reserved(cls: type, name: str) -> CaseError:
    return CaseError(
        f"{cls.__name__}.{name} cannot be a setting, for {name!r} is a part of every case study: rename it"
    )


def _written(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))


def problems_of(study: CaseStudy) -> Iterator[Problem]:
    """What its method `check` says, with the keys as a scenario file has them."""
    cls = type(study)
    with user_code(lambda why: CaseError(f"{cls.__name__}.check failed: {why}")):
        found = list(study.check() or ())
    for each in found:
        try:
            names, sentence = each
            keys = (names,) if isinstance(names, str) else tuple(names)
            assert isinstance(sentence, str)
        except (TypeError, ValueError, AssertionError):
            raise CaseError(
                f'{cls.__name__}.check must yield settings and a sentence, as ("step", "clearance"), "make it less", '
                f"not {each!r}"
            ) from None
        yield Problem(tuple(_dotted(cls, key) for key in keys), sentence)


def _dotted(cls: type[CaseStudy], key: str) -> str:
    return key if "." in key else f"{cls.table_name}.{key}"


def real_tables(cls: type[CaseStudy]) -> dict[int, RealTable]:
    """The real robots of the stage `loop` where a scenario names none."""
    with user_code(lambda why: CaseError(f"{cls.__name__}.in_the_loop is wrong: {why}")):
        return {int(number): RealTable.model_validate(dict(table)) for number, table in cls.in_the_loop.items()}


def schema_of(cls: type[CaseStudy], case: str) -> type[Scenario]:
    """The class of a case study's scenarios: what all have, its own defaults of that, and its own tables."""
    changed: dict[str, Any] = {"case": (str, case)}
    by_table: dict[str, dict[str, Any]] = {}
    for key, value in cls.defaults.items():
        table, _, name = key.partition(".")
        kind = Scenario.model_fields[table].annotation if table in Scenario.model_fields else None
        if not (isinstance(kind, type) and issubclass(kind, BaseModel) and name in kind.model_fields):
            raise CaseError(f"{cls.__name__}.defaults: the harness has no key {key!r}: see devs-robotics check --keys")
        by_table.setdefault(table, {})[name] = value
    with user_code(lambda why: CaseError(f"{cls.__name__}.defaults cannot be: {' '.join(why.split())}")):
        for table, values in by_table.items():
            kind = Scenario.model_fields[table].annotation
            assert isinstance(kind, type)
            assert issubclass(kind, BaseModel)
            hints = get_type_hints(kind, include_extras=True)
            fields: Any = {
                name: (hints[name], FieldInfo(default=value, validate_default=True)) for name, value in values.items()
            }
            own = create_model(kind.__name__, __base__=kind, __module__=cls.__module__, **fields)
            changed[table] = (own, own())
        for name, kind in {cls.table_name: cls.table, **cls.tables}.items():
            changed[name] = (kind, kind())
    return create_model(f"{cls.__name__}Scenario", __base__=Scenario, __module__=cls.__module__, **changed)
