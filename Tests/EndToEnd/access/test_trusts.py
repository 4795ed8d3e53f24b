"""CI jobs without a stored secret: trusts, and the exchange of tokens, with a real and a hostile issuer."""

import http.server
import subprocess
import threading
import time
import urllib.parse

import httpx
import pytest
from joserfc import jwk

from installation import EXECUTABLE, eventually, installed
from issuer import BAD_KEY, Issuer, encoded

GITHUB = {"repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/main"}


@pytest.fixture(scope="module")
def waymark():
    with installed() as installation:
        yield installation.restart(environment={"WAYMARK_LOOPBACK_ISSUERS": "true"})


@pytest.fixture
def ci(waymark):
    return CI(waymark)


class CI:
    """An organization that trusts the main branch of a repository, and the issuer of its tokens."""

    def __init__(self, waymark):
        self.waymark, self.issuer = waymark, Issuer()
        self.slug = waymark.create_organization()
        self.audience = f"{waymark.url}/{self.slug}"
        self.trust = self.create().json()

    def send(self, method, path, body=None, role="admin"):
        return self.waymark.api(method, path, body, self.waymark.session(role, self.slug), token=False)

    def create(self, **more):
        usual = {
            "name": "Deploy",
            "provider": "github",
            "issuer": self.issuer.url,
            "claims": GITHUB,
            "role": "publisher",
        }
        return self.send("POST", "/v1/trusts", usual | more)

    def token(self, **claims):
        return self.issuer.signed(self.issuer.claims(self.audience, **claims))

    def exchange(self, token, organization=None):
        body = {"organization": organization or self.slug, "token": token}
        return self.waymark.api("POST", "/v1/token-exchanges", body, token=False)

    def status(self, secret):
        return self.waymark.api("GET", "/v1/teams", token=secret).status_code

    def refusals(self):
        return self.send("GET", "/v1/events?kind=trust.refused").json()["items"]


def problem(answer):
    return answer.status_code, answer.json()["code"]


REFUSED, INVALID = (401, "token_refused"), (401, "invalid_token")


def test_a_job_exchanges_its_token_for_a_short_lived_one(ci):
    assert ci.trust["audience"] == ci.audience and ci.trust["lifetimeSeconds"] == 900
    answer = ci.exchange(ci.token())
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert made["role"] == "publisher" and made["trust"] == ci.trust["id"]
    assert made["name"] == "Deploy octocat/shop@main #123"
    [listed] = [item for item in ci.send("GET", "/v1/tokens").json()["items"] if item["trust"] == ci.trust["id"]]
    assert listed["name"] == made["name"] and listed["expiresAt"] == made["expiresAt"]
    team = {"teamID": "ABCDE12345", "name": "Team"}
    assert ci.waymark.api("POST", "/v1/teams", team, token=made["token"]).status_code == 201
    event = ci.send("GET", "/v1/events?kind=team.created").json()["items"][0]
    assert event["actor"] == {"kind": "token", "name": made["name"]}
    assert problem(ci.waymark.api("POST", "/v1/trusts", {}, token=made["token"]))[0] == 403
    assert problem(ci.send("POST", f"/v1/tokens/{listed['id']}/rotations", {})) == (409, "token_of_trust")
    assert ci.send("GET", f"/v1/trusts/{ci.trust['id']}").json()["lastUsedAt"] is not None


def test_a_token_is_exchanged_once(ci):
    token = ci.token()
    results = []
    threads = [threading.Thread(target=lambda: results.append(ci.exchange(token).status_code)) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(results) == [201] + [409] * 7
    assert problem(ci.exchange(token)) == (409, "token_used")
    plain = ci.token(jti=None)
    assert [ci.exchange(plain).status_code for _ in range(2)] == [201, 409]


@pytest.mark.parametrize(
    "claims, expected",
    [
        ({"aud": "https://other.example/x"}, REFUSED),
        ({"aud": []}, REFUSED),
        ({"aud": None}, INVALID),
        ({"aud": [7]}, INVALID),
        ({"iss": "https://token.actions.githubusercontent.com"}, REFUSED),
        ({"iss": None}, INVALID),
        ({"exp": 1000}, INVALID),
        ({"exp": None}, INVALID),
        ({"exp": "soon"}, INVALID),
        ({"exp": 10**15}, INVALID),
        ({"nbf": 4_102_444_800}, INVALID),
        ({"iat": 4_102_444_800}, INVALID),
        ({"ref": "refs/heads/mainx"}, REFUSED),
        ({"ref": "refs/tags/main"}, REFUSED),
        ({"ref": "refs/pull/7/merge", "event_name": "pull_request"}, REFUSED),  # from a fork
        ({"repository_id": "999999"}, REFUSED),  # another repository with the same name
        ({"repository_owner_id": "999999"}, REFUSED),  # transferred to another owner
        ({"repository_id": 456789}, REFUSED),
        ({"repository_id": None}, REFUSED),
    ],
    ids=str,
)
def test_a_token_with_other_claims_is_refused(ci, claims, expected):
    assert problem(ci.exchange(ci.token(**claims))) == expected
    assert ci.exchange(ci.token()).status_code == 201


def test_a_renamed_repository_and_the_new_form_of_sub_are_accepted(ci):
    for sub in ("repo:octocat/shop:ref:refs/heads/main", "repo:octocat@123456/renamed@456789:ref:refs/heads/main"):
        assert ci.exchange(ci.token(sub=sub, repository="octocat/renamed")).status_code == 201
    sub = "repo:octocat@123456/shop@456789:ref:refs/heads/main"
    changed = ci.send("PATCH", f"/v1/trusts/{ci.trust['id']}", {"claims": GITHUB | {"sub": sub}})
    assert changed.status_code == 200
    assert ci.exchange(ci.token(sub=sub)).status_code == 201
    assert problem(ci.exchange(ci.token(sub="repo:octocat/shop:ref:refs/heads/main"))) == REFUSED


def test_forged_tokens_are_refused(ci):
    claims = ci.issuer.claims(ci.audience)
    payload = encoded(claims)
    other = jwk.RSAKey.generate_key(2048, {"kid": "first"})
    good = ci.issuer.signed(claims)
    forged = [
        (encoded({"alg": "none", "kid": "first"}) + f".{payload}.", INVALID),
        (encoded({"alg": "none", "kid": "first"}) + f".{payload}.AAAA", INVALID),
        (ci.issuer.confused(claims), INVALID),
        (ci.issuer.signed(claims, other), REFUSED),
        (ci.issuer.signed(claims, kid="unknown"), REFUSED),
        (ci.issuer.signed(claims, kid=None), INVALID),
        (ci.issuer.signed(claims, algorithm="PS256"), REFUSED),
        (good.replace(payload, encoded(claims | {"ref": "refs/heads/x"})), REFUSED),
        (good[:-2], REFUSED),
        (good + ".x", INVALID),
        ("x" * 16_000, INVALID),
        (encoded({"alg": "RS256", "kid": "first", "crit": ["exp"]}) + f".{payload}.AAAA", INVALID),
        (encoded({"alg": "RS256", "kid": "first"}) + "." + encoded(b"[" * 5_000) + ".AAAA", INVALID),
    ]
    for token, expected in forged:
        assert problem(ci.exchange(token)) == expected, token[:100]
    assert ci.exchange(good).status_code == 201


def test_the_key_decides_the_algorithm(ci):
    """A key without `alg` accepts only algorithms of its type. A token cannot pin another one for later tokens."""
    elliptic = jwk.ECKey.generate_key("P-256", {"kid": "elliptic"})
    edwards = jwk.OKPKey.generate_key("Ed25519", {"kid": "edwards"})
    without = ci.issuer.public(ci.issuer.key)
    del without["alg"]
    weak = jwk.RSAKey.generate_key(1024, {"kid": "weak"})
    ci.issuer.keys = [
        BAD_KEY,
        {"kty": "oct", "kid": "first", "k": "AAAA"},
        {},
        7,
        {"kty": "RSA"},
        ci.issuer.public(weak),
        without,
        ci.issuer.public(elliptic),
        ci.issuer.public(edwards),
    ]
    claims = ci.issuer.claims(ci.audience)
    forged = encoded({"alg": "ES256", "kid": "first"}) + f".{encoded(claims)}." + encoded(b"x" * 64)
    assert problem(ci.exchange(forged)) == REFUSED
    assert problem(ci.exchange(ci.issuer.signed(claims, weak))) == REFUSED
    for key, algorithm in ((ci.issuer.key, "RS256"), (ci.issuer.key, "PS256"), (elliptic, None), (edwards, None)):
        token = ci.issuer.signed(ci.issuer.claims(ci.audience), key, algorithm)
        assert ci.exchange(token).status_code == 201, (key.kid, algorithm)
    assert problem(ci.exchange(ci.issuer.signed(claims, elliptic, kid="edwards"))) == REFUSED


def test_unknown_keys_do_not_make_waymark_ask_the_issuer_again_and_again(ci):
    assert ci.exchange(ci.token()).status_code == 201
    rotated = jwk.RSAKey.generate_key(2048, {"kid": "second"})
    for _ in range(10):
        assert problem(ci.exchange(ci.issuer.signed(ci.issuer.claims(ci.audience), rotated))) == REFUSED
    assert ci.issuer.asked == ["/.well-known/openid-configuration", "/keys"]


@pytest.mark.parametrize(
    "path, page",
    [
        ("/.well-known/openid-configuration", (302, {"Location": "/elsewhere"}, b"")),
        ("/.well-known/openid-configuration", (200, {}, b'{"issuer":"https://other.example","jwks_uri":"x"}')),
        ("/.well-known/openid-configuration", (200, {}, b"[]")),
        ("/.well-known/openid-configuration", (200, {}, b"[" * 60_000)),
        ("/.well-known/openid-configuration", (500, {}, b"")),
        ("/keys", (200, {}, b'{"keys":[' + b" " * 1_000_000 + b"]}")),
        ("/keys", (200, {}, b'{"keys":[]}')),
        ("/keys", (200, {}, b'{"keys":7}')),
        ("/keys", (200, {"Content-Encoding": "gzip"}, b"x")),
        ("/keys", (404, {}, b"")),
    ],
    ids=lambda value: str(value)[:50],
)
def test_an_issuer_with_wrong_documents_is_refused_and_its_administrators_see_why(ci, path, page):
    ci.issuer.pages[path] = page
    answer = ci.exchange(ci.token())
    assert problem(answer) == (503, "issuer_unavailable") and ci.issuer.url not in answer.text
    [event] = ci.refusals()
    assert ci.issuer.url in event["detail"]["reason"]
    assert "/elsewhere" not in ci.issuer.asked


def test_the_issuer_cannot_send_waymark_to_a_private_address(ci):
    for target in ("http://169.254.169.254/keys", "https://10.0.0.1/keys", "file:///etc/passwd", "http://[::1]/keys"):
        other = CI(ci.waymark)
        document = f'{{"issuer":"{other.issuer.url}","jwks_uri":"{target}"}}'
        other.issuer.pages["/.well-known/openid-configuration"] = (200, {}, document.encode())
        assert problem(other.exchange(other.token())) == (503, "issuer_unavailable")


def test_a_slow_issuer_delays_only_its_own_tokens(ci):
    slow = CI(ci.waymark)
    slow.issuer.delay = 60
    results = []
    threads = [threading.Thread(target=lambda: results.append(slow.exchange(slow.token()))) for _ in range(20)]
    [thread.start() for thread in threads]
    time.sleep(1)
    start = time.monotonic()
    assert ci.exchange(ci.token()).status_code == 201
    assert ci.waymark.api("GET", "/v1/teams").status_code == 200
    assert time.monotonic() - start < 4
    [thread.join() for thread in threads]
    assert {problem(result) for result in results} == {(503, "issuer_unavailable")}
    assert len(slow.issuer.asked) == 1


def test_an_answer_does_not_say_what_an_organization_trusts(ci):
    untrusting = ci.waymark.create_organization()
    answers = [
        ci.exchange(ci.token(), untrusting),
        ci.exchange(ci.token(), "no-such-organization"),
        ci.exchange(ci.token(ref="refs/heads/x")),
        ci.exchange(ci.token(aud="x")),
    ]
    bodies = [{name: value for name, value in answer.json().items() if name != "requestId"} for answer in answers]
    assert all(body == bodies[0] for body in bodies) and bodies[0]["code"] == "token_refused"


def test_a_token_for_one_organization_is_not_accepted_by_another(ci):
    other = ci.waymark.create_organization()
    made = ci.waymark.api(
        "POST",
        "/v1/trusts",
        {"name": "Deploy", "provider": "github", "issuer": ci.issuer.url, "claims": GITHUB, "role": "publisher"},
        ci.waymark.session("admin", other),
        token=False,
    )
    assert made.status_code == 201
    assert problem(ci.exchange(ci.token(), other)) == REFUSED
    assert ci.exchange(ci.token(aud=[ci.audience, f"{ci.waymark.url}/{other}"]), other).status_code == 201


def test_administrators_see_why_a_token_was_refused_but_not_more_than_once_in_ten_minutes(ci):
    for _ in range(5):
        assert problem(ci.exchange(ci.token(ref="refs/heads/x`\u202e"))) == REFUSED
    [event] = ci.refusals()
    assert event["subject"] == "Deploy"
    assert event["detail"]["reason"] == "A token has other claims: `ref` is `refs/heads/x??`, not `refs/heads/main`."
    forged = ci.issuer.signed(ci.issuer.claims(ci.audience, ref="x"), jwk.RSAKey.generate_key(2048, {"kid": "first"}))
    assert problem(ci.exchange(forged)) == REFUSED


@pytest.mark.parametrize("ending", ["change", "deletion"])
def test_a_change_or_deletion_of_a_trust_ends_its_tokens_within_a_second(ci, ending):
    secret = ci.exchange(ci.token()).json()["token"]
    assert ci.status(secret) == 200
    path = f"/v1/trusts/{ci.trust['id']}"
    if ending == "change":
        assert ci.send("PATCH", path, {"role": "viewer"}).json()["role"] == "viewer"
        assert ci.exchange(ci.token()).json()["role"] == "viewer"
    else:
        assert ci.send("DELETE", path).status_code == 204
        assert problem(ci.exchange(ci.token())) == REFUSED
        assert problem(ci.send("GET", path)) == (404, "not_found")
    eventually(lambda: ci.status(secret) == 401, 1, what="the end of the token")


def test_nobody_makes_changes_or_deletes_a_trust_above_their_own_role(ci):
    above = {"name": "Up", "issuer": ci.issuer.url, "claims": {"sub": "x"}, "role": "owner"}
    assert problem(ci.send("POST", "/v1/trusts", above)) == (403, "role_needed")
    owned = ci.send("POST", "/v1/trusts", above, "owner").json()
    path = f"/v1/trusts/{owned['id']}"
    assert problem(ci.send("PATCH", path, {"role": "viewer"})) == (403, "role_needed")
    assert problem(ci.send("DELETE", path)) == (403, "role_needed")
    assert problem(ci.send("PATCH", f"/v1/trusts/{ci.trust['id']}", {"role": "owner"})) == (403, "role_needed")
    assert problem(ci.send("GET", "/v1/trusts", role="publisher")) == (403, "forbidden")


@pytest.mark.parametrize(
    "change, pointer, code",
    [
        ({"claims": {"ref": "refs/heads/main"}}, "/claims", "claims_required"),
        ({"claims": {"repository_id": "1", "repository_owner_id": "2"}}, "/claims", "claims_required"),
        ({"claims": GITHUB | {"repository_id": "octocat/shop"}}, "/claims", "invalid_claim"),
        ({"claims": GITHUB | {"aud": "x"}}, "/claims", "reserved_claim"),
        ({"claims": GITHUB | {"run_id": 7}}, "/claims", "invalid_claim"),
        ({"claims": {}}, "/claims", "invalid_claim"),
        (
            {"provider": "gitlab", "claims": {"project_id": "1", "namespace_id": "2", "ref": "main"}},
            "/claims",
            "claims_required",
        ),
        ({"provider": "other", "claims": {"repository": "x"}}, "/claims", "claims_required"),
        (
            {"provider": "other", "issuer": "https://token.actions.githubusercontent.com", "claims": {"sub": "x"}},
            "/claims",
            "claims_required",
        ),
        ({"issuer": "https://169.254.169.254"}, "/issuer", "invalid_issuer"),
        ({"issuer": "http://issuer.example.com"}, "/issuer", "invalid_issuer"),
        ({"issuer": "https://issuer.example.com?x"}, "/issuer", "invalid_issuer"),
        ({"audience": "https://waymark.example.com/other"}, "/audience", "invalid_audience"),
        ({"lifetimeSeconds": 901}, "/lifetimeSeconds", "out_of_range"),
    ],
    ids=str,
)
def test_a_trust_that_would_accept_strangers_is_not_created(ci, change, pointer, code):
    answer = ci.create(**({"name": "Careless"} | change))
    assert answer.status_code == 422, answer.text
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in answer.json()["errors"]]


def test_gitlab_jobs_are_accepted(ci):
    claims = {"project_id": "22", "namespace_id": "72", "ref": "main", "ref_type": "branch"}
    assert ci.create(name="GitLab", provider="gitlab", claims=claims).status_code == 201
    token = ci.token(repository_id=None, project_path="acme/shop", pipeline_id="574", **claims)
    assert ci.exchange(token).json()["name"] == "GitLab acme/shop@main #574"
    assert problem(ci.exchange(ci.token(repository_id=None, **(claims | {"ref_type": "tag"})))) == REFUSED


def test_without_the_operators_permission_an_issuer_on_this_machine_is_refused(fresh_waymark):
    answer = fresh_waymark.api(
        "POST",
        "/v1/trusts",
        {"name": "Local", "issuer": "http://localhost:1", "claims": {"sub": "x"}, "role": "viewer"},
        fresh_waymark.session(),
        token=False,
    )
    assert answer.json()["errors"][0]["code"] == "invalid_issuer"


def test_a_flood_of_invalid_tokens_delays_nobody_else(ci):
    bad = ci.issuer.signed(ci.issuer.claims(ci.audience), jwk.RSAKey.generate_key(2048, {"kid": "first"}))
    end = time.monotonic() + 4
    seen = set()

    def flood():
        with httpx.Client(base_url=ci.waymark.url) as client:
            while time.monotonic() < end:
                seen.add(client.post("/v1/token-exchanges", json={"organization": ci.slug, "token": bad}).status_code)

    threads = [threading.Thread(target=flood) for _ in range(16)]
    [thread.start() for thread in threads]
    slowest = 0
    while time.monotonic() < end:
        start = time.monotonic()
        assert ci.waymark.api("GET", "/v1/teams").status_code == 200
        slowest = max(slowest, time.monotonic() - start)
    [thread.join() for thread in threads]
    assert seen <= {401, 429} and slowest < 2


def command(ci, *arguments, **environment):
    return subprocess.run(
        [EXECUTABLE, "token", "exchange", "--organization", ci.slug, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={"LANG": "C.UTF-8", "WAYMARK_URL": ci.waymark.url, **environment},
    )


def test_the_command_exchanges_the_token_of_a_job(ci):
    done = command(ci, WAYMARK_JOB_TOKEN=ci.token())
    assert done.returncode == 0, done.stderr
    assert ci.status(done.stdout.strip()) == 200 and done.stdout.count("\n") == 1
    refused = command(ci, WAYMARK_JOB_TOKEN=ci.token(ref="refs/heads/other"))
    assert refused.returncode == 3 and refused.stdout == "" and "waymark: " in refused.stderr
    nothing = command(ci)
    assert nothing.returncode == 3 and "set WAYMARK_JOB_TOKEN" in nothing.stderr


def test_the_command_asks_github_for_the_token_and_passes_the_result_to_later_steps(ci, tmp_path):
    asked = []

    class GitHub(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.headers["Authorization"], urllib.parse.urlsplit(self.path)))
            body = f'{{"count": 1, "value": "{ci.token()}"}}'.encode()
            self.send_response(200 if self.headers["Authorization"] == "Bearer of the job" else 401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    steps = tmp_path / "env"
    steps.write_text("BEFORE=1\n")
    job = {
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"http://127.0.0.1:{server.server_port}/jobs/1?api-version=2.0",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of the job",
        "GITHUB_ENV": str(steps),
    }
    try:
        done = command(ci, "--audience", ci.audience, **job)
        wrong = command(ci, "--audience", ci.audience, **job | {"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of nobody"})
    finally:
        server.shutdown()
    assert done.returncode == 0, done.stderr
    before, _, token = steps.read_text().partition("WAYMARK_TOKEN=")
    assert before == "BEFORE=1\n" and ci.status(token.strip()) == 200
    assert done.stdout == f"::add-mask::{token}" and token.strip() not in done.stderr
    assert asked[0][1].path == "/jobs/1"
    assert urllib.parse.parse_qs(asked[0][1].query) == {"api-version": ["2.0"], "audience": [ci.audience]}
    assert wrong.returncode == 3 and "GitHub gave no token for the job: it answered 401" in wrong.stderr
    assert steps.read_text().count("WAYMARK_TOKEN") == 1
