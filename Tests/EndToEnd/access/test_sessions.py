"""Sign-in with a one-time link, the rights of a session, and the security headers of pages."""

import httpx
import pytest

from installation import REPOSITORY

SAFE_POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.fixture
def cookies(waymark):
    return waymark.sign_in()


def ask(waymark, method, path, cookies=None, json=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.Client(base_url=waymark.url, cookies=cookies, verify=False) as client:
        return client.request(method, path, json=json, headers=headers)


def test_a_link_signs_in_once(waymark):
    link = waymark.sign_in_link()
    assert link.startswith(f"{waymark.url}/sign-in#")
    code = link.partition("#")[2]
    first = ask(waymark, "POST", "/v1/session", json={"code": code})
    assert first.status_code == 200
    assert first.json()["user"]["email"] == "owner@acme.example"
    assert [o["slug"] for o in first.json()["organizations"]] == ["acme"]
    assert first.json()["installation"]["local"] is True
    again = ask(waymark, "POST", "/v1/session", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (401, "invalid_code")
    for wrong in ["x", "a" * 40, code.upper(), code[:-1]]:
        assert ask(waymark, "POST", "/v1/session", json={"code": wrong}).status_code == 401


def test_scripts_and_other_sites_cannot_use_the_cookie(waymark):
    code = waymark.sign_in_link().partition("#")[2]
    answer = ask(waymark, "POST", "/v1/session", json={"code": code})
    parts = [part.strip() for part in answer.headers["Set-Cookie"].split(";")]
    assert parts[0].startswith("waymark=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts)


def test_a_session_reads_and_ends(waymark, cookies):
    me = ask(waymark, "GET", "/v1/me", cookies)
    acme = {"slug": "acme", "name": "Acme", "role": "owner", "labels": [], "requiresSecondFactor": False}
    acme["deletionDueAt"] = None
    assert me.json()["organizations"] == [acme]
    assert ask(waymark, "GET", "/v1/teams", cookies, waymark_organization="acme").status_code == 200
    ended = ask(waymark, "DELETE", "/v1/session", cookies, origin=waymark.url)
    assert ended.status_code == 204 and "Max-Age=0" in ended.headers["Set-Cookie"]
    assert ask(waymark, "GET", "/v1/me", cookies).status_code == 401


def test_a_new_session_ends_the_replaced_session_in_the_database(waymark, cookies):
    other = waymark.sign_in()
    code = waymark.sign_in_link().partition("#")[2]
    wrong = ask(waymark, "POST", "/v1/session", cookies, {"code": "wrong"})
    assert wrong.status_code == 401 and ask(waymark, "GET", "/v1/me", cookies).status_code == 200
    answer = ask(waymark, "POST", "/v1/session", cookies, {"code": code}, origin=waymark.url)
    assert answer.status_code == 200
    assert ask(waymark, "GET", "/v1/me", cookies).status_code == 401
    for goes_on in (dict(answer.cookies), other):
        assert ask(waymark, "GET", "/v1/me", goes_on).status_code == 200


@pytest.mark.parametrize(
    "headers, accepted",
    [
        ({}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "{url}.evil.example"}, False),
        ({"origin": "http://evil.example:{port}"}, False),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site"}, False),
        ({"sec_fetch_site": "none"}, False),
        ({"sec_fetch_site": "same-origin", "origin": "https://evil.example"}, False),
        ({"origin": "{url}"}, True),
        ({"sec_fetch_site": "same-origin"}, True),
    ],
)
def test_a_change_with_a_cookie_requires_our_own_origin(waymark, cookies, headers, accepted):
    port = waymark.url.rpartition(":")[2]
    headers = {name: value.format(url=waymark.url, port=port) for name, value in headers.items()}
    answer = ask(waymark, "POST", "/v1/teams", cookies, {"odd": 1}, waymark_organization="acme", **headers)
    if accepted:
        assert answer.status_code == 422, answer.text
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")


def test_a_token_needs_no_origin(waymark):
    assert waymark.api("POST", "/v1/teams", {"odd": 1}, {"Origin": "https://evil.example"}).status_code == 422


def test_a_user_with_several_organizations_must_name_one(waymark):
    first = waymark.create_organization()
    second = waymark.create_organization(owner=f"owner@{first}.example")
    cookies = waymark.sign_in(first)
    assert [o["slug"] for o in ask(waymark, "GET", "/v1/me", cookies).json()["organizations"]] == sorted(
        [first, second]
    )
    silent = ask(waymark, "GET", "/v1/teams", cookies)
    assert (silent.status_code, silent.json()["code"]) == (400, "organization_required")
    for slug in [first, second]:
        assert ask(waymark, "GET", "/v1/teams", cookies, waymark_organization=slug).status_code == 200
    foreign = ask(waymark, "GET", "/v1/teams", cookies, waymark_organization="acme")
    assert (foreign.status_code, foreign.json()["code"]) == (404, "not_found")
    team = {"teamID": "SESSION001", "name": "Team"}
    made = ask(waymark, "POST", "/v1/teams", cookies, team, waymark_organization=second, origin=waymark.url)
    assert made.status_code == 201
    assert ask(waymark, "GET", "/v1/teams", cookies, waymark_organization=first).json()["items"] == []
    assert len(ask(waymark, "GET", "/v1/teams", cookies, waymark_organization=second).json()["items"]) == 1


def test_pages_load_and_run_only_our_own_files(waymark):
    pages = ["/", "/sign-in", "/domain", "/apps"]
    files = [
        f"/{path.relative_to(REPOSITORY / 'public')}"
        for path in (REPOSITORY / "public").rglob("*")
        if path.suffix in (".js", ".css")
    ]
    assert files
    for path in pages + files:
        answer = ask(waymark, "GET", path)
        assert answer.status_code == 200, path
        assert {part.strip() for part in answer.headers["Content-Security-Policy"].split(";")} == SAFE_POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Strict-Transport-Security" not in answer.headers
        again = ask(waymark, "GET", path, if_none_match=answer.headers["ETag"])
        assert (again.status_code, again.content) == (304, b"")
    assert ask(waymark, "GET", "/sign-in").headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/../Package.swift",
        "/%2e%2e/Package.swift",
        "/js/../../README.md",
        "/.git/config",
        "/sign-in.html",
        "/js",
        "//etc/passwd",
    ],
)
def test_files_outside_the_public_folder_are_not_served(waymark, path):
    from raw_http import get

    assert get(waymark.url, path, "localhost").status == (400 if "//" in path else 404)


def test_the_log_has_no_secrets(waymark, cookies):
    ask(waymark, "GET", "/v1/me", cookies)
    waymark.api("GET", "/v1/me")
    log = waymark.log()
    assert waymark.token() not in log
    assert cookies["waymark"] not in log
