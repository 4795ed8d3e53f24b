"""Rate limits of callers, organizations and addresses, in one process and in two."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import Installation, installed_on_cluster


def within_one_minute(seconds=25):
    """Waits, if necessary, so that the following requests are in the same minute."""
    if time.time() % 60 > 60 - seconds:
        time.sleep(61 - time.time() % 60)


@pytest.fixture(scope="module")
def limited():
    waymark = Installation(
        {
            "WAYMARK_RATE_LIMIT_CALLER": "20",
            "WAYMARK_RATE_LIMIT_ORGANIZATION": "30",
            "WAYMARK_RATE_LIMIT_ADDRESS": "10",
            "WAYMARK_TRUSTED_PROXIES": "127.0.0.1",
        }
    )
    try:
        waymark.start()
        waymark.create_organization("acme")
        yield waymark
    finally:
        waymark.remove()


def left(answer, policy):
    return int(re.search(rf'"{policy}";r=(\d+);t=\d+', answer.headers["RateLimit"]).group(1))


def refused(answer):
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited"), answer.text
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    return True


def test_a_token_and_its_organization_have_limits(limited):
    slug = limited.create_organization()
    tokens = [limited.token(role, slug) for role in ("viewer", "editor")]
    within_one_minute()
    answers = [limited.api("GET", "/v1/teams", token=tokens[0]) for _ in range(25)]
    assert [left(answer, "caller") for answer in answers[:20]] == list(range(19, -1, -1))
    assert answers[0].headers["RateLimit-Policy"] == '"caller";q=20;w=60, "organization";q=30;w=60'
    assert [answer.status_code for answer in answers[:20]] == [200] * 20
    assert all(refused(answer) for answer in answers[20:])
    # Refused requests do not use up the organization's limit.
    answers = [limited.api("GET", "/v1/teams", token=tokens[1]) for _ in range(12)]
    assert [answer.status_code for answer in answers[:10]] == [200] * 10
    assert all(refused(answer) and "organization" in answer.json()["detail"] for answer in answers[10:])
    # Another organization, and requests without a credential, are not affected.
    assert limited.api("GET", "/v1/teams", token=limited.token(organization="acme")).status_code == 200
    assert limited.api("GET", "/livez").status_code == 200


def test_an_address_without_a_credential_has_a_limit_even_for_guessed_tokens(limited):
    within_one_minute()

    def visit(number, address):
        headers = {"X-Forwarded-For": address}
        if number % 2:
            return limited.api("POST", "/v1/lint", {}, headers, token=False)
        return limited.api("GET", "/v1/me", headers=headers, token="wm_" + "a" * 40)

    answers = [visit(number, "192.0.2.1") for number in range(12)]
    assert {answer.status_code for answer in answers[:10]} == {200, 401}
    assert left(answers[9], "address") == 0
    assert all(refused(answer) for answer in answers[10:])
    assert visit(1, "192.0.2.2").status_code == 200
    # The whole network of an IPv6 client has one limit, and only the last entry was written by the trusted proxy.
    answers = [visit(1, f"192.0.2.{number}, 2001:db8::{number}") for number in range(11)]
    assert [answer.status_code for answer in answers[:10]] == [200] * 10 and refused(answers[10])
    assert limited.api("GET", "/v1/me").status_code == 200, "a valid credential is not affected"
    figures = httpx.get(f"{limited.metrics_url}/metrics").text
    assert re.search(r'waymark_rate_limited_total\{policy="address"\} [1-9]', figures)


def test_an_address_cannot_use_up_the_sign_ins_and_mails_of_all(limited):
    limited.restart({"WAYMARK_RATE_LIMIT_SIGN_IN": "4", "WAYMARK_RATE_LIMIT_ADDRESS": "100"})
    within_one_minute()
    password = {"password": "correct pony staple wagon"}
    asked = [
        ("/v1/session", {"email": "ada@acme.example", **password}),
        ("/v1/password-resets", {"code": "x", **password}),
        ("/v1/sign-ups", {"code": "x", "name": "Ada", **password}),
        ("/v1/invitation-acceptances", {"code": "x", "name": "Ada", **password}),
        ("/v1/password-reset-mails", {"email": "ada@acme.example"}),
        ("/v1/sign-up-mails", {"email": "ada@acme.example"}),
    ]

    def ask(path, body, address):
        headers = {"X-Forwarded-For": address, "Sec-Fetch-Site": "same-origin"}
        return limited.api("POST", path, body, headers, token=False)

    for number, (path, body) in enumerate(asked):
        address = f"192.0.2.{100 + number}"
        answers = [ask(path, body, address) for _ in range(5)]
        assert {answer.status_code for answer in answers[:4]} & {429, 503} == set(), path
        assert [left(answer, "sign-in") for answer in answers[:4]] == [3, 2, 1, 0]
        assert refused(answers[4]) and "a sign-in, a password or a mail" in answers[4].json()["detail"]
    assert answers[0].headers["RateLimit-Policy"] == '"address";q=100;w=60, "sign-in";q=4;w=60'
    # All of these routes share the limit, also for signed-in people, and other requests of the address go on.
    assert all(refused(ask(path, body, "192.0.2.100")) for path, body in asked)
    headers = {"X-Forwarded-For": "192.0.2.100"}
    session = limited.session()
    for method, path in (("POST", "/v1/session/confirmations"), ("PUT", "/v1/me/password")):
        assert refused(limited.api(method, path, password, session | headers, token=False))
    assert limited.api("POST", "/v1/lint", {}, headers, token=False).status_code == 200
    assert limited.api("POST", "/v1/passkey-challenges", None, headers, token=False).status_code == 201
    assert ask(*asked[0], "192.0.2.200").status_code == 401, "another address is not affected"
    figures = httpx.get(f"{limited.metrics_url}/metrics").text
    assert re.search(r'waymark_rate_limited_total\{policy="sign-in"\} [1-9]', figures)


def test_two_processes_keep_the_limit_together_up_to_the_documented_excess():
    """Excess: (n - 1) * max(q / 16, r * t), with n = 2 processes, and t of about a second."""
    quota, rate = 320, 40
    settings = {"WAYMARK_RATE_LIMIT_CALLER": str(quota)}
    with installed_on_cluster() as (first, cluster):
        first.restart(settings)
        token = first.token()
        second = Installation(cluster.settings() | settings, ("serve", "--role", "api"))
        try:
            # Both processes need the same keys.
            second.environment |= {
                "WAYMARK_SIGNING_KEY_FILE": str(first.state / "signing-key"),
                "WAYMARK_CONSUMER_SECRET_FILE": str(first.state / "consumer-secret"),
            }
            second.start()
            within_one_minute(40)

            def ask(waymark):
                """Asks at the given rate until the limit is reached. Returns the number of admitted requests."""
                start = time.monotonic()
                with httpx.Client(base_url=waymark.url, headers={"Authorization": f"Bearer {token}"}) as client:
                    for number in range(2 * quota):
                        time.sleep(max(0, start + number / rate - time.monotonic()))
                        if client.get("/v1/me").status_code == 429:
                            return number
                return 2 * quota

            with ThreadPoolExecutor() as pool:
                admitted = sum(pool.map(ask, [first, second]))
            # The exchange of a busy machine can take longer than a second.
            assert quota <= admitted <= quota + max(quota / 16, rate * 3), admitted
            for waymark in (first, second):
                assert waymark.api("GET", "/v1/me", token=token).status_code == 429
        finally:
            second.remove()
