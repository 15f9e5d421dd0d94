"""The house rules that no linter knows, and documents that must stay true."""

import csv
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from core.cli.program import main, program
from core.records import FLAG_WORDS
from core.store import DATABASE

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text("utf-8")
STORE = (ROOT / "docs" / "store.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^<!-- example.*?-->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Inline code that begins with the command, and lines of code blocks, also after a path.
COMMAND = re.compile(r"`((?:\.venv/bin/)?samesense[^`\n]*)`")
HEAVY = ("torch", "transformers", "scipy", "sklearn", "faiss", "umap", "hdbscan", "numba")


def told_commands() -> list[str]:
    """Every samesense command of the README, without the folder it lies in."""
    lines = [line for _, body in FENCE.findall(README) for line in body.splitlines()]
    found = [line for line in lines if re.match(r"(\S*[/\\])?samesense\b", line)]
    found += COMMAND.findall(re.sub(FENCE, "", README))
    return sorted({re.sub(r"^\S*[/\\](?=samesense)", "", command) for command in found})


def example_lines() -> list[str]:
    """The commands of the worked example, in order."""
    return [line for block in EXAMPLE.findall(README) for line in block.splitlines() if line]


def named_paths() -> list[str]:
    """Every path of the repository that a document names as code."""
    path = re.compile(r"`((?:docs|core|app|tests|packaging|scripts)/[\w./-]+)`")
    return sorted({name for file in DOCUMENTS for name in path.findall(file.read_text("utf-8"))})


def flags_of(command: str) -> set[str]:
    """The flags of a sub-command."""
    params = program.commands[command].params
    return {flag for one in params for flag in (*one.opts, *one.secondary_opts)}


@pytest.fixture(scope="module")
def worked_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's example has been worked through, with a tiny encoder."""
    folder = tmp_path_factory.mktemp("example")
    (folder / "resources").symlink_to(ROOT / "resources")
    (folder / "encoders").mkdir()
    tiny = ROOT / "tests" / "models" / "bert"
    (folder / "encoders" / "all-MiniLM-L6-v2").symlink_to(tiny)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("SAMESENSE_ENCODER", str(tiny))
        patch.setenv("SAMESENSE_HOME", str(folder / "home"))
        for line in example_lines():
            _run(line)
    return folder


def _run(line: str) -> None:
    told = shlex.split(line)[1:]
    if told[0] == "pairs":
        # A random encoder finds nearly everything alike: answer what a real one never asks here.
        told += ["--threshold", "0.99", "--yes"]
    if told[0] == "groups":
        told += ["--threshold", "0.99"]
    if told[0] == "recheck":  # its pairs are all above the band
        told[told.index("--to") + 1] = "1.01"
    if told[0] == "decide" and "--from" in told:
        _fill_in(Path(told[-1]))
    done = CliRunner().invoke(program, told)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError(f"{line}: {done.exception}") from done.exception
    if done.exit_code:
        raise AssertionError(f"{line}: {done.output}")


def _fill_in(pairs: Path) -> None:
    """Write some decisions into a table of pairs, as the README asks a person to."""
    with pairs.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    at = header.index("samesense_decision")
    for number, row in enumerate(rows[:30]):
        row[at] = ("same", "different", "unsure")[number % 3]
    with pairs.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def test_importing_the_window_loads_no_heavy_library() -> None:
    asked = (
        "import pkgutil, sys, app\n"
        "for one in pkgutil.walk_packages(app.__path__, 'app.'):\n"
        "    __import__(one.name)\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_the_engine_loads_no_qt() -> None:
    asked = (
        "import pkgutil, sys, core\n"
        "for one in pkgutil.walk_packages(core.__path__, 'core.'):\n"
        "    '__main__' in one.name or __import__(one.name)\n"
        "print([name for name in sys.modules if name.startswith(('PySide6', 'pyqtgraph', 'app.'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("command", told_commands())
def test_a_command_of_the_readme_exists_with_its_flags(command: str) -> None:
    name, *rest = [*shlex.split(command, comments=True)[1:], ""]
    if name not in program.commands:
        assert not name.startswith("-") or name in ("--help", "--version", "--worker")
        return  # `samesense` alone or with a project opens the window
    asked = {word for word in rest if word.startswith("--")}
    assert asked <= flags_of(name) | {"--help"}


@pytest.mark.parametrize(
    "flag", sorted(set(re.findall(r"`(--[a-z-]+)[ `]", re.sub(FENCE, "", README))))
)
def test_a_flag_named_alone_in_the_readme_belongs_to_some_command(flag: str) -> None:
    known = set[str]().union(*map(flags_of, program.commands))
    assert flag in known | {"--help"} or flag == "--no-deps"  # which is pip's


def test_the_readme_names_every_sub_command() -> None:
    named = {shlex.split(command)[1] for command in told_commands() if " " in command}
    assert {name for name, one in program.commands.items() if not one.hidden} <= named


def test_the_example_ends_with_the_files_it_promises(worked_example: Path) -> None:
    made = {file.name for file in worked_example.iterdir()}
    assert {"kept.csv", "removed.xlsx", "groups.parquet", "certificate.html"} <= made


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = re.sub(FENCE, "", document.read_text("utf-8"))
    links = re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", text)
    inside = [link for link in links if not re.match(r"[a-z]+:", link)]
    missing = [link for link in inside if not (document.parent / unquote(link)).exists()]
    assert missing == []


@pytest.mark.parametrize("name", named_paths())
def test_a_path_named_in_the_documents_exists(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("query", [body for kind, body in FENCE.findall(STORE) if kind == "sql"])
def test_a_query_of_the_store_page_finds_rows(worked_example: Path, query: str) -> None:
    file = worked_example / "messages.samesense" / DATABASE
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        assert connection.execute(query).fetchall()
    finally:
        connection.close()


def test_the_store_page_names_every_table(worked_example: Path) -> None:
    file = worked_example / "messages.samesense" / DATABASE
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        asked = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = [name for (name,) in connection.execute(asked)]
    finally:
        connection.close()
    own = [name for name in names if not name.startswith(("_", "sqlite_"))]
    assert [name for name in own if f"`{name}`" not in STORE] == []


def test_the_store_page_tells_the_flags_as_the_program_does() -> None:
    told = " ".join(STORE.split())
    assert all(f"{int(flag)} " in told for flag in FLAG_WORDS)
    assert "1 number differs, 2 negation differs, 4 name differs, 8 only a part agrees" in told


def test_the_command_answers_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    from core import __version__

    with pytest.raises(SystemExit):
        main(["--version"])
    assert __version__ in capsys.readouterr().out
