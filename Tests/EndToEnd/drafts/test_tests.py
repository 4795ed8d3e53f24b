"""Saved tests: in the API, in the gate, and on the command line."""

import csv
import io
import json

import pytest

from installation import REPOSITORY
from samples import APP, OTHER_APP, draft

OPENS = {"outcome": "opens", "app": APP}
EXCLUDED = {"outcome": "excluded"}
NONE = {"outcome": "none"}

RULES = [{"path": "/help/website/*", "exclude": True}, {"path": "/help/*"}, {"path": "/buy/*"}]
DRAFT = {"entries": [{"apps": [APP], "rules": RULES}]}


@pytest.fixture
def host(waymark):
    return waymark.new_domain(DRAFT)


def save(waymark, host, url, expected, **fields):
    answer = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": url, "expected": expected, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def run(waymark, host, **question):
    answer = waymark.api("POST", f"/v1/domains/{host}/test-runs", question)
    assert answer.status_code == 200, answer.text
    return answer.json()


def imported(waymark, host, body, query="", content_type="text/csv"):
    return waymark.api(
        "POST", f"/v1/domains/{host}/test-imports{query}", content=body, headers={"Content-Type": content_type}
    )


def urls(waymark, host):
    return [test["url"] for test in waymark.api("GET", f"/v1/domains/{host}/tests").json()["items"]]


def test_a_test_is_saved_changed_and_deleted_without_lost_updates(waymark, host):
    created = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/buy/1", "expected": OPENS})
    test = created.json()
    path = created.headers["Location"]
    assert (created.headers["ETag"], path) == ('"1"', f"/v1/domains/{host}/tests/{test['id']}")
    assert (test["revision"], test["expected"], test["os"], test["note"]) == (1, OPENS, None, "")
    assert waymark.api("GET", path).json() == test
    assert waymark.api("GET", path, headers={"If-None-Match": '"1"'}).status_code == 304

    assert waymark.api("PATCH", path, {"note": "n"}).json()["code"] == "precondition_required"
    changed = waymark.api("PATCH", path, {"expected": NONE, "os": "ios13"}, {"If-Match": '"1"'})
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    assert (changed.json()["expected"], changed.json()["os"], changed.json()["url"]) == (NONE, "ios13", "/buy/1")
    stale = waymark.api("PATCH", path, {"note": "n"}, {"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["revision"], stale.headers["ETag"]) == (412, 2, '"2"')
    assert waymark.api("DELETE", path, headers={"If-Match": '"1"'}).status_code == 412
    assert waymark.api("DELETE", path).status_code == 428
    assert waymark.api("DELETE", path, headers={"If-Match": '"2"'}).status_code == 204
    assert waymark.api("GET", path).status_code == 404


def test_a_draft_does_not_contain_its_domains_tests(waymark, host):
    before = waymark.api("GET", f"/v1/domains/{host}/draft").json()
    save(waymark, host, "/buy/1", OPENS)
    assert waymark.api("GET", f"/v1/domains/{host}/draft").json() == before


def test_every_fault_of_a_test_is_reported_with_its_pointer(waymark, host):
    body = {"url": "https://elsewhere.example/", "expected": {"outcome": "opens"}, "os": "ios8", "odd": 1}
    answer = waymark.api("POST", f"/v1/domains/{host}/tests", body)
    assert answer.status_code == 422
    assert {(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]} == {
        ("/url", "other_host"),
        ("/expected/app", "required"),
        ("/os", "invalid_choice"),
        ("/odd", "unknown_key"),
    }
    save(waymark, host, f"https://{host.upper()}/buy/1", OPENS)
    save(waymark, host, "/buy/1", OPENS)
    again = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/buy/1", "expected": NONE})
    assert (again.status_code, again.json()["code"]) == (409, "exists")


def test_tests_are_listed_page_by_page(waymark, host):
    for number in range(5):
        save(waymark, host, f"/{number}", NONE)
    found, query = [], "?limit=2"
    for more in (True, True, False):
        page = waymark.api("GET", f"/v1/domains/{host}/tests{query}").json()
        found += [test["url"] for test in page["items"]]
        assert (page["next"] is not None) == more
        query = f"?limit=2&cursor={page['next']}"
    assert found == [f"/{number}" for number in range(5)]


def test_a_run_shows_the_expected_and_actual_outcomes_and_the_deciding_rules(waymark, host):
    first = save(waymark, host, "/buy/1", OPENS)
    save(waymark, host, "/help/website/a", OPENS, note="wrong")
    save(waymark, host, "/other", NONE)
    rules = waymark.api("GET", f"/v1/domains/{host}/rules").json()["items"]
    found = run(waymark, host)
    assert (found["source"], found["os"]) == ("draft", "ios14")
    assert (found["total"], found["passed"], found["failed"]) == (3, 2, 1)
    assert found["results"][0] == {
        "id": first["id"],
        "url": "/buy/1",
        "expected": OPENS,
        "os": "ios14",
        "actual": OPENS,
        "passed": True,
        "decidedBy": "/applinks/details/0/components/2",
        "reason": None,
        "rule": rules[2]["id"],
    }
    wrong = found["results"][1]
    assert (wrong["passed"], wrong["actual"], wrong["rule"]) == (False, EXCLUDED, rules[0]["id"])
    assert (found["results"][2]["decidedBy"], found["results"][2]["rule"]) == (None, None)


def test_a_run_uses_the_draft_the_live_file_or_a_version_and_a_system(waymark, host):
    save(waymark, host, "/buy/1", OPENS)
    nothing = waymark.api("POST", f"/v1/domains/{host}/test-runs", {"source": "live"})
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothing_live")
    waymark.publish(host)
    waymark.put_draft(host, draft("/other"))
    assert run(waymark, host, source="draft")["failed"] == 1
    assert run(waymark, host, source="live")["failed"] == 0
    version = run(waymark, host, source=1)
    assert (version["source"], version["failed"]) == (1, 0)
    assert "rule" not in version["results"][0]
    assert waymark.api("POST", f"/v1/domains/{host}/test-runs", {"source": 2}).status_code == 404
    old = run(waymark, host, source="live", os="ios9")
    assert (old["os"], old["results"][0]["os"], old["failed"]) == ("ios9", "ios9", 1)
    assert "rejects the whole file" in old["results"][0]["reason"]


def test_the_gate_refuses_a_failing_test_and_the_report_names_it(waymark, host):
    save(waymark, host, "/buy/1", OPENS)
    failing = save(waymark, host, "/help/website/a", OPENS)
    for path in ("versions", "publications"):
        answer = waymark.api("POST", f"/v1/domains/{host}/{path}", {})
        assert (answer.status_code, answer.json()["code"]) == (422, "gate_refused"), answer.text
        report = answer.json()["report"]
        assert {check["name"] for check in report["checks"] if check["outcome"] == "failed"} == {"tests"}
        assert (report["tests"]["total"], report["tests"]["failed"]) == (2, 1)
        failure = report["tests"]["failures"][0]
        assert (failure["id"], failure["url"]) == (failing["id"], "/help/website/a")
        assert (failure["expected"], failure["actual"]) == (OPENS, EXCLUDED)
    assert waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"] == []

    path = f"/v1/domains/{host}/tests/{failing['id']}"
    assert waymark.api("PATCH", path, {"expected": EXCLUDED}, {"If-Match": "*"}).status_code == 200
    assert waymark.publish(host)["version"] == 1


def test_a_version_keeps_its_test_results_when_the_tests_change(waymark, host):
    test = save(waymark, host, "/buy/1", OPENS)
    waymark.publish(host)
    assert waymark.api("DELETE", f"/v1/domains/{host}/tests/{test['id']}", headers={"If-Match": "*"}).status_code == 204
    version = waymark.api("GET", f"/v1/domains/{host}/versions/1").json()
    assert version["report"]["tests"] == {"total": 1, "passed": 1, "failed": 0, "failures": []}
    assert [(result["id"], result["passed"]) for result in version["testResults"]] == [(test["id"], True)]
    listed = waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"][0]
    assert "testResults" not in listed
    assert {**listed, "testResults": version["testResults"]} == version


def test_later_tests_do_not_block_a_rollback(waymark, host):
    waymark.publish(host)
    waymark.put_draft(host, draft("/help/*", "/new/*"))
    waymark.publish(host)
    save(waymark, host, "/new/1", OPENS)
    back = waymark.publish(host, version=1)
    assert (back["version"], back["state"]) == (1, "live")
    check = next(check for check in back["report"]["checks"] if check["name"] == "tests")
    assert check["outcome"] == "informative"
    assert back["report"]["tests"]["failures"][0]["actual"] == NONE


def test_an_exported_suite_can_be_imported(waymark, host):
    notes = ["", 'say "hi", twice', "two\nlines", "=1+1", "'=1", "-1", "é🙂"]
    for number, note in enumerate(notes):
        expected, os = OPENS if number % 2 else NONE, "ios13" if number == 3 else None
        save(waymark, host, f"/{number},x", expected, note=note, os=os)
    for form, kind in [("csv", "text/csv"), ("json", "application/json")]:
        answer = waymark.api("GET", f"/v1/domains/{host}/tests?format={form}")
        assert answer.headers["Content-Type"].startswith(kind)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{host}.tests.{form}"'
        again = imported(waymark, host, answer.content, "?replace=true", kind)
        assert again.json() == {"added": 0, "changed": 0, "removed": 0, "unchanged": len(notes), "total": len(notes)}
        other = waymark.new_domain(DRAFT)
        assert imported(waymark, other, answer.content, content_type=kind).json()["added"] == len(notes)
        saved = waymark.api("GET", f"/v1/domains/{other}/tests").json()["items"]
        assert [test["note"] for test in saved] == notes
    rows = list(csv.reader(io.StringIO(waymark.api("GET", f"/v1/domains/{host}/tests?format=csv").text, newline="")))
    assert rows[0] == ["url", "expect", "app", "note", "os"]
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r")]
    assert waymark.api("GET", f"/v1/domains/{host}/tests?format=xml").status_code == 422


def test_an_import_adds_and_changes_tests_and_deletes_only_with_replace(waymark, host):
    assert imported(waymark, host, "url,expect\n/1,none\n/2,none\n").json()["added"] == 2
    merged = imported(waymark, host, "url,expect\n/2,excluded\n/3,none\n").json()
    assert merged == {"added": 1, "changed": 1, "removed": 0, "unchanged": 0, "total": 3}
    assert urls(waymark, host) == ["/1", "/2", "/3"]
    body = json.dumps({"tests": [{"url": "/3", "expected": NONE}]})
    replaced = imported(waymark, host, body, "?replace=true", "application/json").json()
    assert replaced == {"added": 0, "changed": 0, "removed": 2, "unchanged": 1, "total": 1}
    assert urls(waymark, host) == ["/3"]


def test_a_faulty_suite_is_not_imported_and_every_fault_is_reported_with_its_line(waymark, host):
    save(waymark, host, "/own", NONE)
    body = f"url,expect,app\n/1,none,\nhttps://elsewhere.example/,none,\n/2,opens,\n/3,perhaps,{OTHER_APP}\n/1,none,\n"
    answer = imported(waymark, host, body, "?replace=true")
    assert answer.status_code == 422
    assert [(fault["line"], fault["pointer"], fault["code"]) for fault in answer.json()["errors"]] == [
        (3, "/tests/1/url", "other_host"),
        (4, "/tests/2/expected/app", "required"),
        (5, "/tests/3/expected/outcome", "invalid_choice"),
    ]
    test = '{"url": "/1", "expected": {"outcome": "none"}}'
    body = f'{{"tests": [\n{test},\n{test}]}}'
    answer = imported(waymark, host, body, content_type="application/json")
    assert [(fault["line"], fault["code"]) for fault in answer.json()["errors"]] == [(3, "repeated")]
    assert urls(waymark, host) == ["/own"]


def test_a_domain_has_at_most_a_thousand_tests(waymark, host):
    suite = "url,expect\n" + "".join(f"/{number},none\n" for number in range(1000))
    assert imported(waymark, host, suite).json()["total"] == 1000
    answer = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/more", "expected": NONE})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "too_many")
    answer = imported(waymark, host, "url,expect\n/more,none\n")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "too_many")
    answer = imported(waymark, host, suite + "/more,none\n", "?replace=true")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "too_many")
    found = run(waymark, host)
    assert (found["total"], found["passed"]) == (1000, 1000)
    assert waymark.publish(host)["report"]["tests"]["passed"] == 1000


def test_an_alias_has_the_tests_of_its_target(waymark, host):
    alias = waymark.new_domain(aliasOf=host)
    for method, path, body in [
        ("GET", "tests", None),
        ("POST", "tests", {"url": "/", "expected": NONE}),
        ("POST", "test-imports", {"tests": []}),
        ("POST", "test-runs", {}),
    ]:
        answer = waymark.api(method, f"/v1/domains/{alias}/{path}", body)
        assert (answer.status_code, answer.json()["aliasOf"]) == (409, host), path


# The command line

TOUR = REPOSITORY / "docs/tour/apple-app-site-association"


def test_the_command_line_runs_a_suite_without_a_server(waymark, tmp_path):
    suite = tmp_path / "suite.csv"
    suite.write_text(f"url,expect,app\n/buy/1,opens,{APP}\nhttps://any.example/other,none,\n")
    good = waymark.cli("test", TOUR, suite)
    assert good.stdout.splitlines()[-1] == "2 tests: 2 passed, 0 failed"
    suite.write_text(f"url,expect,app\n/buy/1,opens,{OTHER_APP}\n/other,excluded,\n")
    bad = waymark.cli("test", TOUR, suite, check=False)
    assert bad.returncode == 1
    verdict = f"expected: opens {OTHER_APP}; is: opens {APP} by /applinks/details/0/components/0"
    assert f"FAIL  /buy/1  {verdict}" in bad.stdout
    assert bad.stdout.splitlines()[-1] == "2 tests: 0 passed, 2 failed"


def test_the_command_line_prints_json_and_accepts_exports_of_the_api(waymark, host, tmp_path):
    save(waymark, host, f"https://{host}/buy/1", OPENS)
    file = tmp_path / "file"
    file.write_bytes(waymark.api("GET", f"/v1/domains/{host}/draft/file").content)
    for form in ("csv", "json"):
        suite = waymark.api("GET", f"/v1/domains/{host}/tests?format={form}").text
        result = json.loads(waymark.cli("test", "--json", "--domain", host, file, "-", input=suite).stdout)
        assert (result["total"], result["passed"], result["failed"]) == (1, 1, 0)
        assert result["results"][0]["actual"] == OPENS
        elsewhere = waymark.cli("test", "--domain", "www.example.com", file, "-", input=suite, check=False)
        assert elsewhere.returncode == 1
        assert "The entitlement does not cover" in elsewhere.stdout
        old = waymark.cli("test", "--os", "ios9", file, "-", input=suite, check=False)
        assert (old.returncode, "rejects the whole file" in old.stdout) == (1, True)


def test_the_command_line_distinguishes_failed_tests_from_unreadable_files(waymark, tmp_path):
    suite = tmp_path / "suite.csv"
    suite.write_text("url,expect\n/a,none\n/b,perhaps\n/c\n")
    faulty = waymark.cli("test", TOUR, suite, check=False)
    assert faulty.returncode == 3
    assert f"{suite}:3: /tests/1/expected/outcome: must be one of" in faulty.stderr
    assert f"{suite}:4: /tests/2: has 1 fields" in faulty.stderr
    suite.write_text("url,expect\n/a,none\n")
    assert waymark.cli("test", tmp_path / "absent", suite, check=False).returncode == 3
    assert waymark.cli("test", suite, suite, check=False).returncode == 3
    assert waymark.cli("test", TOUR, check=False).returncode == 2
    assert waymark.cli("test", "-", "-", check=False).returncode == 2
