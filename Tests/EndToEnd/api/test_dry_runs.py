"""A request with `dryRun=true` gets the answer of the change, and changes nothing."""

import pytest

from contract import BODIES, DOCUMENT, OF_MEMBERS, OPERATIONS, filled
from samples import draft
from settled import SUCCEEDING, contents, settled

TRIED = [
    operation
    for operation in OPERATIONS
    if {"$ref": "#/components/parameters/DryRun"}
    in DOCUMENT["paths"][operation.path][operation.method.lower()]["parameters"]
]


@pytest.fixture(scope="module")
def setting():
    with settled() as waymark:
        waymark.statuses = {}
        yield waymark


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
