"""Typed URLs and entitlements: wildcards and Unicode hosts."""

import json

import httpx
import pytest

from samples import APP, draft

FILE = json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/a"}]}]}})
UNICODE, ASCII = "www.exämple.com", "www.xn--exmple-cua.com"


def ask(waymark, urls, **fields):
    return httpx.post(f"{waymark.url}/v1/evaluations", json={"aasa": FILE, "urls": urls, **fields}, timeout=30)


def outcomes(waymark, urls, **fields):
    return [evaluation["outcome"] for evaluation in ask(waymark, urls, **fields).json()["evaluations"]]


@pytest.mark.parametrize(
    "domain", ["*.example.com", "applinks:*.example.com", "*.EXAMPLE.com?mode=developer", "*.example.com?mode=developer"]
)
def test_a_wildcard_matches_subdomains(waymark, domain):
    urls = ["https://www.example.com/a", "https://a.b.example.com/a", "https://example.org/a", "/a"]
    assert outcomes(waymark, urls, domain=domain) == ["opens", "opens", "none", "opens"]
    many = outcomes(waymark, urls * 20, domain=domain)
    assert many == ["opens", "opens", "none", "opens"] * 20


@pytest.mark.parametrize("domain", ["*.com", "*.", "*", "a.*.com", "*.*.example.com", "*.a b.com", "*.example.com:8443"])
def test_a_domain_that_no_entitlement_can_have_is_refused(waymark, domain):
    answer = ask(waymark, ["/a"], domain=domain)
    assert answer.status_code == 422
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [("/domain", "invalid_host")]


@pytest.mark.parametrize("domain", [None, UNICODE, ASCII, "*.exämple.com"])
def test_a_unicode_host_is_its_punycode_with_the_certainty_inferred(waymark, domain):
    evaluations = ask(waymark, [f"https://{UNICODE}/a", f"https://{ASCII}/a"], domain=domain).json()["evaluations"]
    assert [evaluation["outcome"] for evaluation in evaluations] == ["opens", "opens"]
    assert evaluations[0]["url"] == f"https://{UNICODE}/a"
    assert [evaluation["certainty"] for evaluation in evaluations] == ["inferred", "documented"]
    assert [evaluation["apps"][0]["certainty"] for evaluation in evaluations] == ["inferred", "documented"]
    assert "punycode" in evaluations[0]["uncertainties"][0]


def test_other_unicode_hosts_and_invalid_names_are_not_universal_links(waymark):
    urls = ["https://www.exömple.com/a", "https://💩.exämple.com/a"]
    evaluations = ask(waymark, urls, domain=UNICODE).json()["evaluations"]
    assert [evaluation["outcome"] for evaluation in evaluations] == ["none", "none"]
    assert [evaluation["url"] for evaluation in evaluations] == urls
    assert all(evaluation["reason"] for evaluation in evaluations)


def test_a_domain_can_be_addressed_in_unicode(waymark):
    host = waymark.new_domain(draft("/a"), host="exämple.waymark-tests.com")
    for count in (1, 60):
        answer = waymark.api(
            "POST",
            f"/v1/domains/{host}/evaluations",
            {"urls": ["https://u:p@EXÄMPLE.waymark-tests.com:443/a", "https://other.example/a"] * count},
        ).json()
        assert [evaluation["outcome"] for evaluation in answer["evaluations"]] == ["opens", "none"] * count


def test_saved_tests_accept_unicode_urls_in_every_format(waymark):
    host = waymark.new_domain(draft("/a", "/b", "/c", "/d"), host="prüfung.waymark-tests.com")
    path = f"/v1/domains/{host}/tests"

    def typed(end):
        return f"https://PRÜFUNG.waymark-tests.com{end}"

    expected = {"outcome": "opens", "app": APP}
    created = waymark.api("POST", path, {"url": typed("/a"), "expected": expected})
    assert created.status_code == 201, created.text
    same = waymark.api("POST", path, {"url": created.json()["url"], "expected": expected})
    assert (same.status_code, same.json()["code"]) == (409, "exists")
    changed = waymark.api("PATCH", created.headers["Location"], {"url": typed("/b")}, {"If-Match": '"1"'})
    assert changed.status_code == 200, changed.text
    suites = [
        json.dumps({"tests": [{"url": typed("/c"), "expected": expected}]}),
        f"url,expect,app\n{typed('/d')},opens,{APP}\n",
    ]
    for suite in suites:
        imported = waymark.api("POST", f"/v1/domains/{host}/test-imports", content=suite.encode())
        assert imported.status_code == 200, imported.text
    urls = [test["url"] for test in waymark.api("GET", path).json()["items"]]
    assert urls == [f"https://xn--prfung-4ya.waymark-tests.com/{end}" for end in "bcd"]
    run = waymark.api("POST", f"/v1/domains/{host}/test-runs", {}).json()
    assert (run["passed"], run["failed"]) == (3, 0)
    elsewhere = waymark.api("POST", path, {"url": "https://übung.waymark-tests.com/a", "expected": expected})
    assert [error["code"] for error in elsewhere.json()["errors"]] == ["other_host"]


def test_a_suite_on_the_command_line_accepts_unicode_urls(waymark, tmp_path):
    (tmp_path / "file.json").write_text(FILE)
    (tmp_path / "suite.csv").write_text(f"url,expect,app\nhttps://{UNICODE}/a,opens,{APP}\n")
    arguments = ["test", str(tmp_path / "file.json"), str(tmp_path / "suite.csv"), "--domain", UNICODE]
    assert waymark.cli(*arguments).returncode == 0
