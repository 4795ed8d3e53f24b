"""The draft, as a whole and rule by rule: edits are safe, and imports lose nothing."""

import json

import httpx
import pytest

from samples import APP, OTHER_APP, apple_draft, draft


@pytest.fixture
def host(waymark):
    return waymark.new_domain(apple_draft())


def revision(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/draft").json()["revision"]


def rules(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/rules").json()["items"]


def test_the_etag_of_everything_under_a_draft_is_its_revision(waymark, host):
    rule = rules(waymark, host)[0]["id"]
    for path in ["draft", "draft/file", "draft/findings", "rules", f"rules/{rule}"]:
        answer = waymark.api("GET", f"/v1/domains/{host}/{path}")
        assert (answer.status_code, answer.headers["ETag"]) == (200, '"2"'), path
    for path in ["draft", "draft/file", "rules", f"rules/{rule}"]:
        for known in ['"2"', 'W/"2"', '"1", "2"', "*"]:
            answer = waymark.api("GET", f"/v1/domains/{host}/{path}", headers={"If-None-Match": known})
            assert (answer.status_code, answer.content) == (304, b""), path
        assert waymark.api("GET", f"/v1/domains/{host}/{path}", headers={"If-None-Match": '"1"'}).status_code == 200


def test_a_change_requires_the_revision_that_it_changes(waymark, host):
    rule = rules(waymark, host)[0]["id"]
    changes = [
        ("PUT", "draft", draft("/other")),
        ("POST", "rules", {"path": "/new"}),
        ("PATCH", f"rules/{rule}", {"path": "/new"}),
        ("DELETE", f"rules/{rule}", None),
        ("POST", "import", {"applinks": {}}),
        ("POST", "draft/resets", {"version": 1}),
    ]
    for method, path, body in changes:
        without = waymark.api(method, f"/v1/domains/{host}/{path}", body)
        assert (without.status_code, without.json()["code"]) == (428, "precondition_required"), path
        for malformed in ['W/"2"', "2", '"2", "3"']:
            answer = waymark.api(method, f"/v1/domains/{host}/{path}", body, {"If-Match": malformed})
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_if_match"), (path, malformed)
        for stale in ['"1"', '"3"', '"x"']:
            answer = waymark.api(method, f"/v1/domains/{host}/{path}", body, {"If-Match": stale})
            assert (answer.status_code, answer.json()["code"]) == (412, "revision_moved"), (path, stale)
            assert (answer.json()["revision"], answer.headers["ETag"]) == (2, '"2"')
    assert revision(waymark, host) == 2
    assert len(rules(waymark, host)) == 4


def test_two_editors_of_one_revision_do_not_overwrite_each_other(waymark, host):
    first = waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/first"}, {"If-Match": '"2"'})
    second = waymark.api("PUT", f"/v1/domains/{host}/draft", draft("/second"), {"If-Match": '"2"'})
    assert (first.status_code, first.headers["ETag"], second.status_code) == (201, '"3"', 412)
    assert "/first" in [rule.get("path") for rule in rules(waymark, host)]


def test_sending_an_answer_back_changes_only_the_revision(waymark, host):
    before = waymark.api("GET", f"/v1/domains/{host}/draft")
    file = waymark.api("GET", f"/v1/domains/{host}/draft/file").content
    after = waymark.api("PUT", f"/v1/domains/{host}/draft", before.json(), {"If-Match": before.headers["ETag"]})
    assert after.status_code == 200, after.text
    same = {key: value for key, value in before.json().items() if key not in ("revision", "updatedAt")}
    assert same.items() <= after.json().items()
    assert after.json()["revision"] == 3
    assert waymark.api("GET", f"/v1/domains/{host}/draft/file").content == file


def test_rules_are_added_changed_moved_and_deleted_by_position_and_entry(waymark):
    two = draft("/a", "/b", "/c")
    two["entries"].append({"id": "second", "apps": [OTHER_APP], "rules": []})
    host = waymark.new_domain(two)

    def change(method, path, body=None):
        answer = waymark.api(method, f"/v1/domains/{host}/{path}", body, {"If-Match": f'"{revision(waymark, host)}"'})
        assert answer.status_code < 300, answer.text
        assert answer.headers["ETag"] == f'"{revision(waymark, host)}"'
        return answer

    def order():
        return [(rule["path"], rule["position"]) for rule in rules(waymark, host)]

    first = rules(waymark, host)[0]["entry"]
    made = change("POST", "rules", {"path": "/d", "entry": first, "position": 1, "comment": "new"})
    assert made.headers["Location"] == f"/v1/domains/{host}/rules/{made.json()['id']}"
    assert waymark.api("GET", made.headers["Location"]).json() == made.json()
    assert order() == [("/a", 0), ("/d", 1), ("/b", 2), ("/c", 3)]

    rule = f"rules/{made.json()['id']}"
    assert change("PATCH", rule, {"position": 3}).json()["position"] == 3
    assert order() == [("/a", 0), ("/b", 1), ("/c", 2), ("/d", 3)]
    assert change("PATCH", rule, {"position": 0, "exclude": True, "comment": None}).json() == {
        "id": made.json()["id"],
        "path": "/d",
        "exclude": True,
        "entry": first,
        "position": 0,
    }
    assert change("PATCH", rule, {"entry": "second"}).json()["entry"] == "second"
    assert order() == [("/a", 0), ("/b", 1), ("/c", 2), ("/d", 0)]
    assert change("DELETE", rule).status_code == 204
    assert order() == [("/a", 0), ("/b", 1), ("/c", 2)]
    assert waymark.api("GET", f"/v1/domains/{host}/{rule}").status_code == 404


def test_a_rule_is_placed_as_requested_or_the_request_is_refused(waymark):
    two = draft("/a")
    two["entries"].append({"id": "second", "apps": [OTHER_APP], "rules": None})
    host = waymark.new_domain(two)
    first = rules(waymark, host)[0]
    for method, path, body, pointer in [
        ("POST", "rules", {"path": "/b"}, "/entry"),
        ("POST", "rules", {"path": "/b", "entry": "nobody"}, "/entry"),
        ("POST", "rules", {"path": "/b", "entry": first["entry"], "position": 2}, "/position"),
        ("POST", "rules", {"path": "/b", "entry": first["entry"], "position": -1}, "/position"),
        ("POST", "rules", {"path": "/b", "entry": first["entry"], "id": first["id"]}, "/id"),
        ("PATCH", f"rules/{first['id']}", {"position": 1}, "/position"),
        ("PATCH", f"rules/{first['id']}", {"entry": "nobody"}, "/entry"),
        ("PATCH", f"rules/{first['id']}", {"position": None}, "/position"),
    ]:
        refused = waymark.api(method, f"/v1/domains/{host}/{path}", body, {"If-Match": '"2"'})
        assert refused.status_code == 422, (body, refused.text)
        assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer], body
    absent = waymark.api("PATCH", f"/v1/domains/{host}/rules/nobody", {"path": "/b"}, {"If-Match": '"2"'})
    assert absent.status_code == 404
    assert revision(waymark, host) == 2


def test_every_fault_of_a_draft_is_reported_with_its_position(waymark, host):
    wrong = {
        "entries": [
            {"apps": "x", "rules": [{"path": 1}, {"query": [], "extra": True}]},
            {"id": "a b", "apps": [""], "extras": {"appIDs": []}},
        ],
        "compatibility": "ios8",
        "publishComments": "yes",
        "services": {"applinks": []},
        "extras": {"applinks": {"details": []}},
        "odd": 1,
    }
    refused = waymark.api("PUT", f"/v1/domains/{host}/draft", wrong, {"If-Match": "*"})
    assert refused.status_code == 422
    assert {fault["pointer"] for fault in refused.json()["errors"]} == {
        "/entries/0/apps",
        "/entries/0/rules/0/path",
        "/entries/0/rules/1/query",
        "/entries/0/rules/1/extra",
        "/entries/1/id",
        "/entries/1/apps/0",
        "/entries/1/rules",
        "/entries/1/extras",
        "/compatibility",
        "/publishComments",
        "/services/applinks",
        "/extras",
        "/odd",
    }


def test_null_rules_and_empty_rules_differ(waymark):
    for given, outcome in [(None, "opens"), ([], "none")]:
        host = waymark.new_domain({"entries": [{"apps": [APP], "rules": given}]})
        assert waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"] == given
        answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": [f"https://{host}/x"]}).json()
        assert answer["evaluations"][0]["outcome"] == outcome


def test_keys_that_waymark_does_not_know_are_kept_for_the_file(waymark):
    rule = {"path": "/x", "extras": {"futureRuleKey": [1.5, {"deep": None}]}}
    given = {
        "entries": [{"apps": [APP], "rules": [rule], "extras": {"futureEntryKey": "e"}}],
        "extras": {"futureRootKey": {"a": True}, "applinks": {"futureApplinksKey": 12345678901234567890}},
    }
    host = waymark.new_domain()
    text = json.dumps(given).replace("1.5,", "1.50,")
    waymark.api("PUT", f"/v1/domains/{host}/draft", content=text, headers={"If-Match": "*"})
    stored = waymark.api("GET", f"/v1/domains/{host}/draft")
    assert "1.50" in stored.text and "12345678901234567890" in stored.text
    file = waymark.api("GET", f"/v1/domains/{host}/draft/file").json()
    assert file["futureRootKey"] == {"a": True}
    assert file["applinks"]["futureApplinksKey"] == 12345678901234567890
    [entry] = file["applinks"]["details"]
    assert entry["futureEntryKey"] == "e"
    assert entry["components"][0]["futureRuleKey"] == [1.5, {"deep": None}]
    findings = waymark.api("GET", f"/v1/domains/{host}/draft/findings").json()["findings"]
    assert [f["severity"] for f in findings if f["pointer"] == "/futureRootKey"] == ["notice"]


def test_comments_are_in_the_file_only_if_the_draft_publishes_them(waymark):
    given = {"entries": [{"apps": [APP], "rules": [{"path": "/secret-launch", "comment": "not before May"}]}]}
    host = waymark.new_domain(given)
    assert "not before May" not in waymark.api("GET", f"/v1/domains/{host}/draft/file").text
    waymark.put_draft(host, given | {"publishComments": True})
    assert "not before May" in waymark.api("GET", f"/v1/domains/{host}/draft/file").text


def test_the_file_is_the_same_bytes_for_the_same_draft(waymark):
    files = set()
    for _ in range(3):
        host = waymark.new_domain(apple_draft() | {"substitutionVariables": {"b": ["1"], "a": ["2"], "c": ["3"]}})
        files.add(waymark.api("GET", f"/v1/domains/{host}/draft/file").content)
    assert len(files) == 1


def test_an_import_keeps_the_ids_and_comments_of_known_rules(waymark):
    host = waymark.new_domain(draft("/a", "/b"))
    path = f"/v1/domains/{host}"
    first, second = waymark.api("GET", f"{path}/draft").json()["entries"][0]["rules"]
    waymark.api("PATCH", f"{path}/rules/{first['id']}", {"comment": "why"}, {"If-Match": "*"})
    file = waymark.api("GET", f"{path}/draft/file").json()
    file["applinks"]["details"][0]["components"] = [{"/": "/new"}, {"/": "/b"}, {"/": "/a"}]
    answer = waymark.api("POST", f"{path}/import", file, {"If-Match": "*"})
    new, *known = answer.json()["draft"]["entries"][0]["rules"]
    assert known == [second, {**first, "comment": "why"}]
    assert new["id"] not in (first["id"], second["id"])


def test_an_import_reports_everything_that_it_changed_or_dropped(waymark):
    host = waymark.new_domain()
    file = {
        "applinks": {
            "apps": [],
            # iOS 9 to 12 reject this file, because its second entry has no appID.
            "details": [
                {"appID": APP, "paths": ["NOT /private/*", "/*"]},
                {"appIDs": [OTHER_APP], "components": [{"/": "/c", "comment": "why", "new": 1}], "paths": ["/old"]},
            ],
        },
        "webcredentials": {"apps": [APP]},
        "odd": 7,
    }
    answer = waymark.api("POST", f"/v1/domains/{host}/import", file, {"If-Match": '"1"'})
    assert answer.status_code == 200, answer.text
    items = {(item["pointer"], item["action"]) for item in answer.json()["report"]["items"]}
    assert {
        ("/applinks/apps", "dropped"),
        ("/applinks/details/0/appID", "changed"),
        ("/applinks/details/0/paths", "changed"),
        ("/applinks/details/1/paths", "dropped"),
        ("/applinks/details/1/components/0/new", "kept"),
        ("/odd", "kept"),
    } <= items
    stored = answer.json()["draft"]
    assert [rule.get("exclude") for rule in stored["entries"][0]["rules"]] == [True, None]
    assert stored["entries"][1]["rules"][0]["comment"] == "why"
    assert stored["services"] == {"webcredentials": [APP]}
    assert stored["extras"] == {"odd": 7}
    assert set(answer.json()["report"]["unregisteredApps"]) == {APP, OTHER_APP}
    assert answer.json()["report"]["registeredApps"] == []


def test_an_import_keeps_what_the_file_serves_to_ios_9_to_12(waymark):
    host = waymark.new_domain()
    entry = {"appID": APP, "paths": ["NOT /private/*", "/shop/*"]}
    file = {"applinks": {"apps": [], "details": [entry]}}
    answer = waymark.api("POST", f"/v1/domains/{host}/import", file, {"If-Match": "*"})
    assert answer.json()["draft"]["compatibility"] == "ios9"
    made = waymark.api("GET", f"/v1/domains/{host}/draft/file").json()["applinks"]
    assert (made["apps"], made["details"][0]["appID"]) == ([], APP)
    assert made["details"][0]["paths"] == ["NOT /private/*", "NOT /private", "/shop/*", "/shop"]

    disagreeing = entry | {"appIDs": [APP], "components": [{"/": "/help/*"}]}
    file = {"applinks": {"apps": [], "details": [disagreeing]}}
    items = waymark.api("POST", f"/v1/domains/{host}/import", file, {"If-Match": "*"}).json()["report"]["items"]
    assert [(item["pointer"], item["action"]) for item in items] == [("/applinks/details/0/paths", "changed")]
    assert "on iOS 9 to 12" in items[0]["detail"] and APP in items[0]["detail"]


@pytest.mark.parametrize(
    "file, pointer, code",
    [
        ({"applinks": {"details": [{"appIDs": [APP], "components": ["/a"]}]}}, "/applinks/details/0/components/0", "WM010"),
        ({"webcredentials": {"apps": [5]}}, "/webcredentials/apps/0", "WM010"),
        ({"applinks": {"details": [{"appIDs": [5, APP], "components": [{"/": "/a"}]}]}}, "/applinks/details/0/appIDs/0", "WM010"),
    ],
)
def test_an_import_hides_no_error_and_reports_new_ones(waymark, file, pointer, code):
    host = waymark.new_domain()
    items = waymark.api("POST", f"/v1/domains/{host}/import", file, {"If-Match": "*"}).json()["report"]["items"]
    problems = {item["pointer"]: item["detail"] for item in items if item["action"] == "problem"}
    assert f"{code}: " in problems[pointer]


def test_an_import_of_empty_details_makes_no_error_of_the_notice(waymark):
    host = waymark.new_domain()
    answer = waymark.api("POST", f"/v1/domains/{host}/import", {"applinks": {"details": []}}, {"If-Match": "*"})
    assert "problem" not in [item["action"] for item in answer.json()["report"]["items"]]
    findings = waymark.api("GET", f"/v1/domains/{host}/draft/findings").json()["findings"]
    assert [(finding["code"], finding["severity"]) for finding in findings] == [("WM037", "notice")]


@pytest.mark.parametrize(
    "file, words",
    [
        (b'{"applinks": {},}', "there is a trailing comma"),
        (b"MIME-Version: 1.0\n\n{}", "a signed email message (S/MIME)"),
        ("{}".encode("utf-16"), "The file is encoded in UTF-16"),
    ],
)
def test_an_unreadable_file_is_reported_with_the_text_of_lint(waymark, file, words):
    host = waymark.new_domain()
    refused = waymark.api("POST", f"/v1/domains/{host}/import", content=file, headers={"If-Match": "*"})
    assert refused.status_code == 422 and words in refused.json()["detail"]


def test_an_import_registers_apps_and_teams_on_request(waymark):
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(token=token)
    apps = ["NEWTEAM001.com.one", "NEWTEAM001.com.two", "malformed"]
    file = {"applinks": {"details": [{"appIDs": apps, "components": [{"/": "/x"}]}]}}
    answer = waymark.api("POST", f"/v1/domains/{host}/import?register=true", file, {"If-Match": "*"}, token=token)
    report = answer.json()["report"]
    assert (report["registeredApps"], report["unregisteredApps"]) == (apps[:2], ["malformed"])
    assert waymark.api("GET", "/v1/teams/NEWTEAM001", token=token).status_code == 200
    domain = waymark.api("GET", f"/v1/domains/{host}", token=token).json()
    names = [(app["appID"], app["name"]) for app in domain["draft"]["apps"]]
    assert names == [(apps[0], "com.one"), (apps[1], "com.two"), ("malformed", None)]
    file["applinks"]["details"][0]["appIDs"].append("z")
    again = waymark.api("POST", f"/v1/domains/{host}/import?register=true", file, {"If-Match": "*"}, token=token)
    assert again.json()["report"]["registeredApps"] == []
    (listed,) = waymark.api("GET", "/v1/domains", token=token).json()["items"]
    assert (len(listed["draft"]["apps"]), listed["draft"]["appCount"]) == (3, 4)


@pytest.mark.parametrize(
    "file, line, column",
    [(b"{", 1, 2), (b'{\n "applinks": {},\n}', 3, 1), (b"[]", None, None), (b"", 1, 1), (b"<html>", 1, 1)],
)
def test_an_unreadable_file_is_not_imported_and_the_position_is_reported(waymark, file, line, column):
    host = waymark.new_domain(apple_draft())
    refused = waymark.api("POST", f"/v1/domains/{host}/import", content=file, headers={"If-Match": "*"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_association"), refused.text
    if line is not None:
        assert (refused.json()["line"], refused.json()["column"]) == (line, column)
    assert revision(waymark, host) == 2


def test_findings_report_faults_that_make_the_file_useless(waymark):
    wrong = {
        "entries": [{"apps": ["short.id"], "rules": [{"path": "*"}, {"path": "/never"}, {"path": "/$(nobody)/x"}]}]
    }
    host = waymark.new_domain(wrong)
    report = waymark.api("GET", f"/v1/domains/{host}/draft/findings").json()
    found = {(finding["code"], finding["pointer"]) for finding in report["findings"]}
    assert {
        ("WM011", "/applinks/details/0/appIDs/0"),
        ("WM020", "/applinks/details/0/components/1"),
        ("WM021", "/applinks/details/0/components/2/~1"),
    } <= found
    for finding in report["findings"]:
        assert finding["message"] and finding["remedy"]
    file = waymark.api("GET", f"/v1/domains/{host}/draft/file").content
    assert (report["size"], report["limit"]) == (len(file), 131_072)


def test_an_evaluation_uses_the_draft_the_live_file_or_a_version(waymark):
    host = waymark.new_domain(draft("/one"))
    question = {"urls": [f"https://{host}/one", f"https://{host}/two"]}

    def outcomes(**fields):
        answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", question | fields)
        return (
            [e["outcome"] for e in answer.json()["evaluations"]] if answer.status_code == 200 else answer.json()["code"]
        )

    assert outcomes(source="live") == "nothing_live"
    waymark.publish(host)
    waymark.put_draft(host, draft("/two"))
    assert outcomes() == ["none", "opens"]
    assert outcomes(source="draft") == ["none", "opens"]
    assert outcomes(source="live") == ["opens", "none"]
    assert outcomes(source=1) == ["opens", "none"]
    assert outcomes(source=2) == "not_found"
    for wrong in [{"source": 0}, {"source": "old"}, {"urls": []}, {"urls": "x"}, {"os": "ios8"}]:
        assert outcomes(**wrong) == "invalid", wrong


def test_many_urls_get_the_same_outcomes_as_a_few(waymark):
    """Only the answers for few URLs also have the certainty."""
    rules = [{"path": "/a/*"}, {"path": "/b", "query": {"q": "?*"}, "exclude": True}, {"path": "/ü"}]
    host = waymark.new_domain({"entries": [{"apps": [APP], "rules": rules}]})
    paths = ["/a/1", "/a", "/b?q=1", "/b", "/b?q", "/%C3%BC", "/ü", "//", "/a/" + "x" * 3_000, "/", ""]
    urls = [f"https://{name}{path}" for name in [host, "other.example", f"{host}:8443"] for path in paths]
    urls += ["ftp://a.example/", "nothing", "/a/1", f"https://u:p@{host}/a/1", f"HTTPS://{host.upper()}/a/1"]

    def evaluations(path, urls, **fields):
        answers = waymark.api("POST", path, {"urls": urls, **fields}).json()["evaluations"]
        assert all(("certainty" in answer) == (len(urls) <= 50) for answer in answers)
        return [without_certainty(answer) for answer in answers]

    def without_certainty(answer):
        left = {name: value for name, value in answer.items() if "certain" not in name and name != "entitlementDomain"}
        return left | {"apps": [{k: v for k, v in app.items() if "certain" not in k} for app in answer["apps"]]}

    file = waymark.api("GET", f"/v1/domains/{host}/draft/file").text
    for path, fields in [
        (f"/v1/domains/{host}/evaluations", {}),
        (f"/v1/domains/{host}/evaluations", {"os": "ios9"}),
        ("/v1/evaluations", {"aasa": file}),
        ("/v1/evaluations", {"aasa": file, "domain": host}),
    ]:
        few = evaluations(path, urls, **fields)
        assert evaluations(path, urls * 2, **fields) == few * 2
    assert {answer["outcome"] for answer in few} == {"opens", "excluded", "none"}


def test_an_evaluation_accepts_ten_thousand_urls(waymark):
    file = json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/a/*"}]}]}})
    urls = [f"https://www.example.com/a/{number}" for number in range(10_000)]
    answer = httpx.post(f"{waymark.url}/v1/evaluations", json={"aasa": file, "urls": urls}, timeout=30)
    # A debug build may exceed the budget of the call; it then asks for fewer URLs.
    if answer.status_code == 422:
        assert answer.json()["code"] == "budget_exceeded"
    else:
        assert [e["outcome"] for e in answer.json()["evaluations"]] == ["opens"] * 10_000
    more = httpx.post(
        f"{waymark.url}/v1/evaluations", json={"aasa": file, "urls": urls + ["https://a.example/"]}, timeout=30
    )
    assert (more.status_code, more.json()["errors"][0]["code"]) == (422, "too_many")


def fault(answer):
    assert answer.status_code == 422, answer.text
    [only] = answer.json()["errors"]
    return only["pointer"], only["code"]


# The body of an empty form, from a client that sends null for each missing field.
NULLS = {name: None for name in ["path", "query", "fragment", "exclude", "caseSensitive", "percentEncoded", "comment"]}


@pytest.mark.parametrize(
    "rule", [{}, NULLS, {"query": {}}, {"exclude": True}, {"comment": "all"}, {"unrestricted": False}], ids=str
)
def test_a_rule_without_a_pattern_is_refused_unless_confirmed(waymark, rule):
    host = waymark.new_domain(draft("/a"))
    path = f"/v1/domains/{host}"
    refused = waymark.api("POST", f"{path}/rules", rule, {"If-Match": "*"})
    assert fault(refused) == ("/path", "unrestricted")
    assert '"path": "*"' in refused.json()["detail"]
    whole = {"entries": [{"apps": [APP], "rules": [{"path": "/a"}, rule]}]}
    assert fault(waymark.api("PUT", f"{path}/draft", whole, {"If-Match": "*"})) == (
        "/entries/0/rules/1/path", "unrestricted",
    )
    assert revision(waymark, host) == 2
    for explicit in [{"path": "*"}, {"unrestricted": True}]:
        made = waymark.api("POST", f"{path}/rules", rule | explicit, {"If-Match": "*"})
        assert made.status_code == 201, made.text
        assert made.json().items() >= explicit.items()
    whole["entries"][0]["rules"][1] = rule | {"unrestricted": True}
    assert waymark.api("PUT", f"{path}/draft", whole, {"If-Match": "*"}).status_code == 200


def test_removing_the_last_pattern_is_refused_unless_confirmed(waymark):
    host = waymark.new_domain({"entries": [{"apps": [APP], "rules": [{"path": "/a", "query": {"q": "1"}}]}]})
    rule = f"/v1/domains/{host}/rules/{rules(waymark, host)[0]['id']}"

    def change(**fields):
        return waymark.api("PATCH", rule, fields, {"If-Match": "*"})

    assert change(path=None).status_code == 200
    assert fault(change(query=None)) == ("/path", "unrestricted")
    assert fault(change(query={})) == ("/path", "unrestricted")
    assert fault(change(unrestricted=True)) == ("/unrestricted", "restricted")
    opened = change(query=None, unrestricted=True)
    assert (opened.status_code, opened.json()["unrestricted"]) == (200, True)
    assert change(comment="it stays as it is", path=None).status_code == 200
    assert "unrestricted" not in change(fragment="x").json()


def test_an_imported_rule_without_a_pattern_is_kept_and_can_be_sent_back(waymark):
    host = waymark.new_domain()
    path = f"/v1/domains/{host}"
    file = {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/a"}, {}, {"future": 1}]}]}}
    assert waymark.api("POST", f"{path}/import", file, {"If-Match": "*"}).status_code == 200
    given = waymark.api("GET", f"{path}/draft")
    assert [rule.get("unrestricted") for rule in given.json()["entries"][0]["rules"]] == [None, True, True]
    published = waymark.api("GET", f"{path}/draft/file").json()
    assert published["applinks"]["details"][0]["components"] == [{"/": "/a"}, {}, {"future": 1}]
    waymark.put_draft(host, draft("/other"))
    assert waymark.api("PUT", f"{path}/draft", given.json(), {"If-Match": "*"}).status_code == 200
    assert waymark.api("GET", f"{path}/draft/file").json() == published


def test_the_first_rule_of_an_empty_draft_names_its_apps(waymark):
    host = waymark.new_domain()

    def add(**fields):
        return waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/a"} | fields, {"If-Match": "*"})

    refused = add()
    assert fault(refused) == ("/apps", "required")
    assert '"apps"' in refused.json()["detail"]
    first = add(apps=[APP])
    assert (first.status_code, first.json()["position"]) == (201, 0), first.text
    again = add(apps=[APP], path="/b")
    assert (again.json()["entry"], again.json()["position"]) == (first.json()["entry"], 1)
    other = add(apps=[OTHER_APP])
    assert other.json()["entry"] != first.json()["entry"]
    stored = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"]
    assert [(entry["apps"], len(entry["rules"])) for entry in stored] == [([APP], 2), ([OTHER_APP], 1)]
    assert fault(add(apps=[APP, OTHER_APP])) == ("/apps", "in_other_entry")
    assert fault(add(apps=[])) == ("/apps", "too_short")
    assert fault(add(apps=[APP], entry=first.json()["entry"])) == ("/apps", "conflict")


def test_a_version_or_the_live_file_is_loaded_into_the_draft(waymark):
    first = draft("/a", "/b", apps=(APP, OTHER_APP), compatibility="ios9")
    first["entries"][0]["rules"][0]["comment"] = "kept by the draft alone"
    host = waymark.new_domain(first)
    waymark.publish(host)
    kept = rules(waymark, host)[0]
    waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/bad"}, {"If-Match": '"2"'})
    waymark.publish(host)
    waymark.publish(host, version=1)
    before = waymark.api("GET", f"/v1/domains/{host}").json()
    assert (before["state"], before["live"]["version"]) == ("changed", 1)

    def reset(version, expected=200):
        answer = waymark.api(
            "POST",
            f"/v1/domains/{host}/draft/resets",
            {"version": version},
            {"If-Match": f'"{revision(waymark, host)}"'},
        )
        assert answer.status_code == expected, answer.text
        return answer

    answer = reset("live")
    assert (answer.json()["revision"], answer.headers["ETag"]) == (4, '"4"')
    assert answer.json() == waymark.api("GET", f"/v1/domains/{host}/draft").json()
    assert [entry["apps"] for entry in answer.json()["entries"]] == [[APP, OTHER_APP]]
    assert rules(waymark, host)[0] == kept
    assert waymark.api("GET", f"/v1/domains/{host}").json()["state"] == "live"

    reset(2)
    for number in (2, 1):
        reset(number)
        file = waymark.api("GET", f"/v1/domains/{host}/versions/{number}/file").content
        assert waymark.api("GET", f"/v1/domains/{host}/draft/file").content == file
    events = waymark.api("GET", "/v1/events", params={"host": host, "kind": "draft.reset"}).json()
    last = events["items"][-1]["detail"]
    assert (last["revision"], last["version"]) == (7, 1) and last["edits"] == {"ruleRemoved": 1}, events

    assert reset(3, 404).json()["code"] == "not_found"
    for wrong in ("draft", 0, -1, 1.5, None, 1 << 40):
        assert reset(wrong, 422).json()["errors"][0]["pointer"] == "/version", wrong


def test_a_reset_to_live_requires_a_live_file(waymark, host):
    answer = waymark.api("POST", f"/v1/domains/{host}/draft/resets", {"version": "live"}, {"If-Match": "*"})
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_live")
    assert revision(waymark, host) == 2
