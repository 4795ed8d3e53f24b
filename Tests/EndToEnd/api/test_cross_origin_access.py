"""Pages of listed origins use the API with a token (CORS); pages of other origins do not."""

import pytest

from installation import installed

TOOLS = "https://tools.example.com"


@pytest.fixture(scope="module")
def shared(template):
    with installed(like=template) as waymark:
        waymark.restart({"WAYMARK_ALLOWED_ORIGINS": f"{TOOLS}, http://localhost:3000"})
        yield waymark


def preflight(waymark, origin, path="/v1/teams", method="POST"):
    fields = {"Origin": origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
    return waymark.client.options(path, headers=fields)


def allowed(answer):
    return answer.headers.get("Access-Control-Allow-Origin")


@pytest.mark.parametrize("origin", [TOOLS, "http://localhost:3000"])
def test_a_page_of_a_listed_origin_uses_a_token(shared, origin):
    asked = preflight(shared, origin)
    assert asked.status_code == 204 and allowed(asked) == origin and asked.headers["Vary"] == "Origin"
    assert "PATCH" in asked.headers["Access-Control-Allow-Methods"]
    assert {"Authorization", "If-Match", "Idempotency-Key"} <= set(
        asked.headers["Access-Control-Allow-Headers"].split(", "))
    made = shared.api("POST", "/v1/teams", {"teamID": f"CORS0{len(origin):05}", "name": "Team"}, {"Origin": origin})
    assert made.status_code == 201 and allowed(made) == origin
    assert "Location" in made.headers["Access-Control-Expose-Headers"]
    # Errors can be read too.
    refused = shared.client.get("/v1/teams", headers={"Origin": origin})
    assert refused.status_code == 401 and allowed(refused) == origin
    # Never with cookies.
    for answer in (asked, made, refused):
        assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://tools.example.com", f"{TOOLS}:8443", f"{TOOLS}.evil.example", "null", "*", ""],
)
def test_a_page_of_another_origin_is_not_allowed(shared, origin):
    asked = preflight(shared, origin)
    assert asked.status_code == 405 and allowed(asked) is None
    read = shared.api("GET", "/v1/teams", headers={"Origin": origin})
    assert read.status_code == 200 and allowed(read) is None and read.headers["Vary"] == "Origin"


def test_a_session_cannot_be_used_from_a_listed_origin(shared):
    session = shared.session("owner") | {"Origin": TOOLS, "Sec-Fetch-Site": "cross-site"}
    refused = shared.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "T"}, session, token=False)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_origin")
    signing_in = shared.client.post("/v1/session", json={"code": "x"}, headers={"Origin": TOOLS})
    assert (signing_in.status_code, signing_in.json()["code"]) == (403, "cross_origin")


def test_pages_and_internal_routes_are_not_shared(shared):
    for path in ("/", "/sign-in", "/internal/manifest", "/readyz"):
        assert allowed(shared.client.get(path, headers={"Origin": TOOLS})) is None
        assert preflight(shared, TOOLS, path).status_code != 204


def test_by_default_no_origin_is_allowed(waymark):
    answer = waymark.api("GET", "/v1/teams", headers={"Origin": TOOLS})
    assert answer.status_code == 200 and allowed(answer) is None and "Vary" not in answer.headers
    assert preflight(waymark, TOOLS).status_code == 405


def test_a_wrong_origin_in_the_settings_is_named(waymark):
    kept = waymark.environment
    waymark.environment = kept | {"WAYMARK_ALLOWED_ORIGINS": "https://tools.example.com/path"}
    try:
        result = waymark.cli("organization", "list", check=False)
    finally:
        waymark.environment = kept
    assert result.returncode != 0 and "must be origins such as" in result.stderr
