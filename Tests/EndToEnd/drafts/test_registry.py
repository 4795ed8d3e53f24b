"""Teams, apps and domains: created, listed, read, changed and deleted by their natural keys."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from installation import eventually
from samples import draft


@pytest.fixture(scope="module")
def acme(waymark):
    """An organization for this file, with the token of its owner."""
    return waymark.token(organization=waymark.create_organization())


def faults(answer):
    assert answer.status_code == 422, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    return {(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]}


def test_a_team_is_created_read_renamed_and_deleted(waymark, acme):
    made = waymark.api("POST", "/v1/teams", {"teamID": "TEAM000001", "name": "One"}, token=acme)
    assert (made.status_code, made.headers["Location"]) == (201, "/v1/teams/TEAM000001")
    assert waymark.api("GET", "/v1/teams/TEAM000001", token=acme).json() == made.json()
    changed = waymark.api("PATCH", "/v1/teams/TEAM000001", {"name": "Eins"}, token=acme)
    assert changed.json() == made.json() | {"name": "Eins"}
    assert waymark.api("DELETE", "/v1/teams/TEAM000001", token=acme).status_code == 204
    assert waymark.api("GET", "/v1/teams/TEAM000001", token=acme).status_code == 404


def test_an_existing_key_is_a_conflict(waymark, acme):
    host = waymark.new_host()
    for path, body in [
        ("/v1/teams", {"teamID": "TEAM000002", "name": "Two"}),
        ("/v1/apps", {"teamID": "TEAM000002", "bundleID": "com.two"}),
        ("/v1/domains", {"host": host}),
    ]:
        assert waymark.api("POST", path, body, token=acme).status_code == 201
        again = waymark.api("POST", path, body, token=acme)
        assert (again.status_code, again.json()["code"]) == (409, "exists")


def test_an_app_has_its_team_as_prefix_and_its_bundle_as_name_by_default(waymark, acme):
    waymark.api("POST", "/v1/teams", {"teamID": "TEAM000003", "name": "Three"}, token=acme)
    plain = waymark.api("POST", "/v1/apps", {"teamID": "TEAM000003", "bundleID": "com.three"}, token=acme).json()
    assert (plain["appID"], plain["name"], plain["kind"]) == ("TEAM000003.com.three", "com.three", "app")
    fields = {"prefix": "PREFIX0003", "name": "Clip", "kind": "appClip", "appStoreID": "42"}
    said = waymark.api("POST", "/v1/apps", {"teamID": "TEAM000003", "bundleID": "com.three.Clip", **fields}, token=acme)
    assert said.headers["Location"] == "/v1/apps/PREFIX0003.com.three.Clip"
    assert fields.items() <= said.json().items()
    cleared = waymark.api("PATCH", said.headers["Location"], {"appStoreID": None}, token=acme).json()
    assert cleared == said.json() | {"appStoreID": None}


def test_apps_are_found_by_a_part_of_their_id_or_name(waymark, acme):
    waymark.api("POST", "/v1/teams", {"teamID": "TEAM000004", "name": "Four"}, token=acme)
    for bundle, name in [("com.four.shop", "Kaufhaus"), ("com.four.bank_a", "100% Bank"), ("com.four.bankxa", "Other")]:
        bundle = bundle.replace("_", "-")
        waymark.api("POST", "/v1/apps", {"teamID": "TEAM000004", "bundleID": bundle, "name": name}, token=acme)

    def found(text):
        items = waymark.api("GET", "/v1/apps", token=acme, params={"q": text}).json()["items"]
        return [item["bundleID"] for item in items]

    assert found("FOUR.SHOP") == ["com.four.shop"]
    assert found("kaufhaus") == ["com.four.shop"]
    assert found("100%") == ["com.four.bank-a"]
    assert found("four.bank_a") == []


def test_a_resource_in_use_is_not_deleted_and_its_uses_are_named(waymark, acme):
    waymark.api("POST", "/v1/teams", {"teamID": "TEAM000005", "name": "Five"}, token=acme)
    app = waymark.api("POST", "/v1/apps", {"teamID": "TEAM000005", "bundleID": "com.five"}, token=acme).json()["appID"]
    host = waymark.new_domain(draft("/x", apps=[app]), token=acme)
    alias = waymark.new_domain(token=acme, aliasOf=host)
    for path, where in [("/v1/teams/TEAM000005", [app]), (f"/v1/apps/{app}", [host]), (f"/v1/domains/{host}", [alias])]:
        refused = waymark.api("DELETE", path, token=acme)
        assert (refused.status_code, refused.json()["code"]) == (409, "in_use")
        assert refused.json()["where"] == where
    for path in [f"/v1/domains/{alias}", f"/v1/domains/{host}", f"/v1/apps/{app}", "/v1/teams/TEAM000005"]:
        assert waymark.api("DELETE", path, token=acme).status_code == 204


def test_all_apps_of_a_team_in_use_are_counted(waymark):
    token = waymark.token(organization=waymark.create_organization())
    waymark.api("POST", "/v1/teams", {"teamID": "MANYAPPS01", "name": "Many"}, token=token)
    for number in range(107):
        app = {"teamID": "MANYAPPS01", "bundleID": f"com.example.a{number:03}"}
        assert waymark.api("POST", "/v1/apps", app, token=token).status_code == 201
    refused = waymark.api("DELETE", "/v1/teams/MANYAPPS01", token=token)
    assert (refused.status_code, refused.json()["code"]) == (409, "in_use")
    assert "MANYAPPS01.com.example.a004 and 102 more" in refused.json()["detail"]


def test_an_app_is_in_use_while_a_live_or_scheduled_file_names_it(waymark):
    acme = waymark.token(organization=waymark.create_organization())
    waymark.api("POST", "/v1/teams", {"teamID": "TEAM000006", "name": "Six"}, token=acme)
    app, longer = (
        waymark.api("POST", "/v1/apps", {"teamID": "TEAM000006", "bundleID": bundle}, token=acme).json()["appID"]
        for bundle in ("com.six", "com.six.more")
    )
    host = waymark.new_domain(draft("/x", apps=[longer]), token=acme)
    alias = waymark.new_domain(token=acme, aliasOf=host)
    waymark.publish(host, token=acme)
    waymark.put_draft(host, draft("/x", apps=[app]), token=acme)
    in_an_hour = (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    pending = waymark.api(
        "POST",
        f"/v1/domains/{host}/publications",
        {"at": in_an_hour, "override": True, "reason": "another app"},
        token=acme,
    )
    assert pending.status_code == 202, pending.text
    waymark.put_draft(host, draft("/x", apps=[]), token=acme)

    def refused(app):
        answer = waymark.api("DELETE", f"/v1/apps/{app}", token=acme)
        assert (answer.status_code, answer.json()["code"]) == (409, "in_use"), answer.text
        return answer.json()

    assert refused(longer)["where"] == sorted([alias, host])
    assert refused(app)["where"] == [host]
    assert refused(app)["detail"].startswith(f"The app is used by a live or scheduled file of {host}. ")
    cancelled = waymark.api("DELETE", f"/v1/domains/{host}/publications/{pending.json()['id']}", token=acme)
    assert cancelled.status_code == 200
    assert waymark.api("DELETE", f"/v1/apps/{app}", token=acme).status_code == 204
    refused(longer)


def test_all_faults_of_a_body_are_reported_together(waymark, acme):
    body = {"teamID": "abc", "bundleID": "com example", "prefix": "X", "kind": "game", "appStoreID": "1a", "extra": 1}
    assert faults(waymark.api("POST", "/v1/apps", body, token=acme)) == {
        ("/teamID", "invalid_team_id"),
        ("/bundleID", "invalid_bundle_id"),
        ("/prefix", "invalid_team_id"),
        ("/kind", "invalid_choice"),
        ("/appStoreID", "invalid_app_store_id"),
        ("/extra", "unknown_key"),
    }
    assert faults(waymark.api("POST", "/v1/teams", {}, token=acme)) == {("/teamID", "required"), ("/name", "required")}
    nobody = waymark.api("POST", "/v1/apps", {"teamID": "NOBODY0000", "bundleID": "com.x"}, token=acme)
    assert faults(nobody) == {("/teamID", "team_not_registered")}


@pytest.mark.parametrize(
    "host",
    [
        "",
        "localhost:8080",
        "https://www.example.com",
        "*.example.com",
        "a_b.example",
        "-a.example",
        "example",
        "10.0.0.1",
        "a..example",
        "a" * 64 + ".example",
        ".".join(["a" * 60] * 5),
        "[::1]",
        "a b.example",
        "xn--a.\u0000example",
        "\u00ad.example",
    ],
)
def test_an_invalid_host_is_refused_with_its_pointer(waymark, acme, host):
    answer = waymark.api("POST", "/v1/domains", {"host": host, "aliasOf": host}, token=acme)
    if "\u0000" in host:
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")
    else:
        assert {("/host", "invalid_host"), ("/aliasOf", "invalid_host")} <= faults(answer)


def test_a_unicode_host_and_its_punycode_are_the_same_host(waymark, acme):
    made = waymark.api("POST", "/v1/domains", {"host": "München.example"}, token=acme)
    assert made.status_code == 201, made.text
    assert (made.json()["host"], made.json()["unicodeHost"]) == ("xn--mnchen-3ya.example", "münchen.example")
    for name in [
        "münchen.example",
        "MÜNCHEN.EXAMPLE",
        "xn--mnchen-3ya.example",
        "XN--MNCHEN-3YA.example.",
        "mu\u0308nchen.example",
    ]:
        found = waymark.api("GET", f"/v1/domains/{name}", token=acme).json()
        # A worker checks the draft meanwhile.
        assert found == made.json() | {"checks": found["checks"]}
        again = waymark.api("POST", "/v1/domains", {"host": name}, token=acme)
        assert (again.status_code, again.json()["code"]) == (409, "exists")
    found = waymark.api("GET", "/v1/domains", token=acme, params={"q": "münchen"}).json()["items"]
    assert [item["host"] for item in found] == ["xn--mnchen-3ya.example"]


def test_only_reserved_names_are_verified_automatically_on_a_private_database(waymark, acme):
    reserved = waymark.api("POST", "/v1/domains", {"host": waymark.new_host()}, token=acme).json()
    assert (reserved["verified"], reserved["state"]) == (True, "unpublished")
    real = waymark.api("POST", "/v1/domains", {"host": "www.waymark-tests.com"}, token=acme).json()
    assert (real["verified"], real["verifiedAt"], real["state"]) == (False, None, "unverified")
    marked = waymark.api("POST", "/v1/domains/www.waymark-tests.com/verifications", {"method": "local"}, token=acme)
    assert marked.status_code == 200 and marked.json()["verified"]
    assert marked.json()["state"] == "unpublished"


def test_the_operator_verifies_a_domain_on_the_command_line(waymark):
    organization = waymark.create_organization()
    token = waymark.token(organization=organization)
    waymark.api("POST", "/v1/domains", {"host": "www.operator-tests.com"}, token=token)
    waymark.cli("domain", "verify", "--organization", organization, "www.operator-tests.com")
    assert waymark.api("GET", "/v1/domains/www.operator-tests.com", token=token).json()["verified"]


def test_domains_are_filtered_by_label_state_and_words_of_the_host(waymark):
    token = waymark.token(organization=waymark.create_organization())
    plain, staging, alias = waymark.new_host("list"), waymark.new_host("list-staging"), waymark.new_host("list-alias")
    waymark.new_domain(draft("/x"), token=token, host=plain)
    waymark.new_domain(token=token, host=staging, labels=["staging", "brand-acme"])
    waymark.new_domain(token=token, host=alias, aliasOf=plain)
    waymark.publish(plain, token=token)

    def hosts(**query):
        return [item["host"] for item in waymark.api("GET", "/v1/domains", token=token, params=query).json()["items"]]

    assert hosts() == sorted([plain, staging, alias])
    assert hosts(label="staging") == [staging]
    assert hosts(q="STAGING") == [staging]
    assert hosts(q="aging") == []
    assert hosts(state="live") == [plain]
    assert hosts(state="alias") == [alias]
    assert hosts(state="unpublished", label="brand-acme", q="list") == [staging]
    wrong = waymark.api("GET", "/v1/domains?state=odd", token=token)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_parameter")
    waymark.put_draft(plain, draft("/y"), token=token)
    assert hosts(state="changed") == [plain]


def test_lists_page_by_cursor_without_losing_or_repeating(waymark):
    token = waymark.token(organization=waymark.create_organization())
    ids = [f"PAGE{number:06}" for number in range(7)]
    for id in reversed(ids):
        waymark.api("POST", "/v1/teams", {"teamID": id, "name": id}, token=token)
    seen, query = [], {"limit": 3}
    while True:
        page = waymark.api("GET", "/v1/teams", token=token, params=query).json()
        assert len(page["items"]) <= 3
        seen += [item["teamID"] for item in page["items"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
        if len(seen) == 3:
            waymark.api("DELETE", f"/v1/teams/{seen[0]}", token=token)
    assert seen == ids
    for query in ["limit=0", "limit=201", "limit=x", "cursor=*", "cursor=_w"]:
        refused = waymark.api("GET", f"/v1/teams?{query}", token=token)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter"), query


def test_an_alias_serves_its_target_and_has_no_draft_of_its_own(waymark, acme):
    target = waymark.new_domain(draft("/x"), token=acme)
    alias = waymark.new_domain(token=acme, aliasOf=target)
    for method, path, body in [
        ("GET", "draft", None),
        ("PUT", "draft", {}),
        ("GET", "draft/file", None),
        ("GET", "rules", None),
        ("POST", "rules", {"path": "/y"}),
        ("POST", "versions", {}),
        ("POST", "publications", {}),
    ]:
        refused = waymark.api(method, f"/v1/domains/{alias}/{path}", body, {"If-Match": "*"}, token=acme)
        assert (refused.status_code, refused.json()["code"]) == (409, "alias"), path
        assert refused.json()["aliasOf"] == target
    waymark.publish(target, token=acme)
    sha256 = waymark.api("GET", f"/v1/domains/{target}", token=acme).json()["live"]["sha256"]
    assert waymark.served(alias, sha256).content == waymark.served(target, sha256).content
    shown = waymark.api("GET", f"/v1/domains/{alias}", token=acme).json()
    assert (shown["state"], shown["aliasOf"], shown["draft"]) == ("alias", target, None)
    assert shown["live"]["sha256"] == sha256
    assert waymark.api("GET", f"/v1/domains/{target}", token=acme).json()["aliases"] == [alias]


def test_an_alias_that_joins_later_is_live_immediately(waymark, acme):
    target = waymark.new_domain(draft("/x"), token=acme)
    waymark.publish(target, token=acme)
    alias = waymark.new_domain(token=acme, aliasOf=target)
    waymark.served(alias, waymark.api("GET", f"/v1/domains/{target}", token=acme).json()["live"]["sha256"])


def test_the_target_of_an_alias_is_a_domain_of_its_organization_and_not_an_alias(waymark, acme):
    target = waymark.new_domain(token=acme)
    alias = waymark.new_domain(token=acme, aliasOf=target)
    foreign = waymark.new_domain()
    host = waymark.new_host()
    for wrong in [alias, foreign, waymark.new_host(), host]:
        answer = waymark.api("POST", "/v1/domains", {"host": host, "aliasOf": wrong}, token=acme)
        assert faults(answer) == {("/aliasOf", "alias_refused")}, wrong
    assert waymark.api("GET", f"/v1/domains/{host}", token=acme).status_code == 404
    assert faults(waymark.api("PATCH", f"/v1/domains/{target}", {"aliasOf": foreign}, token=acme)) == {
        ("/aliasOf", "alias_refused")
    }


def test_a_served_domain_cannot_be_deleted(waymark, acme):
    host = waymark.new_domain(draft("/x"), token=acme)
    waymark.publish(host, token=acme)
    refused = waymark.api("DELETE", f"/v1/domains/{host}", token=acme)
    assert (refused.status_code, refused.json()["code"]) == (409, "domain_is_served")
    frozen = waymark.new_domain(draft("/x"), token=acme)
    assert waymark.api("POST", f"/v1/domains/{frozen}/versions", {}, token=acme).status_code == 201
    refused = waymark.api("DELETE", f"/v1/domains/{frozen}", token=acme)
    assert (refused.status_code, refused.json()["code"]) == (409, "domain_is_served")


def test_labels_are_changed_and_refused_beyond_their_limits(waymark, acme):
    host = waymark.new_domain(token=acme, labels=["a"])
    assert waymark.api("PATCH", f"/v1/domains/{host}", {"labels": ["b", "c"]}, token=acme).json()["labels"] == [
        "b",
        "c",
    ]
    assert waymark.api("PATCH", f"/v1/domains/{host}", {}, token=acme).json()["labels"] == ["b", "c"]
    too_many = waymark.api("PATCH", f"/v1/domains/{host}", {"labels": ["x"] * 21}, token=acme)
    assert faults(too_many) == {("/labels", "too_many")}
    too_long = waymark.api("PATCH", f"/v1/domains/{host}", {"labels": ["", "x" * 64]}, token=acme)
    assert faults(too_long) == {("/labels/0", "too_short"), ("/labels/1", "too_long")}


def test_texts_are_returned_unchanged(waymark, acme):
    names = [
        "é",
        "e\u0301",
        "Ünï© 🐐 العربية <script>alert(1)</script>",
        "'; drop table teams; --",
        '\\"/%00',
        "family 👨‍👩‍👧 नमस्ते",
    ]
    for number, name in enumerate(names):
        id = f"TEXT00000{number}"
        made = waymark.api("POST", "/v1/teams", {"teamID": id, "name": name}, token=acme)
        assert made.status_code == 201, made.text
        assert waymark.api("GET", f"/v1/teams/{id}", token=acme).json()["name"] == name


CONTROLS = "\x01\t\n\r\x1b\x1f\x7f\x80\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"


@pytest.mark.parametrize("control", CONTROLS, ids=[f"U+{ord(control):04X}" for control in CONTROLS])
def test_control_characters_in_names_labels_and_reasons_are_refused(waymark, acme, control):
    text = f"a{control}b"
    host = waymark.new_host()
    asked = [
        ("POST", "/v1/teams", {"teamID": "CONTROL001", "name": text}, "/name"),
        ("POST", "/v1/domains", {"host": host, "labels": ["fine", text]}, "/labels/1"),
        ("POST", "/v1/freezes", {"reason": text, "endsAt": "2099-01-01T00:00:00Z"}, "/reason"),
        ("POST", "/v1/schedules", {"name": text}, "/name"),
    ]
    for method, path, body, place in asked:
        assert (place, "control_character") in faults(waymark.api(method, path, body, token=acme)), path
    for path in (f"/v1/domains/{host}/publications", "/v1/releases"):
        refused = faults(waymark.api("POST", path, {"message": text, "odd": 1}, token=acme))
        assert (("/message", "control_character") in refused) == (control not in "\n\r"), path
    pending = f"/v1/domains/{host}/publications/{uuid4()}"
    refused = waymark.api("DELETE", pending, token=acme, params={"reason": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter")


def test_an_editors_change_of_a_domain_does_not_affect_what_is_live(waymark):
    slug = waymark.create_organization()
    owner, editor, publisher = (waymark.token(role, slug) for role in ("owner", "editor", "publisher"))
    live = waymark.new_domain(draft("/1"), token=owner)
    waymark.publish(live, token=owner)

    def change(host, fields, token):
        return waymark.api("PATCH", f"/v1/domains/{host}", fields, token=token)

    host = waymark.new_host()
    refused = waymark.api("POST", "/v1/domains", {"host": host, "aliasOf": live}, token=editor)
    assert (refused.status_code, refused.json()["code"]) == (403, "role_needed")
    assert refused.json()["detail"] == (
        f"This requires the role publisher in the organization; yours is editor. Reason: {live} is live."
    )
    assert waymark.api("GET", f"/v1/domains/{host}", token=owner).status_code == 404
    assert waymark.api("POST", "/v1/domains", {"host": host}, token=editor).status_code == 201
    assert change(host, {"aliasOf": live}, editor).status_code == 403
    assert waymark.edge(host).status_code == 404
    assert change(host, {"aliasOf": live}, publisher).status_code == 200
    eventually(lambda: waymark.edge(host).status_code == 200, what="the alias at the edge")

    assert change(live, {"labels": ["scheduled", "frozen", "plain"]}, editor).status_code == 200
    schedule = {"name": "nightly", "label": "scheduled", "expression": "@yearly", "zone": "UTC"}
    assert waymark.api("POST", "/v1/schedules", schedule, token=publisher).status_code == 201
    end = f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    freeze = {"label": "frozen", "reason": "the sale", "endsAt": end}
    made = waymark.api("POST", "/v1/freezes", freeze, token=publisher).json()
    for labels, named in [(["scheduled", "plain"], "frozen"), (["frozen", "plain"], "scheduled"), ([], "frozen")]:
        refused = change(live, {"labels": labels}, editor)
        assert refused.status_code == 403 and f"uses the label {named}" in refused.json()["detail"]
    assert change(live, {"labels": ["frozen", "scheduled", "another"]}, editor).status_code == 200
    new = {"host": waymark.new_host(), "labels": ["scheduled"]}
    assert waymark.api("POST", "/v1/domains", new, token=editor).status_code == 403
    waymark.api("DELETE", f"/v1/freezes/{made['id']}", token=publisher)
    assert change(live, {"labels": ["scheduled"]}, editor).status_code == 200
    assert change(live, {"labels": []}, publisher).status_code == 200


def test_the_domains_of_an_app_show_its_use_in_the_draft_and_in_the_live_file(waymark, acme):
    waymark.api("POST", "/v1/teams", {"teamID": "USINGAPP01", "name": "Using"}, token=acme)
    waymark.api("POST", "/v1/apps", {"teamID": "USINGAPP01", "bundleID": "com.used"}, token=acme)
    app = "USINGAPP01.com.used"
    entries = [{"apps": [app], "rules": [{"path": "/a"}, {"path": "/b", "exclude": True}]}]
    both = {"entries": entries, "services": {"webcredentials": [app]}}
    hosts = sorted(waymark.new_domain(both, token=acme) for _ in range(2))
    waymark.publish(hosts[1], token=acme)
    waymark.put_draft(hosts[1], {"entries": [{"apps": [app], "rules": None}]}, token=acme)
    use = {"rules": 1, "excludes": 1, "everything": False, "services": ["applinks", "webcredentials"]}
    path = f"/v1/apps/{app}/domains"
    assert waymark.api("GET", path, token=acme).json()["items"] == [
        {"host": hosts[0], "draft": use, "live": None},
        {
            "host": hosts[1],
            "draft": {"rules": 0, "excludes": 0, "everything": True, "services": ["applinks"]},
            "live": use | {"version": 1},
        },
    ]
    found = waymark.api("GET", f"{path}?q={hosts[0]}", token=acme).json()["items"]
    assert [item["host"] for item in found] == [hosts[0]]
    page = waymark.api("GET", f"{path}?limit=1", token=acme).json()
    assert waymark.api("GET", f"{path}?cursor={page['next']}", token=acme).json()["items"][0]["host"] == hosts[1]
    assert waymark.api("GET", f"{path}?limit=51", token=acme).status_code == 422
    assert waymark.api("GET", f"/v1/apps/{app}", token=acme).json()["domains"] == 2
