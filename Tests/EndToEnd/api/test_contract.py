"""Schemathesis against the running service: an owner, a viewer and a consumer of the snapshot get the answers that the
contract describes, and no request gives a 5xx."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pyotp
import pytest

from authenticator import Authenticator
from contract import BODIES, DOCUMENT, OPERATIONS
from mail_server import MailServer, code
from provider import Provider
from samples import APP, OTHER_APP, draft

SUPPORT = Path(__file__).parents[1] / "support"


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def schemathesis(waymark, folder, fields, *arguments):
    folder.mkdir()
    contract = folder / "openapi.json"
    contract.write_text(json.dumps(DOCUMENT))
    command = [
        Path(sys.executable).parent / "schemathesis",
        "--config-file",
        SUPPORT / "api/schemathesis.toml",
        "run",
        contract,
        "--url",
        waymark.url,
        *(part for name, value in fields.items() for part in ("--header", f"{name}: {value}")),
        "--continue-on-failure",
        "--no-shrink",
        "--output-truncate",
        "true",
        *arguments,
    ]
    hooks = {"SCHEMATHESIS_HOOKS": "schemathesis_checks", "PYTHONPATH": os.pathsep.join(map(str, SUPPORT.iterdir()))}
    result = subprocess.run(
        command, cwd=folder, env=os.environ | hooks, capture_output=True, text=True, timeout=880
    )
    lines = [line[:300] for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    start = next((number for number, line in enumerate(lines) if "FAILURES" in line or "ERRORS" in line), -40)
    return result.returncode, "\n".join(lines[start:][:150])


def answers(waymark):
    """The statuses with which each operation has answered, from the service's metrics."""
    found = {}
    pattern = r'waymark_http_requests_total\{method="(\w+)",route="([^"]+)",status="(\d+)"\}'
    for method, route, status in re.findall(pattern, httpx.get(f"{waymark.metrics_url}/metrics").text):
        found.setdefault((method, route), set()).add(int(status))
    return found


def require_approval(waymark, person):
    """Requires approvals, and approves, rejects and cancels requests."""

    def made(path, body, status=201, **more):
        answer = waymark.api("POST", path, body, **more)
        assert answer.status_code == status, answer.text
        return answer.json()["id"]

    guarded = waymark.new_domain(draft("/guarded"), host="guarded.example", labels=["guarded"])
    policy = made("/v1/approval-policies", {"label": "guarded", "approvals": 1}, headers=person, token=False)
    path = f"/v1/approval-policies/{policy}"
    assert waymark.api("PATCH", path, {"approvals": 1}, person, token=False).status_code == 200
    assert waymark.api("GET", path).status_code == 200
    for act in ("approvals", "rejections", None):
        request = made("/v1/approval-requests", {"hosts": [guarded], "message": "why"})
        path = f"/v1/approval-requests/{request}"
        made(f"{path}/comments", BODIES["commentOnApprovalRequest"], 200)
        if act:
            body = BODIES["giveApproval" if act == "approvals" else "rejectApprovalRequest"]
            made(f"{path}/{act}", body, 200, headers=person, token=False)
        else:
            assert waymark.api("DELETE", path).status_code == 200
        assert waymark.api("GET", path).status_code == 200
    other = made("/v1/approval-policies", {"label": "other", "approvals": 1}, headers=person, token=False)
    path = f"/v1/approval-policies/{other}"
    assert waymark.api("DELETE", path, headers=person, token=False).status_code == 204


@pytest.fixture
def mail_server():
    server = MailServer()
    yield server
    server.stop()


@pytest.mark.timeout(900)
def test_every_operation_answers_as_the_contract_describes(fresh_waymark, mail_server, tmp_path):
    waymark = fresh_waymark
    mail = mail_server.settings(tmp_path, WAYMARK_PUBLIC_URL=waymark.url)
    waymark.restart(mail | {"WAYMARK_ORGANIZATION_CREATION": "anyone", "WAYMARK_LOOPBACK_ISSUERS": "true"})
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"})
    rules = [{"id": f"rule-{number}", "path": f"/{number}"} for number in range(1, 4)]
    waymark.new_domain({"entries": [{"apps": [APP], "rules": rules}]}, host="contract.example")
    waymark.publish("contract.example")
    # The runs are parallel, and one may delete a rule before another reads it.
    for method, body in [("GET", None), ("PATCH", {"path": "/changed"})]:
        path = "/v1/domains/contract.example/rules/rule-1"
        assert waymark.api(method, path, body, {"If-Match": "*"} if body else None).status_code == 200
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.other"})
    assert waymark.api("POST", f"/v1/apps/{OTHER_APP}/replacements", {"with": APP}).status_code < 300
    path = "/v1/domains/contract.example/rules"
    assert waymark.api("POST", path, BODIES["createRule"], {"If-Match": "*"}).status_code < 300
    waymark.new_domain(draft("/leaving"), host="leaving.example")
    waymark.publish("leaving.example")
    path = "/v1/domains/leaving.example/withdrawals"
    made = waymark.api("POST", path, {"reason": "the campaign is over"}).json()
    assert waymark.api("GET", f"{path}/{made['id']}").status_code == 200
    made = waymark.api("POST", "/v1/schedules", BODIES["createSchedule"]).json()
    path = f"/v1/schedules/{made['id']}"
    assert waymark.api("PATCH", path, BODIES["changeSchedule"], {"If-Match": "*"}).status_code == 200
    run = waymark.api("POST", f"{path}/runs").json()["id"]
    for there in [path, f"{path}/runs", f"{path}/runs/{run}", f"{path}/runs/{run}/outcomes"]:
        assert waymark.api("GET", there).status_code == 200
    made = waymark.api("POST", "/v1/freezes", BODIES["createFreeze"]).json()
    assert waymark.api("GET", f"/v1/freezes/{made['id']}").status_code == 200
    made = waymark.api("POST", "/v1/domains/contract.example/tests", BODIES["createTest"]).json()
    path = f"/v1/domains/contract.example/tests/{made['id']}"
    assert waymark.api("GET", path).status_code == 200
    assert waymark.api("PATCH", path, BODIES["changeTest"], {"If-Match": "*"}).status_code == 200
    path = "/v1/domains/contract.example/import"
    assert waymark.api("POST", path, BODIES["importFile"], {"If-Match": "*"}).status_code == 200
    waymark.put_draft("contract.example", draft("/released"))
    assert waymark.api("POST", "/v1/release-previews", {"hosts": ["contract.example"]}).status_code == 200
    made = waymark.release({"hosts": ["contract.example"]})
    assert waymark.api("POST", f"/v1/releases/{made['id']}/rollbacks", BODIES["createRollback"]).status_code == 202
    consumer = (waymark.state / "consumer-secret").read_text().strip()
    live = waymark.api("GET", "/v1/domains/leaving.example").json()["live"]["sha256"]
    waymark.served("leaving.example", live)
    there = f"{waymark.url}/internal/blobs/{live}"
    assert httpx.get(there, headers={"Authorization": f"Bearer {consumer}"}).status_code == 200
    person = waymark.session()
    member = waymark.api("GET", "/v1/members").json()["items"][0]
    path = f"/v1/members/{member['id']}"
    assert waymark.api("PATCH", path, {"role": member["role"]}, person, token=False).status_code == 200
    made = waymark.api("POST", "/v1/tokens", BODIES["createToken"], person, token=False).json()["token"]
    path = f"/v1/tokens/{made['id']}"
    assert waymark.api("POST", f"{path}/rotations", BODIES["rotateToken"], person, token=False).status_code == 201
    assert waymark.api("GET", path).status_code == 200
    use_an_account(waymark, mail_server)
    use_a_provider(waymark)
    made = waymark.api("POST", "/v1/trusts", BODIES["createTrust"], person, token=False).json()
    path = f"/v1/trusts/{made['id']}"
    assert waymark.api("PATCH", path, BODIES["changeTrust"], person, token=False).status_code == 200
    assert waymark.api("GET", path).status_code == 200
    require_approval(waymark, person)
    runs = {
        "owner": (bearer(waymark.token()), "--exclude-path-regex", "^/internal"),
        # Only the lists: ending a token or a membership could end the other runs.
        "person": (
            person,
            "--include-path-regex",
            "^/v1/(tokens|trusts|members|invitations)$",
            "--max-examples",
            "5",
            "--phases",
            "examples,fuzzing",
        ),
        "viewer": (
            bearer(waymark.token("viewer")),
            "--exclude-path-regex",
            "^/internal",
            "--max-examples",
            "5",
            "--phases",
            "examples,fuzzing",
        ),
        "consumer": (
            bearer(consumer),
            "--include-path-regex",
            "^/internal",
            "--max-examples",
            "5",
            "--phases",
            "coverage,fuzzing",
        ),
    }
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda name: schemathesis(waymark, tmp_path / name, *runs[name]), runs))
    for name, (status, words) in zip(runs, results):
        assert status == 0, f"as {name}:\n{words}"

    seen = answers(waymark)
    for operation in OPERATIONS:
        statuses = seen.get((operation.method, operation.path), set())
        assert statuses, f"{operation} was never asked"
        # Most existing things are in use, so few deletions succeed. A sign-in requires a code, and an exchange a token.
        if operation.method != "DELETE" and operation.id not in ("signIn", "exchangeToken"):
            assert any(status < 300 for status in statuses), f"{operation} never succeeded: {statuses}"
    assert not [statuses for statuses in seen.values() if any(status >= 500 for status in statuses)]
    assert '"level":"error"' not in waymark.log()


def use_a_provider(waymark):
    """Uses the routes for signing in with a provider. The fuzzer has none."""
    provider, owner = Provider(), waymark.session()
    settings = provider.settings(domains=["contract.example"])

    def done(method, path, json=None, headers=None, cookies=None):
        answer = httpx.request(method, waymark.url + path, json=json, headers=headers, cookies=cookies)
        assert answer.status_code < 300, answer.text
        return answer

    done("PUT", "/v1/sign-in-provider", settings, owner)
    begun = done("POST", "/v1/provider-sign-ins", {"organization": waymark.organization})
    person = {"email": "contract-person@contract.example", "email_verified": True}
    answer = provider.grant(begun.json()["location"], "contract", **person)
    done("POST", "/v1/provider-sign-ins/completions", answer, cookies=dict(begun.cookies))
    begun = done("POST", "/v1/me/identity-connections", {"organization": waymark.organization}, owner)
    [(cookie, secret)] = dict(begun.cookies).items()
    mine = owner | {"Cookie": f"{owner['Cookie']}; {cookie}={secret}"}
    finished = done(
        "POST", "/v1/provider-sign-ins/completions", provider.grant(begun.json()["location"], "mine"), mine)
    # The session has a new secret.
    [(cookie, secret)] = dict(finished.cookies).items()
    owner["Cookie"] = f"{cookie}={secret}"
    [identity] = done("GET", "/v1/me/identities", headers=owner).json()["items"]
    done("DELETE", f"/v1/me/identities/{identity['id']}", headers=owner)
    done("DELETE", "/v1/sign-in-provider", headers=owner)


def use_an_account(waymark, mail_server):
    """Uses the routes of a signed-in person that need values of their own. The fuzzer cannot guess these."""
    with httpx.Client(base_url=waymark.url, headers={"Sec-Fetch-Site": "same-origin"}) as browser:
        def done(method, path, json=None):
            answer = browser.request(method, path, json=json)
            assert answer.status_code < 300, answer.text
            return answer.json() if answer.content else None

        done("POST", "/v1/session", {"code": waymark.sign_in_link().partition("#")[2]})
        done("POST", "/v1/session/confirmations", {"code": waymark.sign_in_link().partition("#")[2]})
        done("PATCH", "/v1/me", BODIES["changeMe"])
        done("PUT", "/v1/me/password", {"password": "correct pony staple wagon"})
        app = pyotp.parse_uri(done("POST", "/v1/me/totp-secrets")["uri"])
        done("PUT", "/v1/me/second-factor", {"code": app.now()})
        done("GET", "/v1/me/second-factor")
        done("POST", "/v1/me/recovery-codes")
        done("DELETE", "/v1/me/second-factor")
        key = Authenticator(waymark.url)
        made = key.create(done("POST", "/v1/me/passkey-challenges")["challenge"])
        made = done("POST", "/v1/me/passkeys", {"name": "Contract", **made})["passkey"]
        done("POST", "/v1/session", {"passkey": key.use(done("POST", "/v1/passkey-challenges")["challenge"])})
        done("GET", "/v1/me/passkeys")
        done("DELETE", f"/v1/me/passkeys/{made['id']}")
        done("GET", "/v1/sessions")
        done("DELETE", "/v1/sessions")
        made = done("POST", "/v1/invitations", {"email": "contract@example.com", "role": "viewer"})
        made = done("POST", f"/v1/invitations/{made['id']}/renewals", BODIES["renewInvitation"])
        done("GET", f"/v1/invitations/{made['id']}")
        invited = made["link"].partition("#")[2]
        done("POST", "/v1/invitation-views", {"code": invited})
        # The last, because a user with two organizations has to name one.
        done("POST", "/v1/organizations", {"slug": "contract-of-an-owner"})
        mine = {"Waymark-Organization": "contract-of-an-owner"}
        assert browser.get("/v1/organization", headers=mine).status_code == 200
        assert browser.patch("/v1/organization", json={"name": "Contract"}, headers=mine).status_code == 200
        slug = {"slug": "contract-of-an-owner"}
        assert browser.post("/v1/organization/deletion", json=slug, headers=mine).status_code == 200
        assert browser.delete("/v1/organization/deletion", headers=mine).status_code == 200
        assert browser.get("/v1/organization/export", headers=mine).status_code == 200
        empty = {"records": []}
        assert browser.post("/v1/organization/restorations", json=empty, headers=mine).status_code == 200
        done("DELETE", "/v1/session")
        new = {"code": invited, "name": "Contract", "password": "correct pony staple wagon"}
        done("POST", "/v1/invitation-acceptances", new)
        done("DELETE", "/v1/session")
        done("POST", "/v1/sign-up-mails", {"email": "new@example.com"})
        signing_up = code(mail_server.next_to("new@example.com"))
        new = {"code": signing_up, "name": "New", "password": "seven quiet rivers bend"}
        done("POST", "/v1/sign-ups", new)
        done("DELETE", "/v1/session")
        done("POST", "/v1/password-reset-mails", {"email": "contract@example.com"})
        forgotten = code(mail_server.next_to("contract@example.com"))
        done("POST", "/v1/password-resets", {"code": forgotten, "password": "seven quiet rivers bend"})


def test_the_service_serves_its_contract(waymark):
    answer = httpx.get(f"{waymark.url}/v1/openapi.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json() == DOCUMENT
    known = httpx.get(f"{waymark.url}/v1/openapi.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert known.status_code == 304 and known.headers["ETag"] == answer.headers["ETag"]


def test_every_reference_of_the_contract_resolves_and_every_part_is_used():
    def references(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "$ref":
                    yield inner
                else:
                    yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    used = set(references(DOCUMENT))
    parts = {
        f"#/components/{kind}/{name}"
        for kind, named in DOCUMENT["components"].items()
        if kind != "securitySchemes"
        for name in named
    }
    assert used <= parts
    # No operation answers this; other methods on its path do.
    assert parts - used == {"#/components/responses/MethodNotAllowed"}


def test_every_operation_with_a_body_has_an_example_in_these_tests():
    taking = {o["operationId"] for item in DOCUMENT["paths"].values() for o in item.values() if "requestBody" in o}
    assert taking == set(BODIES)


def test_every_object_of_the_contract_has_a_name_and_every_tag_is_declared():
    def inline(value, path):
        if isinstance(value, dict):
            if "properties" in value and path.count("/") > 3 and not path.endswith(CONDITIONS):
                yield path
            for key, inner in value.items():
                yield from inline(inner, f"{path}/{key}")
        elif isinstance(value, list):
            for place, inner in enumerate(value):
                yield from inline(inner, f"{path}/{place}")

    # A condition on a named object is not an object.
    CONDITIONS = ("/if", "/then", "/not")
    assert list(inline(DOCUMENT, "")) == []
    schemas = DOCUMENT["components"]["schemas"]
    assert not [name for name in ("NewRelease", "NewSchedule", "PostedQuestion") if "oneOf" in schemas[name]]
    lists = [schema["properties"] for schema in schemas.values() if "next" in schema.get("properties", {})]
    assert lists and all(properties["next"]["type"] == ["string", "null"] for properties in lists)
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    operations = [o for path in DOCUMENT["paths"].values() for key, o in path.items() if key != "parameters"]
    assert {tag for operation in operations for tag in operation["tags"]} == tags
