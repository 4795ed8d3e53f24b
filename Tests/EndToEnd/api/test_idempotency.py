"""A request with an Idempotency-Key makes its change at most once, and a repeated request gets the first answer."""

import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from contract import DOCUMENT, ROLES
from installation import eventually, installed, installed_on_cluster
from samples import draft

# These POSTs change nothing, so they run again.
PURE = {
    "confirmSession", "evaluateDomain", "runTests", "previewPublication", "checkPublication", "previewRelease", "previewSchedule",
}


def keyed(key, **more):
    return {"Idempotency-Key": f'"{key}"', **more}


def team(number):
    return {"teamID": f"IDEMP{number:05}", "name": "Team"}


def teams(waymark, token=None):
    return {item["teamID"] for item in waymark.api("GET", "/v1/teams?limit=200", token=token).json()["items"]}


def test_a_repeated_request_gets_the_first_answer(waymark):
    first = waymark.api("POST", "/v1/teams", team(1), keyed("a repeated request"))
    assert first.status_code == 201 and "Idempotency-Replayed" not in first.headers
    again = waymark.api("POST", "/v1/teams", team(1), keyed("a repeated request"))
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    for name in ("Location", "Content-Type"):
        assert again.headers[name] == first.headers[name]


def test_the_revision_is_replayed_with_the_answer(waymark):
    host = waymark.new_domain(draft("/a"))
    path = f"/v1/domains/{host}/rules"
    first, again = (waymark.api("POST", path, {"path": "/b"}, keyed("rule", **{"If-Match": "*"})) for _ in range(2))
    assert (again.status_code, again.headers["ETag"]) == (201, first.headers["ETag"])
    assert len(waymark.api("GET", path).json()["items"]) == 2


@pytest.mark.parametrize("path, body", [("/v1/teams", team(3)), ("/v1/apps", team(2)), ("/v1/domains", {"host": "x"})])
def test_another_request_with_the_same_key_is_refused(waymark, path, body):
    waymark.api("POST", "/v1/teams", team(2), keyed("reused"))
    answer = waymark.api("POST", path, body, keyed("reused"))
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert "IDEMP00003" not in teams(waymark)


def test_a_request_that_changed_nothing_runs_again(waymark):
    body = {"teamID": "IDEMP00004", "bundleID": "com.later"}
    assert waymark.api("POST", "/v1/apps", body, keyed("later")).status_code == 422
    waymark.api("POST", "/v1/teams", team(4))
    answer = waymark.api("POST", "/v1/apps", body, keyed("later"))
    assert answer.status_code == 201 and "Idempotency-Replayed" not in answer.headers


def test_of_concurrent_requests_with_a_key_only_one_makes_a_change(waymark):
    host = waymark.new_domain(draft("/1"))

    def publish(number):
        return waymark.api(
            "POST", f"/v1/domains/{host}/publications?wait=20", {"message": "once"}, keyed("concurrent")
        )

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(publish, range(12)))
    assert {answer.status_code for answer in answers} <= {202, 409}
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["code"] == "idempotency_key_in_use"
            assert int(answer.headers["Retry-After"]) > 0
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 202}) == 1
    assert len(waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]) == 1
    assert publish(0).headers["Idempotency-Replayed"] == "true"


def test_a_key_belongs_to_its_caller_and_organization(waymark):
    waymark.api("POST", "/v1/teams", team(5), keyed("mine"))
    other = waymark.create_organization()
    # The same request of another organization, and another request of another caller.
    answer = waymark.api("POST", "/v1/teams", team(5), keyed("mine"), token=waymark.token(organization=other))
    assert answer.status_code == 201 and "Idempotency-Replayed" not in answer.headers
    answer = waymark.api("POST", "/v1/teams", team(6), keyed("mine"), token=waymark.token("editor"))
    assert answer.status_code == 201 and "Idempotency-Replayed" not in answer.headers
    # The rights are checked before the key.
    answer = waymark.api("POST", "/v1/teams", team(5), keyed("mine"), token=waymark.token("viewer"))
    assert answer.status_code == 403


def test_a_secret_is_not_kept_but_the_token_is_made_once(waymark):
    session = waymark.session()
    body = {"name": "kept nowhere", "role": "viewer"}
    first, again = (
        waymark.api("POST", "/v1/tokens", body, {**session, **keyed("token")}, token=False) for _ in range(2)
    )
    made = first.json()["token"]["id"]
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_result_lost")
    assert again.json()["existing"] == f"/v1/tokens/{made}"
    assert first.json()["secret"] not in again.text
    tokens = waymark.api("GET", "/v1/tokens?limit=200").json()["items"]
    assert [token["id"] for token in tokens if token["name"] == "kept nowhere"] == [made]
    first, again = (
        waymark.api("POST", f"/v1/tokens/{made}/rotations", {}, {**session, **keyed("turn")}, token=False)
        for _ in range(2)
    )
    assert (first.status_code, again.json()["code"]) == (201, "idempotency_result_lost")


def test_a_key_does_not_replace_the_check_of_the_origin(waymark):
    session = waymark.session()
    body = {"name": "forged", "role": "viewer"}
    waymark.api("POST", "/v1/tokens", body, {**session, **keyed("forged")}, token=False)
    foreign = {**session, **keyed("forged"), "Sec-Fetch-Site": "cross-site"}
    answer = waymark.api("POST", "/v1/tokens", body, foreign, token=False)
    assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")


@pytest.mark.parametrize("field", ["plain", '""', '"' + "x" * 256 + '"', '"a", "b"', '"é"', "12", '"open', "*"])
def test_a_malformed_key_is_refused(waymark, field):
    answer = waymark.api("POST", "/v1/teams", team(9), {"Idempotency-Key": field.encode()})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_idempotency_key")
    assert "IDEMP00009" not in teams(waymark)


def test_the_longest_key_is_accepted(waymark):
    headers = {"Idempotency-Key": '"' + r"\"" + "~" * 254 + '"'}
    first, again = (waymark.api("POST", "/v1/teams", team(10), headers) for _ in range(2))
    assert (first.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")


def test_a_request_that_changes_nothing_ignores_its_key(waymark):
    host = waymark.new_domain(draft("/a"))
    for path in ("/a", "/b"):
        answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": [path]}, keyed("pure"))
        assert answer.status_code == 200 and "Idempotency-Replayed" not in answer.headers


def test_a_key_works_for_the_own_account(own_account):
    waymark, owner = own_account

    def post(path, body=None, key="account", **headers):
        return waymark.api("POST", path, body, keyed(key, **owner, **headers), token=False)

    body = {"slug": "keyed-once", "name": "Once"}
    first, again = post("/v1/organizations", body), post("/v1/organizations", body)
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.content == first.content and again.headers["Idempotency-Replayed"] == "true"
    other = post("/v1/organizations", {"slug": "keyed-twice", "name": "Twice"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    # The same key in an organization is another one.
    headers = {"Waymark-Organization": "keyed-once"}
    assert post("/v1/teams", team(20), **headers).status_code == 201
    taken = post("/v1/organizations", body, "account-2")
    assert (taken.status_code, taken.json()["code"]) == (409, "exists")
    # An error is not kept.
    assert "Idempotency-Replayed" not in post("/v1/organizations", body, "account-2").headers


@pytest.mark.parametrize("path", ["totp-secrets", "recovery-codes"])
def test_secrets_of_an_account_are_not_kept(own_account, path):
    waymark, owner = own_account
    waymark.cluster.sql(
        "update users set totp_secret = '12345678901234567890', totp_added_at = now() where email like 'session-owner@%'")
    first, again = (
        waymark.api("POST", f"/v1/me/{path}", None, keyed(path, **owner), token=False) for _ in range(2)
    )
    assert first.status_code == 201, first.text
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_result_lost")
    kept = waymark.cluster.sql(f"select status, body is null from account_idempotency_keys where key = '{path}'")
    assert kept.strip() == "201|t"
    wrong = waymark.api("POST", "/v1/me/totp-secrets", None, owner | {"Idempotency-Key": "bare"}, token=False)
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_idempotency_key")


@pytest.fixture(scope="module")
def own_account():
    with installed_on_cluster() as (waymark, cluster):
        waymark.cluster = cluster
        waymark.restart({"WAYMARK_ORGANIZATION_CREATION": "invited"})
        yield waymark, waymark.session()


def test_every_post_of_a_caller_documents_the_key():
    for path, item in DOCUMENT["paths"].items():
        operation = item.get("post")
        if operation is None or operation["x-right"] not in [*ROLES, "caller"]:
            continue
        parameters = [parameter.get("$ref", "").rpartition("/")[2] for parameter in operation["parameters"]]
        changes = operation["operationId"] not in PURE
        assert ("IdempotencyKey" in parameters) == changes, path
        if changes:
            assert {"400", "409", "422", "429"} <= operation["responses"].keys(), path


def test_a_lost_connection_does_not_stop_a_keyed_request(waymark):
    """The client gives up while its publication is awaited. Its repeated request gets the answer."""
    host = waymark.new_domain(draft("/lost"))
    path = f"/v1/domains/{host}/publications?wait=5"
    at = {"at": (datetime.now(UTC) + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")}
    with pytest.raises(httpx.ReadTimeout):
        waymark.api("POST", path, at, keyed("gone"), timeout=1)
    def replayed():
        answer = waymark.api("POST", path, at, keyed("gone"))
        return answer if answer.status_code != 409 else None

    answer = eventually(replayed, 30)
    assert (answer.status_code, answer.headers["Idempotency-Replayed"]) == (202, "true")
    assert len(waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]) == 1


@pytest.fixture(scope="module")
def killed():
    with installed() as waymark:
        yield waymark


def published(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]


@pytest.mark.parametrize("point, changes", [("publication.making", 0), ("publication.made", 1)])
def test_a_process_that_dies_before_or_after_the_commit_makes_one_change(killed, point, changes):
    waymark = killed
    host = waymark.new_domain(draft("/1"))
    path = f"/v1/domains/{host}/publications"
    waymark.restart({"WAYMARK_FAULT": point})
    with pytest.raises(httpx.TransportError):
        waymark.api("POST", path, {"message": "once"}, keyed(point))
    assert waymark.process.wait(60) == -signal.SIGKILL
    waymark.start()
    assert len(published(waymark, host)) == changes
    answer = waymark.api("POST", path, {"message": "once"}, keyed(point))
    if changes == 0:
        assert answer.status_code == 202 and "Idempotency-Replayed" not in answer.headers
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_in_use")
    assert len(published(waymark, host)) == 1


def test_a_lost_answer_is_reported_and_a_key_expires():
    with installed_on_cluster() as (waymark, cluster):
        host = waymark.new_domain(draft("/1"))
        waymark.cli("domain", "verify", host, "--organization", "acme")
        path = f"/v1/domains/{host}/publications"
        waymark.restart({"WAYMARK_FAULT": "publication.made"})
        with pytest.raises(httpx.TransportError):
            waymark.api("POST", path, {"message": "once"}, keyed("lost"))
        assert waymark.process.wait(60) == -signal.SIGKILL
        waymark.start()

        def age(interval):
            cluster.sql(f"update idempotency_keys set created_at = created_at - interval '{interval}'")

        age("61 seconds")
        answer = waymark.api("POST", path, {"message": "once"}, keyed("lost"))
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_result_lost")
        events = waymark.api("GET", "/v1/events", params={"since": answer.json()["madeAt"]}).json()["items"]
        assert "publication.created" in {event["kind"] for event in events}
        assert len(published(waymark, host)) == 1
        assert waymark.api("POST", "/v1/teams", team(11), keyed("old")).status_code == 201
        age("24 hours")
        assert waymark.api("POST", "/v1/teams", team(12), keyed("old")).status_code == 201
