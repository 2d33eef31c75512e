"""The command in German: its help, its hints, its faults; which language it speaks without being told."""

from __future__ import annotations

import ast
import inspect
import string

import click
import pytest
from click.testing import CliRunner

from tests.builders.written_sentences import numbered
from tests.conftest import PROJECT
from trajekt import new_game, save
from trajekt.cli import main
from trajekt.cli.language import german, told, wanted

SITE_EXPORTS = PROJECT / "tests" / "replays" / "site_exports"
SPEAKING = {"say", "show", "echo", "fail", "told"}


def run(*args, **environment):
    return CliRunner().invoke(main, [str(a) for a in args], catch_exceptions=False, env=environment)


def commands(command=main, path=()):
    """Every command with the words that call it."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


def help_texts():
    """Every paragraph of help, and the help of every option."""
    for _, command in commands():
        yield from (" ".join(part.split()) for part in inspect.cleandoc(command.help).split("\n\n"))
        context = click.Context(command)
        yield from (param.help for param in command.get_params(context) if isinstance(param, click.Option))


def constants(node, names):
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return constants(node.body, names) | constants(node.orelse, names)
    return names.get(ast.unparse(node), set())


def templates():
    """Every template in the code that is said, shown or raised, and the names of sources."""
    from trajekt.cli.server import SOURCES

    yield from SOURCES.values()
    for path in (PROJECT / "src" / "trajekt" / "cli").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            node.targets[0].id: {node.value.value}
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKING and node.args:
                yield from constants(node.args[0], names)


FILLED = {
    "server/http": ("serve.py", "doctor.py"),
    "server/storage": ("backup_and_restore.py", "database.py", "store.py", "file_lock.py"),
    "server/notifications": ("mail.py",),
    ".": ("registry.py",),
    "learning": ("game_dataset.py",),
    "bots": ("bot.py", "arena.py", "simulation.py", "timeline.py", "executors.py", "checkpoints.py"),
}
"""Modules whose sentences reach the command filled."""
SPEAKING_THERE = {"Finding", "say", "tell", "MailError"}
EQUAL_IN_GERMAN = {"", "server", "proxy: Host", "chmod 600 {0}", "trajekt {0}, Python {1}", "{0}: {1}"}
OF_NO_COMMAND = ("This is the letter", "{0} is not installed: only what", "{0} is of no game")
"""Beginnings of a letter's text, and of sentences for programmers."""


def filled_sentences():
    """Every sentence of the server and the library that the command passes on."""
    for folder, names in FILLED.items():
        for name in names:
            tree = ast.parse((PROJECT / "src" / "trajekt" / folder / name).read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"message", "text", "mend"}:
                    yield from numbered(node.value)
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKING_THERE:
                    yield from (sentence for each in node.args for sentence in numbered(each))
                if isinstance(node, ast.Return) and node.value is not None and name == "registry.py":
                    yield from numbered(node.value)


def gaps(template):
    return sorted(name for _, name, _, _ in string.Formatter().parse(template) if name)


def words(template):
    return "".join(text for text, _, _, _ in string.Formatter().parse(template)).strip(" :-()")


class TestCatalogue:
    def test_each_help_text_is_german(self):
        texts = set(help_texts())
        assert len(texts) > 80
        assert texts - german().keys() == set()

    def test_every_sentence_is_german_too(self):
        said = set(templates())
        assert len(said) > 50
        assert {text for text in said - german().keys() if words(text) not in ("", "fix")} == set()

    def test_each_filled_sentence_is_german(self):
        said = {text for text in filled_sentences() if not text.startswith(OF_NO_COMMAND)}
        assert len(said) > 80
        assert said - german().keys() - EQUAL_IN_GERMAN == set()

    def test_no_sentence_is_filled_beforehand(self):
        for path in (PROJECT / "src" / "trajekt" / "cli").glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKING and node.args:
                    assert not isinstance(node.args[0], ast.JoinedStr), (path.name, node.lineno)

    def test_both_languages_have_equal_gaps(self):
        for english, translated in german().items():
            assert gaps(english) == gaps(translated), english
            assert translated.strip(), english

    def test_no_german_text_is_left_over(self):
        source = "\n".join(path.read_text(encoding="utf-8") for path in (PROJECT / "src/trajekt/cli").glob("*.py"))
        frame = {"Usage:", "Options", "Commands", "[OPTIONS]", "COMMAND", "[ARGS]...", "Missing command.", "[required]"}
        frame |= {"Show the version and exit.", "Show this message and exit."}
        frame |= {"no space left on device", "permission denied", "not a directory", "is a directory"}
        frame |= {"read-only file system", "file name too long"}  # of the system
        frame |= {text for text in german() if len(text.split("  ")) > 3}  # heads of tables, put together by widths
        own = {text for text in german() if "{0}" not in text} - frame
        source += "\n".join(
            (PROJECT / "src" / "trajekt" / folder / name).read_text(encoding="utf-8")
            for folder, names in FILLED.items()
            for name in names
        )
        assert own - set(help_texts()) - set(templates()) - {text for text in own if text in source} == set()


class TestHelp:
    @pytest.mark.parametrize("path", [path for path, _ in commands()])
    def test_help_of_each_command_is_german(self, path):
        shown = run(*path, "--help", "--language", "de").output
        assert shown.startswith("Aufruf: ")
        assert "Diese Hilfe zeigen." in shown
        assert not {"Show", "Options:", "default:", "required"} & set(shown.replace("[", " ").split())

    def test_english_help_is_the_code(self):
        shown = run("replay", "--help").output
        assert shown.startswith("Usage: ")
        assert "Decide every action of FILE again" in shown


class TestSentences:
    def test_hint_of_import_is_german(self, tmp_path):
        done = run("import", SITE_EXPORTS / "15-stale-graph-k4.json", "-o", tmp_path / "x.json", "--language", "de")
        assert done.exit_code == 1
        assert "--so-far schreibt die " in done.stderr
        assert "Eintrag 276" in done.stderr
        assert "writes" not in done.stderr

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (("replay", "nix.json"), "Fehler: Falscher Wert für 'FILE': Die Datei 'nix.json' gibt es nicht."),
            (("replay",), "Fehler: Es fehlt 'FILE'."),
            (("nonsense",), "Fehler: Den Befehl 'nonsense' gibt es nicht."),
            (("games", "--nope"), "Fehler: Die Option '--nope' gibt es nicht."),
            (("draw", "18rhl", "--part", "x", "-o", "-"), "'x' ist keines von 'map', 'tiles', 'market', 'charters'."),
            (("simulate", "18rhl", "--games", "0"), "0 liegt nicht im Bereich x>=1."),
            (("simulate", "18nix"), "kein Spiel '18nix'; installiert sind 18do, 18lra"),
            (("rules", "18rhl", "--edition", "7"), "18Rhl-Rhineland hat keine Ausgabe 7; es gibt 1, 2"),
        ],
    )
    def test_wrong_usage_is_told_in_german(self, args, said):
        done = run(*args, "--language", "de")
        assert done.exit_code == 2
        assert said in done.stderr
        assert f"Mehr sagt 'main{' ' + args[0] if args[0] != 'nonsense' else ''} --help'." in done.stderr

    def test_results_for_people_are_german(self):
        done = run("replay", SITE_EXPORTS / "06-order-of-floating.json", TRAJEKT_LANGUAGE="de")
        assert done.exit_code == 0
        assert "Aktionen, nicht zu Ende" in done.stdout
        assert "Kurs" in done.stdout
        assert "Bank 7." in done.stdout

    def test_thousands_are_parted_as_language_does(self):
        shown = []
        for words_ in ([], ["--language", "de"]):
            context = click.Context(main)
            context.meta["trajekt.cli.language"] = wanted(words_, {})
            with context:
                shown.append(told("  bank {bank:,} M", bank=1234567))
        assert shown == ["  bank 1,234,567 M", "  Bank 1.234.567 M"]


class TestSentencesOfOthers:
    def test_doctor_speaks_german(self, tmp_path):
        done = run("doctor", "--db", tmp_path / "none.db", "--address", "play", "--language", "de")
        assert "ist leer" in done.stdout
        assert "das erste `trajekt serve` legt das Schema an" in done.stdout
        assert "play ist keine Adresse, zu der eine Nachricht führen kann" in done.stdout
        assert not {"database", "limits", "letters", "off"} & set(done.stdout.replace(":", " ").split())

    def test_arena_speaks_german(self):
        done = run("arena", "18lra", "random", "random", "random", "--games", 1, "--language", "de")
        assert done.exit_code == 0
        assert done.stderr.splitlines()[0] == "1 Partien"
        assert "Wertung" in done.stderr.splitlines()[1]

    def test_timeline_speaks_german(self):
        done = run("timeline", "18lra", "random", "random", "random", "--games", 1, "--language", "de")
        assert done.exit_code == 0
        assert done.stdout.splitlines()[0].split()[0] == "BR"
        assert "erster 2-Zug: in 1 von 1 Partien" in done.stdout

    def test_unknown_bot_is_told_german(self):
        done = run("arena", "18lra", "nobody", "random", "random", "--language", "de")
        assert done.exit_code == 2
        assert "kein Bot 'nobody'; installiert sind" in done.stderr

    def test_export_of_another_game_german(self, tmp_path):
        save(new_game("18lra", ["Ada", "Bo", "Cy"], seed=1), tmp_path / "x.json")
        done = run("export", tmp_path / "x.json", "-o", tmp_path / "y.json", "--language", "de")
        assert done.exit_code == 1
        assert "18xx.games hat keine Partien von 18lra" in done.stderr

    def test_path_with_braces_is_told(self, tmp_path):
        (tmp_path / "{no}").write_text("a file, no folder", encoding="utf-8")
        done = run("serve", "--no-browser", "--db", tmp_path / "{no}" / "x.db", "--port", 0)
        assert done.exit_code == 1
        assert "{no}" in done.stderr


class TestChoice:
    @pytest.mark.parametrize(
        ("words", "environment", "language"),
        [
            ([], {}, "en"),
            ([], {"LANG": "de_DE.UTF-8"}, "de"),
            ([], {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
            ([], {"LANG": "fr_FR.UTF-8"}, "en"),
            ([], {"LANG": "de_DE.UTF-8", "TRAJEKT_LANGUAGE": "en"}, "en"),
            (["x", "--language=de"], {"TRAJEKT_LANGUAGE": "en"}, "de"),
            (["x", "--language", "fr"], {}, "en"),
        ],
    )
    def test_words_before_variable_before_locale(self, words, environment, language):
        assert wanted(words, environment) == language

    def test_unknown_language_is_wrong_usage(self):
        assert run("games", "--language", "fr").exit_code == 2


class TestFaultsOfComponents:
    def test_check_tells_faults_in_german(self, tmp_path):
        file = tmp_path / "mine.toml"
        file.write_text('game = "mine"\nhexes = 3\n', encoding="utf-8")
        done = run("check", file, "--language", "de")
        assert done.exit_code == 1
        assert f"{file}: hexes: muss eine Tabelle sein" in done.output
        assert f"{file}: title: fehlt" in done.output
        assert "should be" not in done.output

    def test_place_in_torn_file_is_german(self, tmp_path):
        file = tmp_path / "18rhl.toml"
        file.write_text("trains.2.price = = 3\n", encoding="utf-8")
        assert f"{file}: Zeile 1, Spalte 18: ist kein TOML: " in run("check", file, TRAJEKT_LANGUAGE="de").output
