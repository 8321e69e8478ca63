"""What is said of keys, options and commands that there are not: what may have been meant."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.settings.loading import known_keys, nearest_key


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("convoy.robot", "convoy.robots"),
        ("convoy.distnce", "convoy.distance"),
        ("noise.DNF", "noise.dnf"),
        ("NOISE.Dnf", "noise.dnf"),
        ("Noise", "noise"),
        ("nois", "noise"),
        ("dnf", "noise.dnf"),
        ("robots", "convoy.robots"),
        ("robot.sped", "robot.speed"),
        ("convoy.rounds", "run.rounds"),
        ("leader.scan_step", "follower.scan_step"),
        ("follower.scanstep", "follower.scan_step"),
        ("leader.speed", "robot.speed"),
        ("title.x", "title"),
        ("whatever.qqq", ""),
    ],
)
def test_the_nearest_key_is_told(key: str, meant: str) -> None:
    assert nearest_key(key, known_keys()) == meant


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("runn convoy", "there is no command 'runn': did you mean 'run'?"),
        ("RUN convoy", "there is no command 'RUN': did you mean 'run'?"),
        ("zzzz", "there is no command 'zzzz': there are list, check, run, "),
        ("run convoy --rounds 5", "there is no option --rounds: write --set run.rounds=5"),
        ("run convoy --rounds=5 --seed 3", "there is no option --rounds: write --set run.rounds=5"),
        ("run convoy --rounds --seed 3", "there is no option --rounds: write --set run.rounds=VALUE"),
        (
            "run convoy --transient-rounds 5",
            "there is no option --transient-rounds: write --set frame.transient_",
        ),
        ("check convoy --noise.dnf 0.1", "there is no option --noise.dnf: write --set noise.dnf=0.1"),
        ("sweep convoy --out o --scan-step 5", "there is no option --scan-step: write --set follower.scan_step=5"),
        (
            "tree convoy --model a:B",
            "there is no option --model: write --set leader.model=a:B or --set follower.model=a:B",
        ),
        ("run wander --step 3", "there is no option --step: write --set wandering.step=3"),
        ("run wander --motor loop", "there is no option --motor: write --set real.N.motor=loop"),
        ("run nothing.toml --dnf 3", "there is no option --dnf: write --set noise.dnf=3"),
        ("run convoy --otu x", "there is no option --otu: did you mean --out?"),
        ("certify convoy --seed 7", "there is no option --seed: did you mean --seeds?"),
        ("run convoy --dura 7", "there is no option --dura: did you mean --duration?"),
        ("list --foo", "there is no option --foo: see --help"),
        ("list --robots 3", "there is no option --robots: see --help"),
        ("lab convoy --stage reel", "argument --stage: must be one of loop, real, not 'reel': did you mean 'real'?"),
        ("battery fitt x", "there is no action 'fitt': did you mean 'fit'?"),
        ("completion csh", "argument shell: must be one of bash, zsh, fish, not 'csh': did you mean 'zsh'?"),
        ("run convoy --set noise.dnf=0.1 noise.anf=0.1", "--set takes one key: write --set noise.anf=0.1"),
        ("list noise.anf=0.1", "there is no use for 'noise.anf=0.1': leave it out"),
        ("run convoy 60 cm", "there is no use for '60': leave it out, or put quotes round what belongs together"),
    ],
)
def test_what_was_meant_by_a_command_line_is_told(
    command: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.partition("error: ")[2].startswith(sentence)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("run convoy --nodes {long}", "argument --nodes: must be a whole number above 0 and of 18 digits at most"),
        ("run convoy --nodes 0", "argument --nodes: must be a whole number above 0, not '0'"),
        ("run convoy --await 2,{long}", "argument --await: must be numbers of robots, such as 2,3, not '2,9999"),
        ("run convoy --await 2,0", "argument --await: must be numbers of robots, such as 2,3, not '2,0'"),
        ("sweep convoy --seed {long}", "argument --seed: must be a whole number from 0 on and of 18 digits at most"),
        ("sweep convoy --seed -1", "argument --seed: must be a whole number from 0 on, not '-1'"),
        ("run convoy --rate {long}", "argument --rate: must be a number above 0, up to 1000, not '9999"),
    ],
)
def test_numbers_that_are_too_large_have_their_sentence(
    command: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.format(long="9" * 5000).split()) == 2
    assert capsys.readouterr().err.splitlines()[-1].partition("error: ")[2].startswith(sentence)
