"""`waymark lint` with directories and with `--fix`, which rewrites files."""

import json
import os
import resource
import stat
import subprocess

import pytest

from command_line import GOOD, run
from installation import EXECUTABLE
from samples import APP

FIXABLE = '{"applinks": {"details": [{"appIDs": ["%s"], "components": [{"/": "/buy/*", "exclude": 0}]}]}}' % APP


def examined(*arguments):
    """The files of a report, in its order."""
    result = run("lint", "--json", *arguments)
    assert result.returncode in (0, 1), result.stderr
    return [report["file"] for report in json.loads(result.stdout)]


@pytest.fixture
def site(tmp_path):
    """A directory with one association file."""
    directory = tmp_path / "site"
    directory.mkdir()
    (directory / "a.json").write_text(json.dumps(GOOD))
    return directory


def test_a_directory_means_the_association_files_below_it_in_order(site):
    nested = site / "www" / ".well-known"
    nested.mkdir(parents=True)
    (nested / "apple-app-site-association").write_text(json.dumps(GOOD))
    (site / "www" / "apple-app-site-association.json").write_text("[]")
    (site / "package.json").write_text('{"name": "x"}')
    (site / "page.html").write_text('"applinks"')
    (site / ".git").mkdir()
    (site / ".git" / "b.json").write_text(json.dumps(GOOD))
    assert examined(site) == [
        f"{site}/a.json",
        f"{site}/www/.well-known/apple-app-site-association",
        f"{site}/www/apple-app-site-association.json",
    ]


def test_a_directory_without_association_files_is_3(tmp_path):
    (tmp_path / "package.json").write_text("{}")
    result = run("lint", tmp_path)
    assert (result.returncode, result.stdout) == (3, "") and str(tmp_path) in result.stderr


@pytest.mark.parametrize(
    "name, text",
    [
        ("broken.json", '{"applinks":{"details":[]}'),
        ("broken.aasa", "{"),
        ("empty.aasa", "{}"),
        ("misspelled.json", '{"Applinks":{}}'),
        ("list.aasa", "[]"),
    ]
    + [
        (f"{service}{state}.json", f'{{"{service}":{{"apps":["x"]}}{end}')
        for service in ("webcredentials", "appclips", "activitycontinuation", "authsrv", "messagefilter")
        for state, end in (("", "}"), ("-broken", ""))
    ],
)
def test_a_directory_includes_every_file_that_is_meant_for_apple(site, name, text):
    (site / name).write_text(text)
    assert f"{site}/{name}" in examined(site)


@pytest.mark.parametrize("text", ["{", "[", '[{"applinks":{}}]', '{"ios":{"associatedDomains":["applinks:a.example"]}', ""])
def test_a_directory_excludes_other_json_files(site, text):
    (site / "other.json").write_text(text)
    assert examined(site) == [f"{site}/a.json"]


def test_an_unreadable_directory_is_3_and_named(site):
    # A path that is too long, because the tests may run as root, who has every permission.
    deep = os.open(site, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=deep)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = deeper
    os.close(deep)
    result = run("lint", site)
    assert result.returncode == 3 and str(site) in result.stderr and "too long" in result.stderr


def test_a_directory_with_a_pipe_does_not_wait_for_it(site):
    os.mkfifo(site / "pipe.json")
    os.mkfifo(site / "apple-app-site-association")
    assert examined(site) == [f"{site}/a.json"]


def test_links_in_a_directory_are_not_followed(site, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text(FIXABLE)
    (site / "b.json").symlink_to("a.json")
    (site / "c.json").symlink_to(outside)
    (site / "d").symlink_to(tmp_path)
    for name in ("loop", "a", "b"):
        (site / name).symlink_to(".")
    assert examined(site) == [f"{site}/a.json"]
    assert examined("--fix", site) == [f"{site}/a.json"]
    assert outside.read_text() == FIXABLE


def test_a_named_link_and_a_named_pipe_are_read(site, tmp_path):
    (tmp_path / "link").symlink_to("site/a.json")
    (tmp_path / "directory").symlink_to("site")
    assert examined(tmp_path / "link", tmp_path / "directory") == [f"{tmp_path}/link", f"{tmp_path}/directory/a.json"]
    assert run("lint", "/dev/stdin", input=json.dumps(GOOD)).returncode == 0


def fixed(path):
    """The file after the fix of FIXABLE. Checks that no other file is left."""
    assert json.loads(path.read_text())["applinks"]["details"][0]["components"][0]["exclude"] is False
    assert not [name for name in os.listdir(path.resolve().parent) if name.startswith(".")]
    return True


def test_fix_applies_fixes_that_keep_every_outcome_and_counts_them(site):
    path = site / "fixable.json"
    path.write_text(FIXABLE)
    result = run("lint", "--fix", path)
    assert result.returncode == 0 and ", 1 fixed" in result.stdout
    assert fixed(path)
    before = path.stat()
    assert "fixed" not in run("lint", "--fix", path).stdout
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_fix_changes_all_files_of_a_directory(site):
    (site / "www").mkdir()
    paths = [site / "b.json", site / "www" / "apple-app-site-association"]
    for path in paths:
        path.write_text(FIXABLE)
    reports = json.loads(run("lint", "--fix", "--json", site).stdout)
    assert [report["fixed"] for report in reports] == [0, 1, 1]
    assert all(map(fixed, paths))


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o444])
def test_fix_keeps_the_permissions(site, mode):
    path = site / "fixable.json"
    path.write_text(FIXABLE)
    path.chmod(mode)
    assert run("lint", "--fix", path).returncode == 0
    assert fixed(path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_fix_keeps_the_owner(site):
    path = site / "fixable.json"
    path.write_text(FIXABLE)
    os.chown(path, 12345, 54321)
    assert run("lint", "--fix", path).returncode == 0
    assert fixed(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_fix_of_a_link_changes_its_target(site, tmp_path):
    path = site / "fixable.json"
    path.write_text(FIXABLE)
    (tmp_path / "first").symlink_to("site/fixable.json")
    (tmp_path / "second").symlink_to("first")
    assert run("lint", "--fix", tmp_path / "second").returncode == 0
    assert fixed(path)
    assert os.readlink(tmp_path / "second") == "first" and os.readlink(tmp_path / "first") == "site/fixable.json"


def test_fix_refuses_a_file_that_is_not_regular_without_reading_it(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("lint", "--fix", pipe)
    assert (result.returncode, result.stdout) == (3, "") and str(pipe) in result.stderr
    result = run("lint", "--fix", tmp_path / "absent")
    assert (result.returncode, result.stdout) == (3, "") and "absent" in result.stderr


def test_a_fix_that_cannot_be_written_is_3_and_keeps_the_file(tmp_path):
    path = tmp_path / "fixable.json"
    path.write_text(FIXABLE)
    result = subprocess.run(
        [EXECUTABLE, "lint", "--fix", path],
        capture_output=True,
        text=True,
        timeout=120,
        # Python ignores the signal of this limit, and child processes inherit that.
        restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
    )
    assert result.returncode == 3 and f"{path} cannot be written" in result.stderr
    assert path.read_text() == FIXABLE
    assert os.listdir(tmp_path) == ["fixable.json"]


def test_lint_shows_whether_an_app_is_in_a_file(tmp_path):
    path = tmp_path / "apple-app-site-association"
    other = "A7K2M9Q4X1." + APP.split(".", 1)[1]
    clip = {"apps": [APP + ".Clip"]}
    path.write_text(json.dumps({**GOOD, "webcredentials": {"apps": [APP]}, "appclips": clip}))
    result = run("lint", "--app", APP, path)
    assert result.returncode == 0
    places = "applinks (/applinks/details/0/appIDs/0), webcredentials (/webcredentials/apps/0)"
    assert f"{path}: {APP} is in {places}." in result.stdout
    result = run("lint", "--app", other, path)
    assert result.returncode == 1 and f"{other} is not in this file. Did you mean {APP}?" in result.stdout
    [report] = json.loads(run("lint", "--json", "--app", APP + ".Clip", "--app", other, path).stdout)
    place = {"service": "appclips", "pointer": "/appclips/apps/0"}
    assert report["apps"] == [
        {"app": APP + ".Clip", "places": [place], "similar": None},
        {"app": other, "places": [], "similar": APP},
    ]
    assert "apps" not in json.loads(run("lint", "--json", path).stdout)[0]


@pytest.mark.parametrize("app", ["com.acme.shop", "", "TEAM.com.acme.shop"])
def test_lint_refuses_an_invalid_app_id(site, app):
    result = run("lint", "--app", app, site)
    assert result.returncode == 2 and "--app" in result.stderr


def test_an_unreadable_file_contains_no_app(tmp_path):
    (tmp_path / "a.aasa").write_text("{")
    result = run("lint", "--app", APP, tmp_path / "a.aasa")
    assert result.returncode == 1 and f"{APP} is not in this file." in result.stdout
