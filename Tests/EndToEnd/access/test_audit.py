"""The audit trail: who changed what, from where and why; and an export that proves it."""

import json
import re

import pytest

from installation import installed_on_cluster
from samples import draft

EDITS = [
    # The change before, the change, its kind, and the previous and the new values.
    ("PATCH", "/v1/teams/AUDITTEAM1", {"name": "New"}, "team.changed", {"name": "Old"}, {"name": "New"}),
    (
        "PATCH",
        "/v1/apps/AUDITTEAM1.com.audit",
        {"name": "New app", "appStoreID": "12345"},
        "app.changed",
        {"name": "Old app", "appStoreId": None},
        {"name": "New app", "kind": "app", "appStoreId": "12345"},
    ),
]


@pytest.fixture(scope="module")
def waymark():
    with installed_on_cluster() as (waymark, cluster):
        waymark.sql = cluster.sql
        yield waymark


@pytest.fixture(scope="module")
def slug(waymark):
    slug = waymark.create_organization()
    token = waymark.token(organization=slug)
    assert waymark.api("POST", "/v1/teams", {"teamID": "AUDITTEAM1", "name": "Old"}, token=token).status_code == 201
    body = {"teamID": "AUDITTEAM1", "bundleID": "com.audit", "name": "Old app"}
    assert waymark.api("POST", "/v1/apps", body, token=token).status_code == 201
    return slug


@pytest.fixture
def ask(waymark, slug):
    def ask(method, path, body=None, headers=None, status=200, **more):
        answer = waymark.api(method, path, body, headers, token=waymark.token(organization=slug), **more)
        assert answer.status_code == status, answer.text
        return answer

    return ask


@pytest.fixture
def export(waymark, slug, tmp_path):
    """Exports the trail on the command line into a file."""

    def export(*arguments):
        environment = {"WAYMARK_TOKEN": waymark.token(organization=slug), "WAYMARK_URL": waymark.url}
        file = tmp_path / "trail.ndjson"
        file.write_text(waymark.cli("audit", "export", *arguments, environment=environment).stdout)
        return file

    return export


def key(waymark):
    return waymark.cli("key").stdout.strip()


def verify(waymark, file, *arguments):
    return waymark.cli("audit", "verify", file, *arguments, check=False)


def newest(ask, kind):
    return ask("GET", "/v1/audit", params={"kind": kind, "limit": 1}).json()["items"][0]


@pytest.mark.parametrize("method, path, body, kind, before, after", EDITS, ids=[edit[3] for edit in EDITS])
def test_an_entry_has_the_values_before_and_after(ask, method, path, body, kind, before, after):
    ask(method, path, body)
    assert newest(ask, kind)["detail"] == after | {"before": before}


def test_an_entry_has_the_request_its_address_and_its_reason(ask):
    answer = ask(
        "POST", "/v1/domains", {"host": "audited.example"}, {"Request-Id": "audit-1"}, 201,
        params={"reason": "Für die neue App"},
    )
    assert answer.headers["Request-Id"] == "audit-1"
    entry = newest(ask, "domain.created")
    assert (entry["request"], entry["address"], entry["reason"]) == ("audit-1", "127.0.0.1", "Für die neue App")
    assert entry["actor"] == {"kind": "token", "name": "test-owner"}
    events = ask("GET", "/v1/events", params={"kind": "domain.created", "sort": "newest"}).json()["items"]
    assert events[0]["reason"] == "Für die neue App"
    assert "address" not in events[0], "every member can read events"


def test_an_edit_of_a_draft_has_every_part_before_and_after(ask):
    ask("POST", "/v1/domains", {"host": "edited.example"}, status=201)
    path = "/v1/domains/edited.example/draft"
    ask("PUT", path, draft("/old", "/gone"), {"If-Match": "*"})
    old, gone = ask("GET", path).json()["entries"][0]["rules"]
    changed = ask("GET", path).json()
    entry = changed["entries"][0]
    entry["rules"] = [old | {"path": "/new"}]
    changed["publishComments"] = True
    ask("PUT", path, changed, {"If-Match": "*"})
    assert newest(ask, "draft.changed")["detail"] == {
        "revision": 3,
        "rule": None,
        "changes": [
            {
                "rule": old["id"],
                "value": {"path": "/new", "entry": entry["id"]},
                "before": {"path": "/old", "entry": entry["id"]},
            },
            {"rule": gone["id"], "before": {"path": "/gone", "entry": entry["id"]}},
            {"setting": "publishComments", "value": True, "before": False},
        ],
    }


def test_an_event_counts_the_edits_of_a_draft(ask):
    """Every open page reads events, so they are short."""
    ask("POST", "/v1/domains", {"host": "counted.example"}, status=201)
    ask("PUT", "/v1/domains/counted.example/draft", draft(*map(str, range(500))), {"If-Match": "*"})
    event = ask("GET", "/v1/events", params={"kind": "draft.changed", "sort": "newest", "limit": 1}).json()["items"][0]
    edits = event["detail"].pop("edits")
    assert event["detail"] == {"revision": 2, "rule": None}
    assert edits["ruleAdded"] + edits["more"] == 501


def test_a_long_edit_of_a_draft_is_cut_and_says_so(ask):
    ask("POST", "/v1/domains", {"host": "long.example"}, status=201)
    ask("PUT", "/v1/domains/long.example/draft", draft(*(f"/{number}" for number in range(500))), {"If-Match": "*"})
    detail = newest(ask, "draft.changed")["detail"]
    assert len(detail["changes"]) + detail["omitted"] == 501  # An entry and its rules.
    assert 7_500 < len(json.dumps(detail["changes"], separators=(",", ":"))) < 8_400


def test_an_edit_of_a_test_has_its_expectation_before_and_after(ask):
    ask("POST", "/v1/domains", {"host": "tested.example"}, status=201)
    test = ask("POST", "/v1/domains/tested.example/tests", {"url": "/a", "expected": {"outcome": "none"}}, status=201)
    change = {"expected": {"outcome": "excluded"}, "note": "why"}
    ask("PATCH", test.headers["Location"], change, {"If-Match": test.headers["ETag"]})
    detail = newest(ask, "test.changed")["detail"]
    assert (detail["url"], detail["expected"]) == ("/a", {"outcome": "excluded"})
    assert detail["before"] == {"expected": {"outcome": "none"}, "note": ""}


def test_entries_are_found_by_their_request(ask):
    ask("POST", "/v1/domains", {"host": "found.example"}, {"Request-Id": "audit-found"}, status=201)
    ask("DELETE", "/v1/domains/found.example", headers={"Request-Id": "audit-found-2"}, status=204)
    found = ask("GET", "/v1/audit", params={"request": "audit-found"}).json()["items"]
    assert [(entry["kind"], entry["subject"]) for entry in found] == [("domain.created", "found.example")]
    assert ask("GET", "/v1/audit", params={"request": "audit-found", "kind": "team"}).json()["items"] == []
    assert ask("GET", "/v1/audit", params={"request": "nobody"}).json()["items"] == []
    position = found[0]["position"]
    assert ask("GET", "/v1/audit", params={"position": position}).json()["items"] == found
    assert ask("GET", "/v1/audit", params={"position": position, "kind": "team"}).json()["items"] == []
    assert ask("GET", "/v1/audit", params={"position": 10**9}).json()["items"] == []


def test_the_entries_of_one_request_share_its_origin_and_waymarks_own_have_none(waymark, ask, slug):
    token = waymark.token(organization=slug)
    host = waymark.new_domain(draft("/audit"), token=token)
    waymark.cli("domain", "verify", "--organization", slug, host)
    answer = ask(
        "POST", f"/v1/domains/{host}/publications", {}, {"Request-Id": "audit-2"}, 202,
        params={"wait": 30, "reason": "release day"},
    )
    assert answer.json()["state"] == "live", answer.text
    entries = ask("GET", "/v1/audit", params={"host": host, "limit": 4}).json()["items"]
    assert [(entry["kind"], entry["request"], entry["reason"]) for entry in entries] == [
        ("publication.live", None, None),
        ("publication.running", None, None),
        ("publication.created", "audit-2", "release day"),
        ("version.created", "audit-2", "release day"),
    ]


@pytest.mark.parametrize("reason", ["", "   ", "two\nlines", "x" * 501])
def test_a_bad_reason_is_refused_and_changes_nothing(ask, reason):
    body = {"host": "unreasonable.example"}
    answer = ask("POST", "/v1/domains", body, status=422, params={"reason": reason})
    assert answer.json()["code"] == "invalid_parameter"
    assert "reason" in answer.json()["detail"]
    ask("GET", "/v1/domains/unreasonable.example", status=404)


def test_only_administrators_read_the_trail(waymark, slug):
    for path in ("/v1/audit", "/v1/audit/export"):
        for role, status in (("publisher", 403), ("admin", 200)):
            assert waymark.api("GET", path, token=waymark.token(role, slug)).status_code == status


def test_an_export_is_verified_with_the_public_key_alone(waymark, export):
    file = export()
    public = key(waymark)
    result = verify(waymark, file, "--key", public)
    assert result.returncode == 0, result.stderr
    assert re.search(r"The entries 1 to \d+ are intact", result.stdout)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert "trail" in lines[0] and "checkpoint" in lines[-1]
    entries = [line for line in lines if "position" in line]
    assert [entry["position"] for entry in entries] == list(range(1, len(entries) + 1))
    # The noted digest proves later exports too.
    expect = re.search(r"--expect (\S+)", result.stdout).group(1)
    assert verify(waymark, file, "--key", public, "--expect", expect).returncode == 0
    wrong = verify(waymark, file, "--expect", expect[:-1] + ("0" if expect[-1] != "0" else "1"))
    assert wrong.returncode == 1 and "replaced" in wrong.stderr


def change(lines, number):
    lines[number] = lines[number].replace('"actor":{"kind":"', '"actor":{"kind":"x', 1)
    return lines


TAMPERINGS = {
    "a changed entry": (lambda lines: change(lines, 2), "were changed"),
    "a removed entry": (lambda lines: lines[:2] + lines[3:], "position 2 must be here"),
    "an entry twice": (lambda lines: lines[:3] + lines[2:], "position 3 must be here"),
    "exchanged entries": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "position 1 must be here"),
    "a missing end": (lambda lines: lines[:-1], "no checkpoint"),
    "a missing beginning": (lambda lines: [lines[0], *lines[2:]], "position 1 must be here"),
    "no first line": (lambda lines: lines[1:], "first line"),
    "a line that is not JSON": (lambda lines: [*lines[:2], "{", *lines[2:]], "not JSON"),
    "another organization": (
        lambda lines: [lines[0].replace('"organization":"', '"organization":"0', 1), *lines[1:]], "first digest"),
    "an empty file": (lambda lines: [], "empty"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_every_tampering_with_an_export_is_found(waymark, export, name):
    tamper, problem = TAMPERINGS[name]
    file = export()
    lines = tamper(file.read_text().splitlines())
    file.write_text("".join(line + "\n" for line in lines))
    result = verify(waymark, file, "--key", key(waymark))
    assert result.returncode == 1, result.stdout
    assert problem in result.stderr


def test_a_chain_that_was_computed_anew_lacks_a_valid_signature(waymark, export):
    """As by someone who may write to the database, but does not have the key."""
    import hashlib

    file = export()
    lines = [line for line in file.read_text().splitlines() if "checkpoint" not in line]
    lines = change(lines, 2)
    digest = bytes.fromhex(json.loads(lines[0])["trail"]["digest"])
    for line in lines[1:]:
        digest = hashlib.sha256(digest + line.encode()).digest()
    checkpoint = json.loads(file.read_text().splitlines()[-1])
    checkpoint["checkpoint"]["digest"] = digest.hex()
    file.write_text("".join(line + "\n" for line in [*lines, json.dumps(checkpoint)]))
    unproven = verify(waymark, file)
    assert unproven.returncode == 2 and "a forged trail would look intact" in unproven.stderr
    result = verify(waymark, file, "--key", key(waymark))
    assert result.returncode == 1 and "signature of the checkpoint is wrong" in result.stderr
    other = verify(waymark, file, "--key", "A" * 43 + "=")
    assert other.returncode == 1 and "--key does not have this key" in other.stderr


def test_a_changed_row_in_the_database_is_found(waymark, ask, export):
    """The owner of the tables can change an entry. The export then differs from its checkpoint."""
    export()
    position = newest(ask, "team")["position"]
    entry = f"(select entry_id from events where position = {position} and kind like 'team.%' order by 1 limit 1)"
    waymark.sql(
        "alter table audit_entries disable trigger audit_entries_are_kept;"
        f" update audit_entries set actor_name = 'mallory' where id = {entry};"
    )
    try:
        result = verify(waymark, export(), "--key", key(waymark))
        assert result.returncode == 1 and "were changed after they were sealed" in result.stderr
    finally:
        waymark.sql(
            f"update audit_entries set actor_name = 'test-owner' where id = {entry};"
            " alter table audit_entries enable trigger audit_entries_are_kept;"
        )
    assert verify(waymark, export(), "--key", key(waymark)).returncode == 0


def test_parts_of_an_export_fit_together(waymark, ask, export):
    first = export().read_text()
    end = json.loads(first.splitlines()[-1])["checkpoint"]["position"]
    ask("PATCH", "/v1/teams/AUDITTEAM1", {"name": "Later"})
    file = export("--after", end)
    assert len([line for line in file.read_text().splitlines() if '"kind":"team.changed"' in line]) == 1
    alone = verify(waymark, file, "--key", key(waymark))
    assert alone.returncode == 0 and f"The entries {end + 1} to " in alone.stdout
    file.write_text(first + file.read_text())
    assert verify(waymark, file, "--key", key(waymark)).returncode == 0
    ask("GET", "/v1/audit/export", params={"after": end + 5}, status=422)


def test_pruning_keeps_what_follows_provable(waymark, ask, export):
    result = waymark.cli("audit", "prune", "--older-than-days", "29", check=False)
    assert result.returncode == 2 and "30 or more" in result.stderr
    export()
    waymark.sql(
        "alter table audit_checkpoints disable trigger audit_checkpoints_are_kept;"
        " update audit_checkpoints set made_at = made_at - interval '31 days';"
        " alter table audit_checkpoints enable trigger audit_checkpoints_are_kept;"
    )
    ask("PATCH", "/v1/teams/AUDITTEAM1", {"name": "After pruning"})
    waymark.cli("audit", "prune", "--older-than-days", "30")
    file = export()
    result = verify(waymark, file, "--key", key(waymark))
    assert result.returncode == 0, result.stderr
    assert not re.search("The entries 1 to", result.stdout)
    assert [entry["kind"] for entry in ask("GET", "/v1/audit").json()["items"]] == ["team.changed"]
    assert "No entry is that old." in waymark.cli("audit", "prune", "--older-than-days", "30").stdout
