"""`waymark diff`: rules, outcomes of URLs, and text."""

import json
import subprocess

import pytest

from command_line import GOOD, file, run, stricter
from samples import APP


def test_diff_names_rules_and_urls_and_is_1_when_something_changes(file, stricter):
    result = run("diff", file, stricter)
    assert (result.returncode, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert '+ /applinks/details/0/components/0  {"/":"/buy/old/*","exclude":true}' in lines
    assert lines[lines.index("~ /buy/old/x") :][1:3] == [
        f"-     opens {APP}, by /applinks/details/0/components/1",
        "+     opens in the browser: excluded, by /applinks/details/0/components/0",
    ]
    assert "\x1b" not in result.stdout


def test_diff_is_0_for_files_that_mean_the_same(file, tmp_path):
    other = tmp_path / "other"
    other.write_text(json.dumps(GOOD, indent=4).replace("/buy/*", "//buy/**"))
    assert run("diff", file, file).returncode == 0
    result = run("diff", file, other)
    assert result.returncode == 0
    assert "same meaning, written differently" in result.stdout


def test_diff_names_the_systems_and_compares_old_ones_if_a_file_has_rules_for_them(file, stricter, tmp_path):
    assert "Compared for iOS 14 and later." in run("diff", file, stricter).stdout.splitlines()
    old = tmp_path / "old"
    old.write_text(json.dumps({"applinks": {"apps": [], "details": [{"appID": APP, "paths": ["/buy/*"]}]}}))
    result = run("diff", old, file)
    assert "Compared for iOS 14 and later and for iOS 9 to 12." in result.stdout.splitlines()
    assert result.returncode == 1
    assert json.loads(run("diff", "--json", old, file).stdout)["systems"] == ["ios14", "ios9"]


def test_diff_reports_the_error_of_an_unreadable_file(file, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text('{"applinks": {},}')
    result = run("diff", file, broken)
    assert "there is a trailing comma" in result.stderr


def test_diff_answers_in_json_for_given_urls_and_systems(file, stricter, tmp_path):
    urls = tmp_path / "urls"
    urls.write_text("# tried as well\nhttps://www.example.com/buy/old/7\n\n/buy/new\n")
    answer = json.loads(run("diff", "--json", "--urls", urls, "--os", "ios13", "--os", "ios14", file, stricter).stdout)
    assert answer["urls"]["given"] == 2
    given = [(o["url"], o["os"], o["after"]["outcome"]) for o in answer["outcomes"] if o["given"]]
    assert given == [("https://www.example.com/buy/old/7", os, "excluded") for os in ("ios13", "ios14")]


def laid_out(content):
    """A file as formatted in the text difference, with its keys in canonical order."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda rules: rules.insert(0, {"/": "/first"}),
        lambda rules: rules.append({"/": "/last"}),
        lambda rules: rules.pop(20),
        lambda rules: rules.clear(),
        lambda rules: rules.__setitem__(slice(5, 6), [{"/": "/é\u2028"}, {"/": "/5", "exclude": True}]),
        lambda rules: (rules.pop(30), rules.pop(28), rules.insert(3, {"/": "/3"}), rules.insert(9, {"/": "/9"})),
        lambda rules: rules.reverse(),
    ],
)
def test_the_text_difference_is_a_patch_that_git_applies(tmp_path, change):
    before = {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": f"/a/{n}"} for n in range(40)]}]}}
    after = json.loads(json.dumps(before))
    change(after["applinks"]["details"][0]["components"])
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(before))
    new.write_text(json.dumps(after))
    compared = json.loads(run("diff", "--json", old, new).stdout)["bytes"]
    assert (compared["before"], compared["after"]) == (old.stat().st_size, new.stat().st_size)
    assert not compared["equal"] and not compared["isTruncated"]
    (tmp_path / "file").write_text(laid_out(before))
    patch = "--- a/file\n+++ b/file\n" + compared["unified"]
    subprocess.run(["git", "apply", "--unsafe-paths", "-"], cwd=tmp_path, input=patch.encode(), check=True)
    assert (tmp_path / "file").read_text() == laid_out(after)
    shown = run("diff", "--text", old, new).stdout
    assert f"{compared['before']} bytes before, {compared['after']} after; the bytes differ." in shown.splitlines()
    assert "@@ -" in shown and "@@ -" not in run("diff", old, new).stdout


def test_files_with_the_same_meaning_in_other_bytes_have_no_text_difference(file, tmp_path):
    other = tmp_path / "other"
    other.write_text(json.dumps(GOOD, indent=4))
    same = json.loads(run("diff", "--json", file, file).stdout)["bytes"]
    assert (same["equal"], same["unified"]) == (True, "")
    compared = json.loads(run("diff", "--json", file, other).stdout)["bytes"]
    assert (compared["equal"], compared["unified"], compared["isTruncated"]) == (False, "", False)


def test_the_text_difference_is_cut_at_64_kib(tmp_path):
    empty, large = tmp_path / "empty", tmp_path / "large"
    empty.write_text("{}")
    rules = [{"/": f"/a/{number}"} for number in range(5_000)]
    large.write_text(json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": rules}]}}))
    compared = json.loads(run("diff", "--json", empty, large).stdout)["bytes"]
    assert compared["isTruncated"] and 65_000 < len(compared["unified"]) <= 65_536
    assert compared["unified"].endswith("\n")
    assert run("diff", "--text", empty, large).stdout.endswith("The difference is too large and was cut.\n")


def test_diff_reads_only_one_file_from_standard_input(file):
    assert run("diff", "-", file, input=json.dumps(GOOD)).returncode == 0
    assert run("diff", "-", "-", input="").returncode == 2
    assert run("diff", file, "-", input="{").returncode == 3
    assert run("diff", file, "/nowhere").returncode == 3


@pytest.mark.parametrize(
    "lines, place",
    [
        (["/buy/1", "buy/2"], 2),
        (["# a note", "", "htps://www.example.com/buy/1"], 3),
        (["https://localhost/buy/1"], 1),
        (["/buy/1", "https://www.example.com/a b", "https://www example.com/"], 3),
    ],
)
def test_diff_names_the_line_that_is_not_a_url(file, stricter, tmp_path, lines, place):
    urls = tmp_path / "urls"
    urls.write_text("\n".join(lines))
    result = run("diff", "--urls", urls, file, stricter)
    assert (result.returncode, result.stdout) == (3, "")
    assert f"{urls}:{place}: {lines[place - 1]} " in result.stderr and result.stderr.count(str(urls)) == 1


def test_diff_ignores_white_space_around_urls(file, stricter, tmp_path):
    urls = tmp_path / "urls"
    urls.write_bytes(b"  # tried\r\n \t/buy/old/7 \r\n\t\r\n/buy/new\t")
    answer = json.loads(run("diff", "--json", "--urls", urls, file, stricter).stdout)
    assert answer["urls"]["given"] == 2
    assert [outcome["url"] for outcome in answer["outcomes"] if outcome["given"]] == ["/buy/old/7"]


def test_diff_uses_all_urls_of_a_list_or_explains_why_not(file, stricter, tmp_path):
    urls = tmp_path / "urls"
    urls.write_text("".join(f"/buy/{number}\n" for number in range(10_000)))
    answer = json.loads(run("diff", "--json", "--urls", urls, file, stricter).stdout)
    assert (answer["urls"]["given"], answer["isTruncated"]) == (10_000, False)
    urls.write_text(urls.read_text() + "/buy/more\n")
    result = run("diff", "--urls", urls, file, stricter)
    assert (result.returncode, result.stdout) == (3, "")
    assert str(urls) in result.stderr and "10001 URLs" in result.stderr and "10000" in result.stderr
