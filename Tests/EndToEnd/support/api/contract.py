"""Reads the API's contract. Lists every operation with its required right and a valid request."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from installation import REPOSITORY
from samples import APP, OTHER_APP, draft


def _document():
    """Assembles the document from the files in `contract/`, as the service does."""
    folder = REPOSITORY / "contract"
    document = json.loads((folder / "openapi.json").read_text()) | {"paths": {}}
    for file in sorted(folder.rglob("*.json")):
        part = file.relative_to(folder).parts[0].removesuffix(".json")
        if part != "openapi":
            parts = document if part == "paths" else document["components"]
            parts.setdefault(part, {}).update(json.loads(file.read_text()))
    return document


DOCUMENT = _document()
ROLES = ["viewer", "editor", "publisher", "admin", "owner"]

SOON = (datetime.now(UTC) + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")

TRUST = {
    "name": "Deploy",
    "provider": "github",
    "claims": {"repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/main"},
    "role": "viewer",
}

# A valid body for each operation that has one.
BODIES = {
    "lintFile": {"applinks": {}},
    "evaluateFile": {"aasa": "{}", "urls": ["/"]},
    "signIn": {"code": "x"},
    "createTeam": {"teamID": "BODYTEAM01", "name": "Team"},
    "changeTeam": {"name": "Changed"},
    "createApp": {"teamID": "ABCDE12345", "bundleID": "com.body"},
    "changeApp": {"name": "Changed"},
    "createDomain": {"host": "body.waymark-tests.com"},
    "changeDomain": {"labels": ["changed"]},
    "verifyDomain": {"method": "local"},
    "replaceDraft": draft("/changed"),
    "resetDraft": {"version": 1},
    "createRule": {"path": "/new"},
    "changeRule": {"path": "/changed"},
    "importFile": {"applinks": {}},
    "evaluateDomain": {"urls": ["/"]},
    "createTest": {"url": "/changed", "expected": {"outcome": "none"}},
    "changeTest": {"note": "changed"},
    "importTests": {"tests": [{"url": "/imported", "expected": {"outcome": "none"}}]},
    "runTests": {},
    "createVersion": {},
    "createPublication": {"version": 1},
    "showBlobs": {"sha256": ["0" * 64]},
    "takeReport": {
        "consumer": "contract", "kind": "edge", "process": "contract", "sequence": 1, "activation": 0, "hosts": 0,
        "held": [], "heldCount": 0, "fetches": [],
    },
    "createWithdrawal": {"reason": "the campaign is over"},
    "createSchedule": {"name": "body", "label": "none", "expression": "@daily", "zone": "UTC"},
    "previewSchedule": {"expression": "@daily", "zone": "UTC"},
    "changeSchedule": {"message": "changed"},
    "createFreeze": {"label": "none", "reason": "the sale", "endsAt": SOON},
    "createRelease": {"label": "released"},
    "previewPublication": {},
    "checkPublication": {},
    "previewRelease": {"label": "released"},
    "createRollback": {},
    "createReplacement": {"with": APP},
    "changeMember": {"role": "viewer"},
    "confirmSession": {"password": "x"},
    "changeMe": {"name": "Changed"},
    "setSignInProvider": {"issuer": "https://id.waymark-tests.invalid", "clientId": "waymark"},
    "beginProviderSignIn": {"organization": "acme"},
    "finishProviderSignIn": {"state": "x", "code": "x"},
    "beginIdentityConnection": {"organization": "acme"},
    "addPasskey": {"name": "Key", "clientDataJSON": "e30", "authenticatorData": "e30"},
    "changePassword": {"password": "too short"},
    "mailPasswordReset": {"email": "body@example.com"},
    "resetPassword": {"code": "x", "password": "correct pony staple wagon"},
    "mailSignUp": {"email": "body@example.com"},
    "signUp": {"code": "x", "name": "Body", "password": "correct pony staple wagon"},
    "createOrganization": {"slug": "body"},
    "setSecondFactor": {"code": "123456"},
    "changeOrganization": {},
    "restoreRecords": {"records": []},
    # Another slug: the deletion of a shared organization must not begin.
    "requestDeletion": {"slug": "another"},
    "createInvitation": {"email": "body@example.com", "role": "viewer"},
    "renewInvitation": {"delivery": "link"},
    "viewInvitation": {"code": "x"},
    "acceptInvitation": {"code": "x"},
    "createToken": {"name": "body", "role": "viewer"},
    "rotateToken": {},
    "createTrust": TRUST | {"name": "body"},
    "changeTrust": {"lifetimeSeconds": 300},
    "createApprovalPolicy": {"label": "none", "approvals": 1},
    "changeApprovalPolicy": {"approvals": 2},
    "requestApproval": {"label": "guarded", "message": "the summer sale"},
    "commentOnApprovalRequest": {"text": "why?"},
    "giveApproval": {},
    "rejectApprovalRequest": {"reason": "no"},
    "exchangeToken": {"organization": "body", "token": "e30.e30.AAAA"},
}


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    right: str
    # The required query parameters, with the values of the examples in the contract.
    query: tuple = ()
    # Only a signed-in person can use it, not a token.
    needs_session: bool = False

    @property
    def body(self):
        return BODIES.get(self.id)

    @property
    def names_a_thing(self):
        return "{" in self.path

    def __str__(self):
        return self.id


def _operations():
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                query = tuple(
                    (parameter["name"], parameter["example"])
                    for parameter in operation["parameters"]
                    if parameter.get("in") == "query" and parameter.get("required")
                )
                needs_session = operation["security"] == [{"session": []}]
                yield Operation(
                    operation["operationId"], method.upper(), path, operation["x-right"], query, needs_session
                )


def codes(path, method, status):
    """The codes that an operation's problem with this status can have: `x-codes` of the response."""
    reference = DOCUMENT["paths"][path][method.lower()]["responses"].get(str(status), {}).get("$ref", "")
    return DOCUMENT["components"]["responses"].get(reference.rpartition("/")[2], {}).get("x-codes", [])


NIGHTLY = {"name": "nightly", "label": "none", "expression": "@daily", "zone": "UTC"}
OPERATIONS = list(_operations())
OF_MEMBERS = [operation for operation in OPERATIONS if operation.right in ROLES]


def things(waymark, token):
    """Creates one resource of every kind in an organization. Returns their path parameters by the path's prefix."""
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"}, token=token)
    host = waymark.new_domain(draft("/own"), token=token)
    publication = waymark.publish(host, token=token)
    rule = waymark.api("GET", f"/v1/domains/{host}/rules", token=token).json()["items"][0]["id"]
    leaving = waymark.new_domain(draft("/leaving"), token=token)
    waymark.publish(leaving, token=token)
    withdrawal = waymark.api(
        "POST", f"/v1/domains/{leaving}/withdrawals", {"reason": "the campaign is over"}, token=token
    ).json()["id"]
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.other"}, token=token)
    replacement = waymark.api("POST", f"/v1/apps/{OTHER_APP}/replacements", {"with": APP}, token=token).json()
    released = waymark.new_domain(draft("/released"), token=token)
    waymark.api("PATCH", f"/v1/domains/{released}", {"labels": ["released"]}, token=token)
    release = waymark.release({"hosts": [released]}, token=token)
    test = waymark.api(
        "POST", f"/v1/domains/{host}/tests", {"url": "/own", "expected": {"outcome": "opens", "app": APP}}, token=token
    ).json()["id"]
    schedule = waymark.api("POST", "/v1/schedules", NIGHTLY, token=token).json()["id"]
    run = waymark.api("POST", f"/v1/schedules/{schedule}/runs", token=token).json()["id"]
    freeze = waymark.api(
        "POST", "/v1/freezes", {"label": "none", "reason": "the sale", "endsAt": SOON}, token=token
    ).json()["id"]
    member = waymark.api("GET", "/v1/members", token=token).json()["items"][0]["id"]
    issued = waymark.api("GET", "/v1/tokens", token=token).json()["items"][0]["id"]
    slug = waymark.api("GET", "/v1/me", token=token).json()["organizations"][0]["slug"]
    owner = waymark.session(organization=slug)
    invitation = waymark.api(
        "POST", "/v1/invitations", {"email": "invited@example.com", "role": "viewer"}, owner, token=False
    ).json()["id"]
    trust = waymark.api("POST", "/v1/trusts", TRUST, owner, token=False).json()["id"]
    guarded = waymark.new_domain(draft("/guarded"), token=token)
    waymark.api("PATCH", f"/v1/domains/{guarded}", {"labels": ["guarded"]}, token=token)
    policy = waymark.api(
        "POST", "/v1/approval-policies", {"label": "guarded", "approvals": 1}, owner, token=False
    ).json()["id"]
    request = waymark.api(
        "POST", "/v1/approval-requests", {"hosts": [guarded], "message": "the summer sale"}, token=token
    ).json()["id"]
    return {
        "/v1/members": {"id": member},
        "/v1/trusts": {"id": trust},
        "/v1/approval-policies": {"id": policy},
        "/v1/approval-requests": {"id": request},
        "/v1/tokens": {"id": issued},
        "/v1/invitations": {"id": invitation},
        "/v1/schedules/{id}": {"id": schedule, "run": run},
        "/v1/freezes/{id}": {"id": freeze},
        "/v1/teams": {"teamID": "ABCDE12345"},
        "/v1/apps": {"appID": APP},
        "/v1/apps/{appID}/replacements": {"appID": OTHER_APP, "id": replacement["id"]},
        "/v1/domains": {"host": host, "number": "1", "kind": "nginx"},
        "/v1/domains/{host}/rules": {"host": host, "id": rule},
        "/v1/domains/{host}/tests": {"host": host, "id": test},
        "/v1/domains/{host}/publications": {"host": host, "id": publication["id"]},
        "/v1/releases": {"id": release["id"]},
        "/v1/domains/{host}/withdrawals": {"host": leaving, "id": withdrawal},
    }


def filled(operation, things):
    """The operation's path with parameters filled in. They are those of the longest matching prefix in `things`."""
    known = max((prefix for prefix in things if operation.path.startswith(prefix)), key=len, default=None)
    return operation.path.format(**things[known]) if known else operation.path
