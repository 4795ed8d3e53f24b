"""The command line without a server: exit codes, text for people, JSON for programs."""

import json
import os
import re
import select
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from command_line import GOOD, file, run, stricter
from installation import EXECUTABLE, eventually
from samples import APP


def test_lint_is_0_for_a_file_without_errors(file):
    result = run("lint", file)
    assert (result.returncode, result.stderr) == (0, "")
    assert str(file) in result.stdout


def test_lint_is_1_and_names_line_and_column_of_an_error(tmp_path):
    bad = tmp_path / "bad"
    bad.write_text('{\n  "applinks": {},\n}')
    result = run("lint", bad)
    assert result.returncode == 1
    assert f"{bad}:3:1: error WM001" in result.stdout


def test_lint_of_several_files_has_the_exit_code_of_the_worst(file, tmp_path):
    bad = tmp_path / "bad"
    bad.write_text("[]")
    assert run("lint", file, bad).returncode == 1
    assert run("lint", file, file).returncode == 0


def test_lint_counts_warnings_as_errors_when_strict(tmp_path):
    odd = tmp_path / "odd"
    odd.write_text(json.dumps({"applinks": {"apps": ["x"], **GOOD["applinks"]}}))
    assert run("lint", odd).returncode == 0
    assert run("lint", "--strict", odd).returncode == 1


def test_lint_reads_standard_input():
    assert run("lint", "-", input=json.dumps(GOOD)).returncode == 0
    assert run("lint", "-", input="{").returncode == 1


def test_lint_reads_standard_input_once():
    result = run("lint", "-", "-", input=json.dumps(GOOD))
    assert (result.returncode, result.stdout) == (2, "") and "standard input" in result.stderr


def test_lint_answers_in_json(file):
    [report] = json.loads(run("lint", "--json", file).stdout)
    assert (report["file"], report["size"]) == (str(file), file.stat().st_size)
    assert [finding["code"] for finding in report["findings"]] == ["WM019", "WM063"]
    [report] = json.loads(run("lint", "--json", "-", input="{").stdout)
    assert (report["findings"][0]["code"], report["findings"][0]["line"]) == ("WM001", 1)


STEERING = "\x1b[31m\n\u202e\u200b\u00a0\u009b"


@pytest.mark.parametrize("arguments", [("lint",), ("match", "--explain"), ("test",), ("diff",)])
def test_text_from_a_file_cannot_control_the_terminal(tmp_path, arguments):
    app = "Q1W2E3R4T5.com.acme" + STEERING
    components = [{"/": f"/{STEERING}", "comment": STEERING}, {"/": "/x", "k" + STEERING: 1}]
    hostile = tmp_path / "hostile"
    hostile.write_text(json.dumps({"applinks": {"details": [{"appIDs": [app], "components": components}]}}))
    other = tmp_path / "other"
    other.write_text(json.dumps(GOOD))
    suite = tmp_path / "suite.csv"
    suite.write_text("url,expect\n/x,none\n")
    rest = {"lint": [], "match": ["/" + STEERING, "/x"], "test": [suite], "diff": [other]}[arguments[0]]
    result = run(*arguments, hostile, *rest)
    assert result.returncode in (0, 1), result.stderr
    assert "U+202E" in result.stdout
    assert not set(result.stdout) & set(STEERING.replace("[31m", "").replace("\n", ""))
    assert "\nU+202E" not in result.stdout
    answer = run(arguments[0], "--json", hostile, *rest)
    assert json.loads(answer.stdout)
    assert not set(answer.stdout) & set(STEERING.replace("[31m", "").replace("\n", ""))


def test_match_names_app_and_rule(file):
    result = run("match", file, "https://www.example.com/buy/1", "/private/x", "/else")
    assert result.returncode == 0
    assert f"opens {APP}" in result.stdout
    assert "/applinks/details/0/components/1" in result.stdout
    assert [e["outcome"] for e in json.loads(run("match", "--json", file, "/buy/1", "/private/x", "/else").stdout)] == [
        "opens",
        "excluded",
        "none",
    ]


def test_match_is_1_for_an_unexpected_outcome(file):
    for expected, url, code in [
        (APP, "/buy/1", 0),
        (APP, "/else", 1),
        ("none", "/else", 0),
        ("none", "/buy/1", 1),
        ("excluded", "/private/x", 0),
        ("excluded", "/else", 1),
        ("ABCDE12345.com.other", "/buy/1", 1),
    ]:
        result = run("match", "--expect", expected, file, url)
        assert result.returncode == code, (expected, url)
        assert bool(result.stderr) == bool(code)


def test_match_accepts_only_valid_app_ids(file):
    assert run("match", "--app", "ABCDE12345.com.other", file, "/buy/1").returncode == 0
    result = run("match", "--app", "zzz", file, "/buy/1")
    assert (result.returncode, result.stdout) == (2, "") and "zzz" in result.stderr
    file.write_text(json.dumps(GOOD).replace(APP, "zzz"))
    assert "opens zzz" in run("match", "--app", "zzz", file, "/buy/1").stdout


def test_match_explains_rule_by_rule(file):
    result = run("match", "--explain", "--app", APP, file, "/buy", "/else")
    assert result.returncode == 0
    assert "`/buy/*` matches the path `/buy/`." in result.stdout
    assert "\x1b" not in result.stdout
    [answer] = json.loads(run("match", "--explain", "--json", file, "/buy").stdout)
    assert answer["certainty"] == "documented" and answer["trace"][0]["rules"][-1]["outcome"] == "matches"


def test_match_uses_the_entitlements_domains(file):
    for domains, url, code in [
        (["*.example.com"], "https://www.example.com/buy/1", 0),
        (["other.example", "www.example.com"], "https://www.example.com/buy/1", 0),
        (["other.example"], "https://www.example.com/buy/1", 1),
    ]:
        named = [part for domain in domains for part in ("--entitlement", domain)]
        assert run("match", "--expect", APP, *named, file, url).returncode == code, domains


def test_match_uses_the_exact_hosts_file_before_the_wildcards(tmp_path):
    def file(name, *components):
        path = tmp_path / name
        path.write_text(json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": components}]}}))
        return path

    own = file("own@home.json", {"/": "/own"}, {"/": "/no", "exclude": True})
    parent = file("parent.json", {"/": "/own", "exclude": True}, {"/": "/parent"}, {"/": "/no"})
    files = ["--app", APP, "--file", f"{parent}@*.example.com", "--file", f"{own}@www.example.com"]
    urls = [f"https://{url}" for url in ["www.example.com/own", "www.example.com/parent", "www.example.com/no"]]
    answers = json.loads(run("match", "--json", *files, *urls, "https://b.example/own", "/own").stdout)
    found = [(a["outcome"], a.get("entitlementDomain"), a["certainty"]) for a in answers]
    assert found == [
        ("opens", "www.example.com", "documented"),
        ("opens", "*.example.com", "documented"),
        ("opens", "*.example.com", "reported"),
        ("none", None, "documented"),
        ("none", None, "documented"),
    ]
    assert "matches the entitlement domain *.example.com" in run("match", *files, "--explain", urls[1]).stdout
    assert run("match", *files, "--expect", "none", urls[0]).returncode == 1
    malformed = run("match", "--app", APP, "--file", f"{own}@https://www.example.com", urls[0])
    assert "is not valid" in malformed.stdout


def test_match_answers_line_by_line():
    question = {"id": 7, "aasa": GOOD, "domain": "www.example.com", "appId": APP, "url": "https://www.example.com/buy/1"}
    lines = [json.dumps(question), "{", json.dumps(question | {"id": "x", "url": "https://www.example.com/else"})]
    result = run("match", "--lines", input="\n".join(lines))
    assert result.returncode == 0
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert first == {"id": 7, "decision": "match"}
    assert second["id"] is None and second["error"]
    assert third == {"id": "x", "decision": "no_match"}


def test_match_of_a_malformed_file_is_1():
    result = run("match", "-", "/x", input="{")
    assert result.returncode == 1 and result.stderr


def test_an_unreadable_file_is_3(tmp_path):
    for path in [tmp_path / "absent", tmp_path]:
        for arguments in [("lint", path), ("match", path, "/x")]:
            result = run(*arguments)
            assert result.returncode == 3 and str(path) in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint",),
        ("lint", "--odd", "x"),
        ("match",),
        ("match", "x"),
        ("match", "--lines", "x", "/"),
        ("match", "--os", "ios8", "x", "/"),
        ("match", "--file", "x@www.example.com", "https://www.example.com/"),
        ("match", "--file", "x", "--app", APP, "https://www.example.com/"),
        ("match", "--file", "x@www.example.com", "--app", APP),
        ("match", "--file", "-@www.example.com", "--file", "-@*.example.com", "--app", APP, "https://www.example.com/"),
        ("odd",),
        ("serve", "--role", "odd"),
        ("organization", "create"),
        ("organization", "create", "Not A Slug", "--owner", "a@b.example"),
        ("organization", "create", "ok", "--owner", "nobody"),
        ("token", "create", "--organization", "a", "--name", "x", "--role", "king"),
        ("token", "create", "--organization", "a", "--name", "x", "--days", "0"),
        ("domain", "verify", "--organization", "a", "no host"),
    ],
)
def test_wrong_usage_is_2_with_the_right_usage(arguments):
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, ""), result.stderr
    assert "Usage:" in result.stderr or "Error:" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint", "--fix", "-"),
        ("lint", "-", "-"),
        ("match", "--expect", "typo", "FILE", "/"),
        ("match", "--app", "typo", "FILE", "/"),
        ("diff", "-", "-"),
        ("test", "-", "-"),
        ("organization", "create"),
    ],
)
def test_wrong_usage_shows_the_usage_of_the_command(file, arguments):
    result = run(*(str(file) if argument == "FILE" else argument for argument in arguments))
    name = " ".join(arguments[: 2 if arguments[0] == "organization" else 1])
    assert (result.returncode, result.stdout) == (2, "")
    assert f"Usage: waymark {name} " in result.stderr


@pytest.mark.parametrize(
    "command, taught",
    [
        ("", "Exit codes"),
        ("lint", "Exit codes: 0 no errors"),
        ("match", "--expect"),
        ("serve", "Ctrl-C"),
        ("migrate", "WAYMARK_OWNER_DATABASE_URL"),
        ("database prepare", "row level"),
        ("organization create", "one-time link"),
        ("user sign-in-link", "one-time link"),
        ("token create", "once"),
        ("domain verify", "without further proof"),
    ],
)
def test_help_explains_the_commands(command, taught):
    result = run(*command.split(), "--help")
    assert (result.returncode, result.stderr) == (0, "")
    overview, _, rest = result.stdout.partition("USAGE:")
    assert overview.startswith("OVERVIEW:") and rest
    assert taught in " ".join(overview.split())


def test_the_version_is_printed():
    result = run("--version")
    assert result.returncode == 0 and result.stdout[0].isdigit()


@pytest.mark.parametrize(
    "name, value",
    [
        ("WAYMARK_ADDRESS", "nonsense"),
        ("WAYMARK_DATABASE_CONNECTIONS", "many"),
        ("WAYMARK_DATABASE_URL", "mysql://x"),
        ("WAYMARK_SETTINGS_FILE", "/nowhere"),
    ],
)
def test_an_invalid_setting_is_named(name, value, tmp_path):
    result = run("serve", **{name: value, "WAYMARK_STATE_DIRECTORY": str(tmp_path)})
    assert result.returncode == 3
    assert name in result.stderr


@pytest.mark.parametrize(
    "lines, told",
    [
        ("WAYMARK_ADDRESS=127.0.0.1:0\n\nWAYMARK_EDGE_ADRESS=x", "line 3 sets WAYMARK_EDGE_ADRESS, which is not a setting for this file"),
        ("WAYMARK_EDGE_ADRESS=x", "did you mean WAYMARK_EDGE_ADDRESS?"),
        ("WAYMARK_TOKEN=x", "line 1 sets WAYMARK_TOKEN, which is not a setting for this file\n"),
        ("# a comment\nWAYMARK_ADDRESS", "line 2 is not NAME=value"),
        ("WAYMARK_STATE_DIRECTORY='/srv'", "line 1 has quotes around the value of WAYMARK_STATE_DIRECTORY"),
        ("WAYMARK_CONSUMER_NAME=a\nWAYMARK_CONSUMER_NAME=a", "line 2 sets WAYMARK_CONSUMER_NAME again, after line 1"),
    ],
)
def test_an_invalid_settings_file_is_refused_with_the_line(lines, told, tmp_path):
    file = tmp_path / "settings"
    file.write_text(lines)
    result = run("serve", WAYMARK_SETTINGS_FILE=str(file))
    assert result.returncode == 3 and f"WAYMARK_SETTINGS_FILE names {file}, where" in result.stderr
    assert told in result.stderr


def test_settings_come_from_a_file_and_the_environment_takes_precedence(tmp_path):
    file = tmp_path / "settings"
    file.write_bytes(b"# of both\n\n  WAYMARK_ADDRESS = nonsense\r\nWAYMARK_LOG_LEVEL=very=loud")
    assert "WAYMARK_ADDRESS" in run("serve", WAYMARK_SETTINGS_FILE=str(file)).stderr
    result = run("serve", WAYMARK_SETTINGS_FILE=str(file), WAYMARK_ADDRESS="127.0.0.1:0")
    assert result.returncode == 3 and result.stderr.rstrip().endswith("critical: very=loud")


def test_administration_commands_print_text_or_json(waymark):
    again = waymark.cli("organization", "create", waymark.organization, "--owner", "x@y.example", check=False)
    assert again.returncode == 3 and "already" in again.stderr
    nobody = waymark.cli("user", "sign-in-link", "nobody@x.example", check=False)
    assert nobody.returncode == 3 and "nobody@x.example" in nobody.stderr
    absent = waymark.cli("token", "create", "--organization", "absent", "--name", "x", check=False)
    assert absent.returncode == 3 and "absent" in absent.stderr
    made = json.loads(waymark.cli("organization", "create", "in-json", "--owner", "x@y.example", "--json").stdout)
    assert made["organization"] == "in-json" and "/sign-in#" in made["signInLink"]
    token = json.loads(
        waymark.cli(
            "token", "create", "--organization", "in-json", "--name", "x", "--role", "viewer", "--days", "1", "--json"
        ).stdout
    )
    me = waymark.api("GET", "/v1/me", token=token["token"]).json()
    assert (me["token"]["name"], me["token"]["role"], me["organizations"][0]["slug"]) == ("x", "viewer", "in-json")


@pytest.mark.parametrize("suite", ["url,expect\n", '{"tests": []}'])
def test_a_suite_without_tests_does_not_pass(file, tmp_path, suite):
    path = tmp_path / "suite"
    path.write_text(suite)
    for arguments in [(), ("--json",)]:
        result = run("test", *arguments, file, path)
        assert (result.returncode, result.stdout) == (3, "") and str(path) in result.stderr


def commands(file, stricter, tmp_path):
    """Every command that checks files, with some output."""
    suite = tmp_path / "suite.csv"
    suite.write_text("url,expect\n/x,none\n")
    checks = [("lint", file), ("match", "--explain", file, "/x"), ("test", file, suite), ("diff", file, stricter)]
    return checks + [(name, "--json", *rest) for name, *rest in checks]


def test_an_answer_that_cannot_be_written_is_3(file, stricter, tmp_path):
    for arguments in commands(file, stricter, tmp_path):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [EXECUTABLE, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
            )
        assert result.returncode == 3, arguments
        assert result.stderr == "waymark: standard output cannot be written: No space left on device\n"


def has_no_reader(pipe):
    poll = select.poll()
    poll.register(pipe, 0)
    return poll.poll(0) == [(pipe, select.POLLERR)]


def test_a_command_ends_silently_when_its_reader_has_gone(file, stricter, tmp_path):
    for arguments in commands(file, stricter, tmp_path):
        reading, writing = os.pipe()
        os.close(reading)
        # A process that was forked at that moment has a copy of the pipe until it executes another program.
        eventually(lambda: has_no_reader(writing), 10)
        result = subprocess.run([EXECUTABLE, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=120)
        os.close(writing)
        assert (result.returncode, result.stderr) == (3, b""), arguments


def test_match_ends_when_the_reader_of_its_lines_has_gone():
    question = {"id": 1, "aasa": GOOD, "domain": "www.example.com", "appId": APP, "url": "/buy/1"}
    questions = subprocess.Popen(["yes", json.dumps(question)], stdout=subprocess.PIPE)
    match = subprocess.Popen(
        [EXECUTABLE, "match", "--lines"], stdin=questions.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert json.loads(match.stdout.readline()) == {"id": 1, "decision": "match"}
        match.stdout.close()
        assert match.wait(timeout=120) == 3
        assert match.stderr.read() == b""
    finally:
        for process in (match, questions):
            process.kill()
            process.wait()


def test_log_lines_on_a_terminal_start_with_a_time_in_every_locale(empty_waymark):
    ours, theirs = os.openpty()
    environment = empty_waymark.environment | {"LANG": "en_US.UTF-8", "LC_ALL": "en_US.UTF-8", "TZ": "Asia/Tokyo"}
    empty_waymark.process = subprocess.Popen(
        [EXECUTABLE, "serve"], cwd=empty_waymark.directory, env=environment, stdin=subprocess.DEVNULL, stdout=theirs,
        stderr=theirs, start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    while b"GET /internal/manifest" not in seen:
        assert select.select([ours], [], [], 120)[0], seen
        seen += os.read(ours, 65_536)
    empty_waymark.stop()
    os.close(ours)
    lines = [line for line in seen.decode().splitlines() if "GET /internal/manifest" in line]
    time = re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC ", lines[0])
    assert time and lines[0].isascii(), lines[0]
    now = datetime.now(UTC).replace(tzinfo=None)
    assert abs(now - datetime.strptime(time.group(), "%Y-%m-%d %H:%M:%S UTC ")) < timedelta(hours=1)
