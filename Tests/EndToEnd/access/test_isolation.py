"""Isolation of tenants, and rights of roles, for every operation of the contract."""

import re

import httpx
import pytest

from contract import OF_MEMBERS, OPERATIONS, ROLES, filled, things

ABSENT = {
    "teamID": "ABSENT0000",
    "appID": "ABSENT0000.com.absent",
    "host": "absent.example",
    "number": "1",
    "id": "00000000-0000-0000-0000-000000000000",
    "kind": "nginx",
    "run": "00000000-0000-0000-0000-000000000000",
}


# The resources that they create would exist when the next role asks.
CREATING = (
    "createTeam",
    "createApp",
    "createDomain",
    "createSchedule",
    "createFreeze",
    "createRelease",
    "createToken",
    "createInvitation",
    "createTrust",
    "setSignInProvider",
    "createApprovalPolicy",
    "requestApproval",
    "requestDeletion",
)


@pytest.fixture(scope="module")
def slugs(waymark):
    return [waymark.create_organization() for _ in range(2)]


@pytest.fixture(scope="module")
def owners(waymark, slugs):
    """The tokens of two organizations' owners."""
    return [waymark.token(organization=slug) for slug in slugs]


@pytest.fixture(scope="module")
def theirs(waymark, owners):
    """The resources of the first organization."""
    return things(waymark, owners[0])


def call(waymark, operation, path, role="owner", organization=None, body=None):
    """Sends a request with a token, or in a session if the operation needs one."""
    headers = {"If-Match": "*"}
    token = False
    if operation.needs_session:
        headers |= waymark.session(role, organization)
    else:
        token = waymark.token(role, organization)
    body = operation.body if body is None else body
    return waymark.api(operation.method, path, body, headers, token=token, params=dict(operation.query) or None)


def shape(answer, path):
    """An answer without the parts that differ between requests: the request's ID and the requested names."""
    body = re.sub(r'"requestId":"[^"]*"', "", answer.text)
    for part in sorted(path.split("/"), key=len, reverse=True):
        if len(part) > 2 and part not in (
            "domains",
            "versions",
            "rules",
            "publication-previews",
            "publication-checks",
            "publications",
            "tests",
            "test-imports",
            "test-runs",
            "withdrawals",
            "releases",
            "replacements",
            "rollbacks",
            "snippets",
            "schedules",
            "runs",
            "outcomes",
            "freezes",
            "teams",
            "apps",
            "members",
            "tokens",
            "trusts",
            "approval-policies",
            "approval-requests",
            "approvals",
            "rejections",
            "comments",
            "rotations",
            "invitations",
            "renewals",
            "draft",
            "resets",
            "file",
        ):
            body = body.replace(part, "…")
    differing = ("request-id", "date", "content-length", "ratelimit")
    fields = {name: value for name, value in answer.headers.items() if name not in differing}
    return answer.status_code, body, fields


@pytest.mark.parametrize("operation", [o for o in OF_MEMBERS if o.names_a_thing], ids=str)
def test_resources_of_another_organization_look_as_if_they_did_not_exist(waymark, slugs, theirs, operation):
    foreign = filled(operation, theirs)
    absent = operation.path.format(**ABSENT)
    got, expected = (call(waymark, operation, path, organization=slugs[1]) for path in (foreign, absent))
    assert got.status_code == 404, got.text
    assert shape(got, foreign) == shape(expected, absent)


@pytest.mark.parametrize("operation", [o for o in OF_MEMBERS if not o.names_a_thing and o.id.startswith("list")], ids=str)
def test_lists_show_nothing_of_another_organization(waymark, slugs, theirs, operation):
    first, second = (call(waymark, operation, operation.path, organization=slug).json()["items"] for slug in slugs)
    assert first != []
    if operation.id in ("listMembers", "listTokens"):  # Every organization has some.
        assert {item["id"] for item in first}.isdisjoint(item["id"] for item in second)
        return
    # The events of an organization start with its own creation.
    own = ("organization.created", "member.role_set", "token.created")
    assert [item for item in second if item.get("kind") not in own] == []


def test_the_second_organization_changed_nothing_of_the_first(waymark, owners, theirs):
    """Runs after the requests of the other organization above, including deletions."""
    host = theirs["/v1/domains"]["host"]
    domain = waymark.api("GET", f"/v1/domains/{host}", token=owners[0]).json()
    assert (domain["draft"]["revision"], domain["labels"], domain["live"]["version"]) == (2, [], 1)
    tests = waymark.api("GET", f"/v1/domains/{host}/tests", token=owners[0]).json()["items"]
    assert [(test["url"], test["revision"], test["note"]) for test in tests] == [("/own", 1, "")]
    assert waymark.api("GET", "/v1/teams/ABCDE12345", token=owners[0]).json()["name"] == "Team"


@pytest.mark.parametrize("operation", OF_MEMBERS, ids=str)
def test_every_role_has_exactly_its_rights(waymark, operation):
    """The requests name missing resources, so a role with the right gets 404 and nothing changes."""
    path = operation.path.format(**ABSENT)
    needed = ROLES.index(operation.right)
    for rank, role in enumerate(ROLES):
        if rank >= needed and operation.id in CREATING:
            answer = call(waymark, operation, path, role, body={"odd": 1})
            assert answer.status_code == 422, (role, answer.text)
            continue
        answer = call(waymark, operation, path, role)
        if rank < needed:
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), role
        else:
            done = (200, 204) if operation.method == "DELETE" else (200,)
            assert answer.status_code in ((404,) if operation.names_a_thing else done), (role, answer.text)


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.right != "anyone"], ids=str)
def test_requests_without_a_valid_credential_are_refused(waymark, theirs, operation):
    good = waymark.token()
    path = filled(operation, theirs).replace("{sha256}", "0" * 64)
    bad = [
        None,
        "",
        "Bearer",
        "Bearer x",
        f"Bearer {good[:-1]}",
        f"Bearer {good}x",
        "Bearer wm_" + "a" * 40,
        f"Basic {good}",
        f"Bearer {good.upper()}",
        f"Bearer \u00e9{good}".encode().decode("latin-1"),
    ]
    for credential in bad:
        headers = {} if credential is None else {"Authorization": credential.encode("latin-1")}
        answer = waymark.api(operation.method, path, operation.body, headers, token=False)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), credential
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_of_an_organization_is_not_a_consumer_credential(waymark):
    for path in ["/internal/manifest", "/internal/blobs/" + "0" * 64]:
        assert waymark.api("GET", path).status_code == 401
    assert waymark.api("POST", "/internal/reports", {}).status_code == 401
    secret = (waymark.state / "consumer-secret").read_text().strip()
    headers = {"Authorization": f"Bearer {secret}"}
    assert httpx.get(f"{waymark.url}/internal/manifest", headers=headers).status_code == 200
    assert httpx.get(f"{waymark.url}/internal/blobs/{'0' * 64}", headers=headers).status_code == 404
    assert httpx.get(f"{waymark.url}/v1/teams", headers=headers).status_code == 401


def test_a_token_acts_only_for_its_own_organization(waymark, owners):
    own = waymark.api("GET", "/v1/me", token=owners[0]).json()["organizations"][0]["slug"]
    other = waymark.api("GET", "/v1/me", token=owners[1]).json()["organizations"][0]["slug"]
    named = waymark.api("GET", "/v1/teams", headers={"Waymark-Organization": own}, token=owners[0])
    assert named.status_code == 200
    foreign = waymark.api("GET", "/v1/teams", headers={"Waymark-Organization": other}, token=owners[0])
    absent = waymark.api("GET", "/v1/teams", headers={"Waymark-Organization": "nobody"}, token=owners[0])
    assert foreign.status_code == absent.status_code == 404
    assert foreign.json()["detail"].replace(other, "nobody") == absent.json()["detail"]
