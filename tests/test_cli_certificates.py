"""Certificates on the command line: ``--certificate``, ``verify`` and ``batch --certificates``."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import certificates
from bench.mutations import bomb, opened, sealed, with_reasons
from solver.batch.store import Store
from solver.batch.workers import Unit, decide
from solver.game.rules import Rules
from solver.game.verdict import Limits
from solver.kernel.jit import COMPILED
from solver.proof.certificate import file_name

from .test_cli import LOST, WON, Capture, failure, misuse, process, run

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")

QUIET = ["--quiet", "--certificate"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "proof.cert"


@pytest.fixture
def loss(capsys: Capture, path: Path) -> Path:
    """Gets a file with the certificate of a loss."""
    assert run(capsys, ["--seed", LOST, *QUIET, str(path)]) == ("unwinnable\n", "")
    return path


@pytest.mark.parametrize("options", [[], ["--fast"]])
def test_a_loss_is_verified(capsys: Capture, loss: Path, options: list[str]) -> None:
    run(capsys, ["verify", *options, str(loss)])  # which may have to compile, and then says so
    out, err = run(capsys, ["verify", *options, str(loss)])
    assert err == ""
    assert out.splitlines() == [
        f"valid: deal {LOST} is unwinnable",
        "Rules: wikipedia (kings free, deal any, transfers no, auto-deal no, reserve 16)",
        "Checked: 43 states, 39 expanded, 4 refuted",
        "Rests on (docs/proofs.md):",
        "  the loss bound",
        "  the credit form of the game",
        "  ends: cards that nothing can follow are settled",
        "  free pops: waste cards that cost nothing to release",
    ]


@pytest.mark.parametrize("options", [[], ["--fast"]])
def test_a_long_proof_uses_the_relaxed_game(
    capsys: Capture, path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr("solver.player.certify.PATIENCE", 100)
    run(capsys, ["--seed", "100148", *QUIET, str(path)])
    out, _ = run(capsys, ["verify", *options, str(path)])
    _, _, *lines = out.splitlines()
    assert lines[0].startswith("Checked: ")
    assert lines[1].endswith(" of those refuted are dead by the relaxed game,")
    assert lines[2].startswith("  which takes ")
    assert lines[-1] == "  the relaxed game: what it loses is lost"


def test_a_loss_without_reductions(capsys: Capture, path: Path) -> None:
    run(capsys, ["--seed", LOST, "--reductions", "none", *QUIET, str(path)])
    out, _ = run(capsys, ["verify", str(path)])
    assert out.endswith("  the loss bound\n  the real moves, one by one\n")
    assert "--certificate" in misuse(capsys, "--seed", LOST, "--reductions", "none")


@pytest.mark.parametrize("name", ["wikipedia", "pysol"])
def test_a_win_is_verified(capsys: Capture, path: Path, name: str) -> None:
    run(capsys, ["--seed", WON, "--rules", name, *QUIET, str(path)])
    out, _ = run(capsys, ["verify", str(path)])
    first, _, last = out.splitlines()
    assert first == f"valid: deal {WON} is winnable"
    assert last.endswith("moves, replayed by the rules")
    assert os.listdir(path.parent) == [path.name]  # and nothing half written


def test_a_table_some_moves_later_is_certified(capsys: Capture, tmp_path: Path) -> None:
    table, path = tmp_path / "table.txt", tmp_path / "table.cert"
    table.write_text(run(capsys, ["show", "--seed", LOST, "--after", "deal deal deal"])[0])
    run(capsys, [str(table), *QUIET, str(path)])
    out, _ = run(capsys, ["verify", str(path)])
    assert out.startswith("valid: the table in the file is unwinnable\n")


def test_an_unknown_verdict_has_no_certificate(capsys: Capture, path: Path) -> None:
    out, err = run(capsys, ["--seed", WON, "--states", "10", *QUIET, str(path)])
    assert (out, err) == ("unknown\n", "No certificate: the verdict is unknown\n")
    assert not path.exists()


@pytest.mark.parametrize("name", ["-", "", ".", "missing/proof.cert"])
def test_a_certificate_that_cannot_be_is_refused_before_the_search(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("solver.cli.solve.solve_position", None)
    assert "--certificate" in misuse(capsys, "--seed", LOST, "--certificate", name)


def test_a_folder_that_is_locked_is_refused_before_the_search(
    capsys: Capture, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda place, mode: place != path.parent)
    monkeypatch.setattr("solver.cli.solve.solve_position", None)
    for option in ("--certificate", "--html"):
        assert "can't be written" in misuse(capsys, "--seed", LOST, option, str(path))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
def test_a_full_disk_is_named(capsys: Capture) -> None:
    out, err = run(capsys, ["--seed", LOST, *QUIET, "/dev/full"], code=1)
    assert (out, err) == ("unwinnable\n", "Error: /dev/full: No space left on device\n")


def test_a_certificate_is_of_one_rule_set(capsys: Capture, path: Path) -> None:
    err = misuse(capsys, "--seed", LOST, "--rules", "all", "--certificate", str(path))
    assert "--rules all" in err


def test_a_false_certificate_is_invalid(capsys: Capture, loss: Path) -> None:
    header, body = opened(loss.read_bytes())
    reasons = zlib.decompress(body)
    for content, fault in (
        (with_reasons(header, b"\1" + reasons), "state 1 (0 dealt, foundations"),
        (with_reasons(header, reasons[:-1]), "ends before its states do"),
        (sealed(header, body[:-1]), "the file is cut short"),
        (sealed(header | {"seed": "1\n"}, body), "the header is wrong"),
        (b"", "this is not a certificate of version 1"),
    ):
        loss.write_bytes(content)
        for options in ([], ["--fast"]):
            out, err = run(capsys, ["verify", *options, str(loss)], code=1)
            assert out.startswith("invalid: ")
            assert fault in out
            assert (out.count("\n"), err) == (1, "")


def test_the_memory_of_a_check_is_limited(capsys: Capture, loss: Path) -> None:
    header, _ = opened(loss.read_bytes())
    loss.write_bytes(sealed(header | {"states": 2**62}, bomb(size=1 << 24)))
    err = failure(capsys, "verify", "--memory", "1", str(loss))
    assert err == "Error: the proof needs more than 1 MB of memory: --memory MB allows more"


@pytest.mark.parametrize("name", ["missing.cert", "."])
def test_what_cannot_be_read_is_named(capsys: Capture, tmp_path: Path, name: str) -> None:
    assert failure(capsys, "verify", str(tmp_path / name)).startswith(f"Error: {tmp_path}")


def test_verifying_needs_no_compiler(loss: Path) -> None:
    script = (
        "import sys\nfrom solver.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as exited:\n"
        "    heavy = {'numba', 'numpy', 'solver.engine.search'}\n"
        "    print(exited.code, sorted(heavy & sys.modules.keys()))\n"
    )
    done = process_of(script, "verify", str(loss))
    assert done.endswith("\n0 []\n")


def process_of(script: str, *args: str) -> str:
    """Gets what a script prints."""
    return subprocess.run(
        [sys.executable, "-c", script, *args], capture_output=True, text=True, check=True
    ).stdout


# Batches


def test_a_batch_writes_certificates_and_makes_missing_ones_again(
    capsys: Capture, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "proofs"
    command = [
        *["batch", "--seeds", "100015-100016", "--store", str(tmp_path / "s.db"), "--jobs", "1"],
        *["--certificates", str(folder)],
    ]
    done = process(*command)
    assert done.returncode == 0, done.stderr
    names = ["100015-wikipedia.cert", "100016-wikipedia.cert"]
    assert sorted(os.listdir(folder)) == names
    for name, verdict in zip(names, ["winnable", "unwinnable"], strict=True):
        assert f"is {verdict}\n" in run(capsys, ["verify", str(folder / name)])[0]
    content = (folder / names[1]).read_bytes()
    (folder / names[1]).unlink()
    assert "1 of 1 deals" in process(*command).stderr
    assert (folder / names[1]).read_bytes() == content
    assert "Nothing to do" in run(capsys, command)[1]


def test_the_certificates_of_a_batch_are_checked_and_counted(tmp_path: Path) -> None:
    store, folder = tmp_path / "s.db", tmp_path / "proofs"
    with Store(store, writable=True) as opened:
        opened.add_rules(Rules())
        unit = Unit(Rules(), ("100015", "100016", "100037"), Limits(10_000, memory=1 << 30), folder)
        rows = decide(unit)
        opened.add(Rules(), opened.begin_run(Limits(10_000, memory=1 << 30)), rows)
    assert [row.verdict for row in rows] == ["winnable", "unwinnable", "winnable"]
    won, lost, other = (folder / file_name(row.seed, Rules()) for row in rows)

    def check(code: int = 0) -> str:
        result = CliRunner().invoke(certificates.main, [str(store), str(folder)])
        assert result.exit_code == code, result.output
        return result.output

    counts, *rest = check().splitlines()[1:]
    assert counts.split()[:5] == ["wikipedia", "2", "1", "1", "43"]
    assert rest == []
    content = lost.read_bytes()
    lost.unlink()
    counts, *rest = check().splitlines()[1:]
    assert counts.split() == ["wikipedia", "2", "0"]
    assert rest == ["wikipedia, 1 without a proof: 100016"]
    lost.write_bytes(content[:-1])
    assert f"Error: {lost}: the file " in check(1)
    lost.write_bytes(won.read_bytes())
    assert f"Error: {lost}: not of the deal in the store" in check(1)
    lost.write_bytes(content)
    other.unlink()
    assert "No such file" in check(1)


def test_a_batch_is_refused_where_certificates_cannot_be(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    batch = ["batch", "--seeds", WON, "--store", str(tmp_path / "s.db"), "--certificates"]
    assert "--certificates" in misuse(capsys, *batch, str(file))
    assert failure(capsys, *batch, str(file / "folder")).startswith(f"Error: {file}")
    assert os.listdir(tmp_path) == ["file"]
