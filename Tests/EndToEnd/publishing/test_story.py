"""The main job with real files: import, evaluate, publish, and fetch, with the same meaning at the end."""

import json

import httpx
import pytest

from real_files import OWN_FILE, REAL_FILES, apps_of, file_bytes
from samples import APP, apple_draft, meaning


@pytest.mark.parametrize("name", [OWN_FILE, *REAL_FILES])
def test_a_real_file_has_the_same_meaning_when_the_edge_serves_it(waymark, name):
    original = file_bytes(name)
    file = json.loads(original)
    assert len(apps_of(file)) >= 3
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(token=token)

    imported = waymark.api(
        "POST",
        f"/v1/domains/{host}/import?register=true",
        content=original,
        headers={"If-Match": '"1"'},
        token=token,
    )
    assert imported.status_code == 200, imported.text
    assert imported.headers["ETag"] == '"2"'
    report = imported.json()["report"]
    of_services = {app for apps in imported.json()["draft"]["services"].values() for app in apps}
    assert set(report["registeredApps"]) == apps_of(file) | of_services
    assert report["unregisteredApps"] == []

    published = waymark.publish(host, token=token, message="as it was")
    version = waymark.api("GET", f"/v1/domains/{host}/versions/{published['version']}", token=token).json()
    served = waymark.served(host, version["sha256"])

    assert meaning(served.json()) == meaning(file)
    assert served.headers["Waymark-Version"] == str(published["version"])
    own = waymark.api("GET", f"/v1/domains/{host}/versions/{published['version']}/file", token=token)
    assert own.content == served.content


@pytest.mark.parametrize("name", REAL_FILES[:3])
def test_a_real_file_gives_every_url_the_same_outcome_before_and_after(waymark, name):
    original = file_bytes(name)
    host = waymark.new_domain()
    waymark.api("POST", f"/v1/domains/{host}/import", content=original, headers={"If-Match": "*"})
    paths = [
        rule.get("/", "/").replace("*", "some/thing").replace("?", "x")
        for entry in json.loads(original)["applinks"]["details"]
        for rule in entry["components"]
    ]
    paths = [path if path.startswith("/") else "/" + path for path in paths if "$(" not in path]
    urls = [f"https://{host}{path}" for path in paths[:: len(paths) // 100 + 1]]
    urls += [f"https://{host}/", f"https://{host}/nowhere?x=1#y"]

    by_draft = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": urls}).json()["evaluations"]
    posted = {"aasa": original.decode(), "domain": host, "urls": urls}
    by_file = httpx.post(f"{waymark.url}/v1/evaluations", json=posted).json()["evaluations"]

    assert len(by_file) == len(urls)
    assert [(e["url"], e["outcome"], e["app"]) for e in by_draft] == [
        (e["url"], e["outcome"], e["app"]) for e in by_file
    ]
    assert {e["outcome"] for e in by_file} >= {"opens"}


def test_apples_example_opens_excludes_and_ignores_as_documented(waymark):
    host = waymark.new_domain(apple_draft())
    urls = [
        "/buy/1",
        "/help/website/x",
        "/help/x?articleNumber=1234",
        "/help/x?articleNumber=12",
        "/buy/1#no_universal_links",
    ]
    answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": [f"https://{host}{url}" for url in urls]})
    evaluations = answer.json()["evaluations"]
    assert [e["outcome"] for e in evaluations] == ["opens", "excluded", "opens", "none", "excluded"]
    assert evaluations[0]["app"] == APP
    assert evaluations[0]["apps"][0]["decidedBy"] == "/applinks/details/0/components/1"
    rules = waymark.api("GET", f"/v1/domains/{host}/rules").json()["items"]
    assert evaluations[0]["apps"][0]["rule"] == rules[1]["id"]


def test_lint_and_evaluations_need_no_account(waymark):
    lint = httpx.post(f"{waymark.url}/v1/lint", content=b'{"applinks": {"details": [}')
    assert lint.status_code == 200
    [finding] = lint.json()["findings"]
    assert (finding["severity"], finding["line"], finding["column"]) == ("error", 1, 27)
    file = '{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/a/*"}]}]}}'
    answer = httpx.post(f"{waymark.url}/v1/evaluations", json={"aasa": file, "urls": ["https://www.example.com/a/b"]})
    assert answer.json()["evaluations"][0]["outcome"] == "opens"
