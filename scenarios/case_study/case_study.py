"""The base of all case studies: settings, a system that is built, a frame that measures it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeGuard, get_origin, get_type_hints

from pydantic import ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.frame import Acceptor
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.experimental_frames.instruments.safety import Allowance
from devs_robotics.scenarios.case_study.real import check_stand_ins
from devs_robotics.scenarios.case_study.telling import Telling
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings import quantities
from devs_robotics.scenarios.settings import tables as tables_of_all
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.sentences import sentences_of
from devs_robotics.scenarios.settings.tables import SettingsTable

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.frame import Frame
    from devs_robotics.models.robots import CaseSystem
    from devs_robotics.scenarios.conformance import Examination, Examined

Disagreement = tuple[str | tuple[str, ...], str]
"""The settings that disagree, by their names, and what is wrong and what to do, in a sentence."""


class _Settings(SettingsTable):
    """The table of a case study, whose defaults may be texts with a unit."""

    model_config = ConfigDict(validate_default=True)


class CaseStudy(Telling):
    """A case study; its docstring's first line is what ``devs-robotics list`` shows.

    Its annotated attributes are its settings: keys of a table of scenario files that has the class's name, in small
    letters with underscores. Each needs a default. A setting whose type is a `SettingsTable` is a table of its own. A
    literal text right below a setting says what it is, for ``devs-robotics check --keys``.

    Where its attribute `scenario` is annotated with a subclass of `Scenario`, scenarios are of that class: its tables
    are settings, too, and tables that every scenario has may have further keys there.

    Attributes:
        defaults: of the harness's own keys, dotted, as ``{"field.width": 6.0, "run.duration": "2 min"}``
        followed: number of the robot that pictures mark, with its way; 0: none
        may_differ: tables and dotted keys in which host and nodes may differ: robots' models do not depend on them
        in_the_loop: the real robots of the stage `loop`, by number, where a scenario names none
        when_real: keys of all tables `[real.N]`, where neither a scenario nor `in_the_loop` says them
        stand_ins: what plays equipment of robots' own in the laboratory, by its name: ``module:Class`` of an
            `EquipmentStandIn`
        short: values of keys, dotted, with which a run is over at once, and needs all that others need
        shaping: its own table's settings on which defaults of other keys depend
        allows: what its robots do on purpose, though the safety gate would call it a violation
        placed_by: its own table's setting that says where robots stand at first; empty if there is none
    """

    followed: ClassVar[int] = 0
    may_differ: ClassVar[tuple[str, ...]] = ("run.duration", "frame", "clock")
    defaults: ClassVar[Mapping[str, Any]] = {}
    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {2: {}}
    when_real: ClassVar[Mapping[str, Any]] = {}
    stand_ins: ClassVar[Mapping[str, str]] = {}
    short: ClassVar[Mapping[str, Any]] = {"run.duration": 1.0}
    shaping: ClassVar[tuple[str, ...]] = ("robots",)
    placed_by: ClassVar[str] = ""
    allows: ClassVar[tuple[Allowance, ...]] = ()

    schema: ClassVar[type[Scenario]] = Scenario
    """Of its scenarios, before its own settings are added."""
    table: ClassVar[type[SettingsTable]]
    """Its own table."""
    table_name: ClassVar[str]
    tables: ClassVar[Mapping[str, type[SettingsTable]]]
    """Further tables, by their names."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.table_name = table_name(cls.__name__)
        hints = _hints(cls)
        cls.schema = _schema(cls, hints)
        fields, cls.tables = _settings(cls, hints)
        own = cls.tables.pop(cls.table_name, None)
        with user_code(lambda why: CaseError(f"{cls.__name__}: its settings cannot be read ({why}): mend them")):
            cls.table = own or _Settings
            if fields or own is None:
                cls.table = create_model(
                    f"{cls.__name__}Table",
                    __base__=cls.table,
                    __module__=cls.__module__,
                    __doc__=title_of(cls),
                    **fields,
                )
        for name, kind in {"": cls.table, **cls.tables}.items():
            values = _valid(cls.__name__, kind, {}, name)
            with user_code(partial(_unfit, cls)):
                values.model_dump_json()
        check_stand_ins(cls)

    def __init__(self, **settings: Any) -> None:
        """A case study with its settings.

        Raises:
            CaseError: there is no such setting, or a value is wrong
        """
        if type(self) is CaseStudy:
            raise CaseError("a case study is a class of its own: derive it from CaseStudy")
        known = [*self.table.model_fields, *self.tables]
        for name in settings:
            if name not in known:
                near = get_close_matches(name, known, 1, 0.6)
                hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known) or 'none'}"
                raise CaseError(f"{type(self).__name__} has no setting {name!r}: {hint}")
        own = {name: value for name, value in settings.items() if name not in self.tables}
        values = _valid(type(self).__name__, self.table, own)
        self.__dict__.update({name: getattr(values, name) for name in type(values).model_fields})
        for name, kind in self.tables.items():
            given = settings.get(name, {})
            plain = given.model_dump() if isinstance(given, SettingsTable) else given
            self.__dict__[name] = _valid(type(self).__name__, kind, plain, name)

    def __repr__(self) -> str:
        usual = {**dict(self.table()), **{name: kind() for name, kind in self.tables.items()}}
        given = (f"{name}={getattr(self, name)!r}" for name, default in usual.items() if getattr(self, name) != default)
        return f"{type(self).__name__}({', '.join(given)})"

    # what a case study says

    def build(self, system: CaseSystem) -> None:
        """Build the system under test: add robots, and what decides in them. It never sees the stage."""
        raise NotImplementedError

    def acceptor(self, duration: float) -> Acceptor:
        """What ends a run, and says by `share` how much of it is done: by default when its time (s) is over."""
        return Acceptor("acceptor", duration)

    def generator(self, robots: int) -> MotionNoise | None:
        """What disturbs the robots' motions: by default the noise of the scenario, if it has some."""
        noise, seed = self.scenario.noise, self.scenario.run.seed
        return MotionNoise("generator", robots, seed, noise.dnf, noise.anf) if noise.dnf or noise.anf else None

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Add what is measured to the experimental frame; by default nothing."""

    def check(self) -> Iterable[Disagreement]:
        """What settings must be to each other: the names of those that disagree, and a sentence with the remedy."""
        return ()

    # hooks of the harness, each with a default

    def filled_in(self) -> Mapping[str, Any]:
        """Values of keys, dotted, that hold where a scenario leaves them open: of a field's size, for instance.

        The harness's own hold for keys of which it says nothing; None leaves a key open.
        """
        return {}

    def modules(self) -> Iterable[str]:
        """Names of modules that its settings name, whose sources results are to be known by; by default none."""
        return ()

    def real_robots(self) -> Mapping[int, Mapping[str, Any]]:
        """The real robots of the stage `loop`, where a scenario names none: by default those of `in_the_loop`."""
        return self.in_the_loop

    def laboratory(self) -> Mapping[str, Any]:
        """What its laboratory is told (`LabScene.settings`), as plain data; by default its settings.

        It is called after `build`, and finds what that has kept.
        """
        own = self.table(**{name: getattr(self, name) for name in self.table.model_fields})
        tables = {name: getattr(self, name).model_dump(mode="json") for name in self.tables}
        return {**own.model_dump(mode="json"), **tables}

    def size(self) -> float:
        """What a run costs, in proportion to others of the case: by default the number of robots times the time."""
        return float("nan")

    def noise_free(self) -> CaseStudy:
        """The same without chance, for proofs: what noise a case study makes itself is left out. By default itself."""
        return self

    def conform(self, scenario: Scenario, wanted: Examination) -> Examined | None:
        """What comes of holding its robots against protocol tables of its own; None where it has none."""
        return None

    @classmethod
    def bundles(cls) -> Mapping[str, Mapping[str, tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]]]:
        """Named sets of values for several keys of a table together, by the table and their name."""
        return {}


HOOKS = {
    name
    for name in (*dir(CaseStudy), *CaseStudy.__annotations__, *Telling.__annotations__)
    if not name.startswith("__")
}
"""What every case study has."""

TAKEN = HOOKS | {name for name in dir(SettingsTable) if not name.startswith("_")}
"""Names that no setting may have."""


def _valid(whose: str, kind: type[SettingsTable], values: Any, table: str = "") -> SettingsTable:
    """A table with some values, and defaults for the others; what is wrong is told with whose it is, and its name."""
    try:
        return kind.model_validate(values)
    except ValidationError as exc:
        joint = "." if table and isinstance(values, Mapping) else ""
        wrong = "; ".join(f"{table}{joint}{each}" for each in sentences_of(exc))
        raise CaseError(f"{whose}: {wrong}") from None


def title_of(cls: type[CaseStudy]) -> str:
    """What a case study is: the first line of its docstring; its name, where it has none of its own."""
    return ((cls.__doc__ or "").strip() or cls.__name__).splitlines()[0]


def table_name(cls_name: str) -> str:
    """The name of the table of a case study, by that of its class."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls_name).lower()


def _hints(cls: type[CaseStudy]) -> dict[str, Any]:
    """The types of its attributes."""

    def unread(why: str) -> CaseError:
        return CaseError(
            f"{cls.__name__}: the types of its settings cannot be read ({why}): import them at the top of its module"
        )

    with user_code(unread):
        return get_type_hints(cls, include_extras=True)


def _schema(cls: type[CaseStudy], hints: Mapping[str, Any]) -> type[Scenario]:
    """The class of its scenarios, as far as that is not made of its settings."""
    kind = hints["scenario"]
    if not (isinstance(kind, type) and issubclass(kind, Scenario)):
        raise CaseError(
            f"{cls.__name__}.scenario is the scenario of a run, and no setting: annotate it with a subclass of "
            "Scenario, or rename it"
        )
    if cls.table_name in Scenario.model_fields:
        raise CaseError(
            f"{cls.__name__}: a scenario's table [{cls.table_name}] is the harness's: give the class another name"
        )
    return kind


def _settings(cls: type[CaseStudy], hints: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, type[SettingsTable]]]:
    """The fields of the table of a case study, and its further tables; its own table too, if its scenarios have it."""
    fields: dict[str, Any] = {}
    tables: dict[str, type[SettingsTable]] = {
        name: field.annotation
        for name, field in cls.schema.model_fields.items()
        if name not in Scenario.model_fields and _is_table(field.annotation)
    }
    own = tables.get(cls.table_name, SettingsTable)
    for name in (*tables, *own.model_fields):
        _check_free(cls, name)
    for name, kind in hints.items():
        if _is_class_var(kind) or name.startswith("_") or name == "scenario":
            continue
        if name in ("defaults", "in_the_loop", "when_real"):
            raise CaseError(f"{cls.__name__}.{name} is no setting: write it without a type, as {name} = {{...}}")
        _check_free(cls, name)
        if _is_table(kind):
            if name in Scenario.model_fields or name == cls.table_name:
                whose = "the case study's own" if name == cls.table_name else "the harness's"
                raise CaseError(f"{cls.__name__}.{name}: a scenario's table [{name}] is {whose}: rename it")
            tables[name] = _with_default(kind, getattr(cls, name, None), cls.__module__)
        elif get_origin(kind) in (list, set) or kind in (list, set):
            raise CaseError(f"{cls.__name__}.{name}: what is set never changes: write tuple[int, ...], say, for a list")
        elif not hasattr(cls, name):
            raise CaseError(f"{cls.__name__}.{name} has no default: write {name}: {_written(kind)} = ...")
        else:
            fields[name] = (kind, _frozen(getattr(cls, name)))
    return fields, tables


def _check_free(cls: type[CaseStudy], name: str) -> None:
    if name in TAKEN:
        raise CaseError(f"{cls.__name__}.{name} cannot be a setting, for every case study has {name!r}: rename it")


def _with_default(kind: type[SettingsTable], default: object, module: str) -> type[SettingsTable]:
    """A table whose keys have the values of a default, if there is one, where nothing else is said."""
    if not isinstance(default, kind) or not default.model_fields_set:
        return kind
    return _changed(kind, dict(default), module)


def _changed(kind: type[SettingsTable], values: Mapping[str, Any], module: str) -> type[SettingsTable]:
    """A table with other defaults."""
    hints = get_type_hints(kind, include_extras=True)
    fields: Any = {
        name: (hints[name], FieldInfo(default=value, validate_default=True)) for name, value in values.items()
    }
    return create_model(kind.__name__, __base__=kind, __module__=module, **fields)


def _is_table(kind: object) -> TypeGuard[type[SettingsTable]]:
    return isinstance(kind, type) and issubclass(kind, SettingsTable)


def _is_class_var(kind: Any) -> bool:
    return kind is ClassVar or get_origin(kind) is ClassVar


def _unfit(cls: type[CaseStudy], why: str) -> CaseError:
    return CaseError(
        f"{cls.__name__}: a setting has a type whose values no file can hold ({why}): take numbers or texts"
    )


def _frozen(value: Any) -> Any:
    """The same with every list as a tuple."""
    if isinstance(value, Mapping):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _written(kind: Any) -> str:
    """A type as an author writes it."""
    known = {name: each for module in (quantities, tables_of_all) for name, each in vars(module).items()}
    named = next((name for name, each in known.items() if get_origin(each) is Annotated and each == kind), "")
    return named or getattr(kind, "__name__", str(kind))


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


def schema_of(cls: type[CaseStudy], case: str) -> type[Scenario]:
    """The class of a case study's scenarios: what all have, its own defaults of that, and its own tables."""
    if not isinstance(cls.defaults, Mapping):
        raise CaseError(f'{cls.__name__}.defaults must be values by dotted keys, as {{"field.width": 6.0}}')
    by_table: dict[str, dict[str, Any]] = {}
    for key, value in cls.defaults.items():
        table, _, name = str(key).partition(".")
        if name not in getattr(_of_harness(table, cls.schema), "model_fields", {}):
            raise CaseError(f"{cls.__name__}.defaults: the harness has no key {key!r}: {_hint(str(key))}")
        by_table.setdefault(table, {})[name] = _frozen(value)
    changed: dict[str, Any] = {} if cls.schema.model_fields["case"].default == case else {"case": (str, case)}
    for table, values in by_table.items():
        kind = _of_harness(table, cls.schema)
        assert kind is not None
        own = _changed(kind, values, cls.__module__)
        changed[table] = (own, _valid(f"{cls.__name__}.defaults", own, {}, table))
    for name, kind in {cls.table_name: cls.table, **cls.tables}.items():
        if name not in cls.schema.model_fields or cls.schema.model_fields[name].annotation is not kind:
            changed[name] = (kind, kind())
    if not changed:
        return cls.schema
    return create_model(f"{cls.__name__}Scenario", __base__=cls.schema, __module__=cls.__module__, **changed)


def _hint(key: str) -> str:
    """What may have been meant by a key that the harness has not."""
    kinds = ((table, _of_harness(table)) for table in Scenario.model_fields)
    known = [f"{table}.{name}" for table, kind in kinds if kind is not None for name in kind.model_fields]
    near = get_close_matches(key, known, 1, 0.7)
    return f"did you mean {near[0]!r}?" if near else "devs-robotics check SCENARIO --keys shows all"


def _of_harness(table: str, schema: type[Scenario] = Scenario) -> type[SettingsTable] | None:
    """The class of a table that every scenario has; None where that is not one table."""
    kind = schema.model_fields[table].annotation if table in Scenario.model_fields else None
    return kind if _is_table(kind) else None
