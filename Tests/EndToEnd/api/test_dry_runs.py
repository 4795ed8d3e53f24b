"""A request with `dryRun=true` gets the answer of the change, and changes nothing."""

import time
import uuid

import pytest

from contract import BODIES, DOCUMENT, OF_MEMBERS, OPERATIONS, filled, things
from installation import eventually, installed_on_cluster
from samples import draft

TRIED = [
    operation
    for operation in OPERATIONS
    if {"$ref": "#/components/parameters/DryRun"}
    in DOCUMENT["paths"][operation.path][operation.method.lower()]["parameters"]
]
# What the tests' own sign-ins, uses of tokens, counts of requests and jobs change, and what seals the audit trail.
IGNORED = {
    "credentials",
    "rate_counts",
    "consumers",
    "schema_migrations",
    "audit_checkpoints",
    "unsealed_trails",
}
# Bodies that succeed, where those of other tests do not.
SUCCEEDING = {
    "createTeam": {"teamID": "DRYRUN0000", "name": "Dry"},
    "createApp": {"teamID": "ABCDE12345", "bundleID": "com.example.dry"},
    "createDomain": {"host": "dry.example.com"},
    "createSchedule": {"name": "dry", "label": "none", "expression": "@daily", "zone": "UTC"},
    "replaceDraft": draft("/dry"),
    "createApprovalPolicy": {"label": "dry", "approvals": 1},
    "createOrganization": {"slug": "dry", "name": "Dry"},
    "createTOTPSecret": None,
    "changeMe": {"name": "Dry"},
    "changePassword": {"password": "only a dry run of it"},
    "createNewPasskeyChallenge": None,
    "endOtherSessions": None,
    "endSession": None,
    "signOut": None,
    "createRecoveryCodes": None,
    "removePasskey": None,
    "disconnectIdentity": None,
}


@pytest.fixture(scope="module")
def setting():
    with installed_on_cluster() as (waymark, cluster):
        waymark.restart({"WAYMARK_ORGANIZATION_CREATION": "invited"})
        new_domain = waymark.new_domain

        def verified_domain(*arguments, **more):
            host = new_domain(*arguments, **more)
            waymark.cli("domain", "verify", "--organization", waymark.organization, host)
            return host

        waymark.new_domain, waymark.statuses = verified_domain, {}
        waymark.cluster, waymark.things = cluster, things(waymark, waymark.token()) | own_things(waymark, cluster)
        settle(waymark)
        yield waymark


def own_things(waymark, cluster):
    """Another session, a passkey and an identity of the owner who makes the requests, and a second factor."""
    waymark.session()
    email = f"session-owner@{waymark.organization}.example"
    user = cluster.sql(f"select id from users where email = '{email}'").strip()
    link = waymark.cli("user", "sign-in-link", email).stdout.strip()
    assert waymark.client.post("/v1/session", json={"code": link.rpartition("#")[2]}).status_code == 200
    waymark.client.cookies.clear()
    ids = {name: str(uuid.uuid4()) for name in ("passkey", "identity")}
    cluster.sql(
        "insert into passkeys (id, user_id, credential_id, name, algorithm, public_key, counter)"
        f" values ('{ids['passkey']}', '{user}', 'x', 'key', -7, 'x', 0);"
        "insert into identities (id, issuer, subject, user_id)"
        f" values ('{ids['identity']}', 'https://id.example', 's', '{user}')")
    sessions = waymark.api("GET", "/v1/sessions", headers=waymark.session(), token=False).json()["items"]
    [other] = [session["id"] for session in sessions if not session["current"]]
    return {
        "/v1/sessions/": {"id": other},
        "/v1/me/passkeys/": {"id": ids["passkey"]},
        "/v1/me/identities/": {"id": ids["identity"]},
    }


def settle(waymark):
    """Waits until the work that followed the fixture's changes has ended."""
    # Not the schedule, which is due at midnight.
    waymark.cluster.sql("update jobs set due_at = now() + interval '1 year' where due_at > now() + interval '1 minute'")
    eventually(lambda: is_idle(waymark), 120, what="no job")
    before = None
    while (now := contents(waymark)) != before:
        before = now
        time.sleep(2)


def is_idle(waymark):
    return waymark.cluster.sql("select count(*) from jobs where due_at < now() + interval '1 minute'").strip() == "0"


def contents(waymark):
    """A digest of each table."""
    tables = waymark.cluster.sql(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname")
    # Using a session changes a time in it.
    parts = [
        f"select '{table}', md5(coalesce(string_agg(text, ';' order by text), ''))"
        f" from (select (to_jsonb({table}) - 'last_used_at')::text as text from {table}) as rows"
        for table in tables.split() if table not in IGNORED
    ]
    return waymark.cluster.sql(" union all ".join(parts))


def request(waymark, operation, **query):
    headers, token = {"If-Match": "*"}, None
    if operation.needs_session:
        headers |= waymark.session()
        token = False
    body = SUCCEEDING.get(operation.id, operation.body)
    if operation.id == "signOut":  # A token has no session.
        headers, token = headers | waymark.session(), False
    return waymark.api(
        operation.method, filled(operation, waymark.things), body, headers, token=token,
        params=dict(operation.query) | query)


def test_nearly_all_changes_can_be_tried_out():
    changing = {o.id for o in OF_MEMBERS if o.method != "GET"}
    pure = {"evaluateDomain", "runTests", "previewPublication", "checkPublication", "previewRelease", "previewSchedule"}
    of_accounts = {o.id for o in OPERATIONS if o.right == "caller" and o.method != "GET"} - {"confirmSession"}
    assert changing - pure - {"createRelease"} | of_accounts == {operation.id for operation in TRIED}
    assert len(TRIED) > 65


@pytest.mark.parametrize("operation", TRIED, ids=str)
def test_a_dry_run_changes_nothing(setting, operation):
    # Signing in changes something.
    setting.session()
    before = contents(setting)
    answer = request(setting, operation, dryRun="true")
    assert answer.status_code < 500, answer.text
    if operation.id in SUCCEEDING:
        assert answer.status_code < 300, answer.text
    assert "Set-Cookie" not in answer.headers
    setting.statuses[operation.id] = answer.status_code
    assert contents(setting) == before, (answer.status_code, answer.text)
    assert '"level":"error"' not in setting.log()


def test_most_of_these_changes_would_have_been_made(setting):
    """Runs after the dry runs above. Otherwise they would show little."""
    if len(setting.statuses) < len(TRIED):
        pytest.skip("not all dry runs were made in this run")
    made = [operation for operation, status in setting.statuses.items() if status < 300]
    assert len(made) > 45, setting.statuses


def test_the_answer_is_that_of_the_change(setting):
    """Each of these succeeds; first tried out, then made."""
    for method, path, body, status in [
        ("POST", "/v1/teams", {"teamID": "DRYRUN0001", "name": "Dry"}, 201),
        ("PATCH", "/v1/teams/DRYRUN0001", {"name": "Drier"}, 200),
        ("POST", "/v1/domains", {"host": "tried.example.com"}, 201),
        ("PUT", "/v1/domains/tried.example.com/draft", draft("/tried"), 200),
        ("POST", "/v1/domains/tried.example.com/publications", {"message": "m"}, 202),
        ("DELETE", "/v1/teams/DRYRUN0001", None, 204),
    ]:
        if path.endswith("/publications"):
            setting.cli("domain", "verify", "--organization", setting.organization, "tried.example.com")
        headers = {"If-Match": "*"} if method == "PUT" else {}
        tried = setting.api(method, path, body, headers, params={"dryRun": "true"})
        made = setting.api(method, path, body, headers)
        assert (tried.status_code, made.status_code) == (status, status), (path, tried.text, made.text)
        if status in (200, 201):
            assert tried.json().keys() == made.json().keys(), path


def test_a_proof_of_who_one_is_cannot_be_tried_out(setting):
    """Its failures must always count."""
    for path, body in [
        ("/v1/session", {"email": "x@example.com", "password": "a wrong password"}),
        ("/v1/session/confirmations", {"password": "a wrong password"}),
        ("/v1/password-resets", {"code": "x", "password": "a new password"}),
    ]:
        tried = setting.api("POST", path, body, setting.session(), token=False, params={"dryRun": "true"})
        assert (tried.status_code, tried.json()["code"]) == (400, "unknown_parameter"), path


def test_errors_are_those_of_the_change(setting):
    for method, path, body in [
        ("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "again"}),
        ("POST", "/v1/domains", {"host": "no host"}),
        ("DELETE", "/v1/teams/ABCDE12345", None),
        ("PATCH", "/v1/teams/ABSENT0000", {"name": "x"}),
    ]:
        tried = setting.api(method, path, body, params={"dryRun": "true"})
        made = setting.api(method, path, body)
        assert tried.status_code == made.status_code >= 400
        assert tried.json()["code"] == made.json()["code"]
    refused = setting.api("POST", "/v1/teams", {"teamID": "A"}, params={"dryRun": "perhaps"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter")


def test_a_dry_run_does_not_use_up_an_idempotency_key(setting):
    body = {"teamID": "DRYRUN0002", "name": "Dry"}
    key = {"Idempotency-Key": '"a dry run and then the change"'}
    assert setting.api("POST", "/v1/teams", body, key, params={"dryRun": "true"}).status_code == 201
    made = setting.api("POST", "/v1/teams", body, key)
    assert made.status_code == 201 and "Idempotency-Replayed" not in made.headers
    assert setting.api("GET", "/v1/teams/DRYRUN0002").status_code == 200
    wrong = setting.api("POST", "/v1/teams", body, {"Idempotency-Key": "no quotes"}, params={"dryRun": "true"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_idempotency_key")


def test_a_dry_run_needs_the_same_right(setting):
    answer = setting.api(
        "POST", "/v1/teams", BODIES["createTeam"], token=setting.token("viewer"), params={"dryRun": "true"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
