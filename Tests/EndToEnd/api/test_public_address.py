"""With a public address: which pages may make changes, and under which host the API answers."""

import httpx
import pytest

from installation import Installation
from samples import draft

HOST = "links.example.com"
ORIGIN = f"https://{HOST}"


@pytest.fixture(scope="module")
def public(template):
    waymark = Installation({"WAYMARK_PUBLIC_URL": ORIGIN}, like=template)
    try:
        yield waymark.start()
    finally:
        waymark.remove()


@pytest.fixture(scope="module")
def cookies(public):
    code = public.sign_in_link().partition("#")[2]
    answer = httpx.post(f"{public.url}/v1/session", json={"code": code}, headers={"Host": HOST})
    assert answer.status_code == 200, answer.text
    return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}


def change(public, cookies, **fields):
    """A change that passes the check of the origin and is then refused as invalid."""
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    headers = {"Host": HOST, "Waymark-Organization": "acme", **cookies, **fields}
    answer = httpx.post(f"{public.url}/v1/teams", json={"odd": 1}, headers=headers)
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    "fields",
    [
        {"origin": ORIGIN},
        {"origin": f"{ORIGIN}:443"},
        {"origin": ORIGIN, "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "same-origin"},
    ],
)
def test_our_own_pages_can_make_changes(public, cookies, fields):
    assert change(public, cookies, **fields) == (422, "invalid")


@pytest.mark.parametrize(
    "fields",
    [
        {"origin": f"http://{HOST}"},
        {"origin": f"ftp://{HOST}"},
        {"origin": f"{ORIGIN}:8443"},
        {"origin": f"{ORIGIN}:80"},
        {"origin": f"{ORIGIN}/"},
        {"origin": f"evil, {ORIGIN}"},
        {"origin": f"https://evil.example, {ORIGIN}"},
        {"origin": f"https://evil.example {ORIGIN}"},
        {"origin": f"{ORIGIN}, {ORIGIN}"},
        {"origin": f"https://evil@{HOST}"},
        {"origin": f"https://evil.example://{HOST}"},
        {"origin": HOST},
        {"origin": f"//{HOST}"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": ORIGIN, "sec_fetch_site": "cross-site"},
        {"origin": ORIGIN, "sec_fetch_site": "same-site"},
        {"origin": ORIGIN, "sec_fetch_site": "none"},
        {"origin": ORIGIN, "sec_fetch_site": "cross-site, same-origin"},
    ],
)
def test_pages_of_other_sites_can_make_no_changes(public, cookies, fields):
    assert change(public, cookies, **fields) == (403, "cross_origin")


def test_another_site_cannot_sign_a_user_in(public):
    for fields in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": f"http://{HOST}"}):
        code = public.sign_in_link().partition("#")[2]
        answer = httpx.post(f"{public.url}/v1/session", json={"code": code}, headers={"Host": HOST, **fields})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")


def test_another_host_is_misdirected_except_for_internal_requests(public):
    def ask(path, host, **headers):
        return httpx.get(f"{public.url}{path}", headers={"Host": host, **headers})

    own = {"Authorization": f"Bearer {public.token()}"}
    for host in (HOST, f"{HOST}:443", HOST.upper(), f"{HOST}."):
        assert ask("/v1/teams", host, **own).status_code == 200, host
    for host in (public.url.partition("//")[2], "evil.example", f"{HOST}.evil.example", f"{HOST}:80", f"x.{HOST}"):
        for path in ("/v1/teams", "/v1/me", "/", "/sign-in", "/styles/base/base.css", "/nothing"):
            refused = ask(path, host, **own)
            assert (refused.status_code, refused.json()["code"]) == (421, "misdirected"), host
    for host in ("127.0.0.1", "api:8080", HOST):
        assert ask("/livez", host).status_code == ask("/readyz", host).status_code == 200
        secret = (public.state / "consumer-secret").read_text().split()[0]
        assert ask("/internal/manifest", host, Authorization=f"Bearer {secret}").status_code == 200


def test_the_edge_follows_an_api_with_a_public_address(public):
    public.client.headers["Host"] = HOST
    host = public.new_domain(draft("/public"))
    public.publish(host)
    public.served(host, public.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])


def test_browsers_are_told_to_use_https_only(public):
    for path in ("/", "/sign-in", "/livez", "/v1/me", "/nothing"):
        answer = httpx.get(f"{public.url}{path}", headers={"Host": HOST})
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000", path


@pytest.mark.parametrize("url", ["links.example.com", "https://links.example.com/", "https://a.example/waymark", "null"])
def test_an_invalid_public_address_is_refused(empty_waymark, url):
    refused = empty_waymark.cli("serve", environment={"WAYMARK_PUBLIC_URL": url}, check=False)
    assert refused.returncode == 3 and "WAYMARK_PUBLIC_URL must be http(s)://host" in refused.stderr
