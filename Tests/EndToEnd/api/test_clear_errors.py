"""Errors that say what is wrong, where, and what to do."""

import base64
import os
import subprocess

import httpx
import pytest

from installation import EXECUTABLE, Installation, free_port
from postgres import Cluster
from samples import APP, draft

TEAM = "ABCDE12345"


@pytest.fixture(scope="module")
def organization(waymark):
    slug = waymark.create_organization()
    token = waymark.token(organization=slug)
    waymark.api("POST", "/v1/teams", {"teamID": TEAM, "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": TEAM, "bundleID": "com.example.app"}, token=token)
    return token


def problem(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return answer.json()


def test_basic_credentials_get_the_hint_to_send_a_bearer_token(waymark):
    secret = base64.b64encode(b"me:hunter2").decode()
    answer = httpx.get(f"{waymark.url}/v1/me", headers={"Authorization": f"Basic {secret}"})
    detail = problem(answer, 401, "unauthenticated")["detail"]
    assert detail.startswith("A bearer token is required. The request has Basic credentials.")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    # The answer does not repeat a token that was sent without a scheme.
    answer = httpx.get(f"{waymark.url}/v1/me", headers={"Authorization": "wm_secret"})
    assert "bearer token is required" in problem(answer, 401, "unauthenticated")["detail"] and "secret" not in answer.text


@pytest.mark.parametrize(
    "media_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", "json"]
)
def test_an_unsupported_media_type_is_refused_by_name(waymark, organization, media_type):
    headers = {"Content-Type": media_type}
    body = b'{"teamID": "BODYTEAM01", "name": "Team"}'
    answer = waymark.api("POST", "/v1/teams", headers=headers, token=organization, content=body)
    detail = problem(answer, 415, "unsupported_media_type")["detail"]
    assert media_type in detail and "`Content-Type: application/json`" in detail


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "Application/JSON", "application/a+json", None])
def test_all_media_types_of_json_are_accepted(waymark, organization, media_type):
    headers = {"Content-Type": media_type} if media_type else {}
    answer = waymark.api("POST", "/v1/teams", headers=headers, token=organization, content=b"{}")
    assert answer.status_code == 422, answer.text


def test_a_form_is_not_accepted_as_a_test_suite(waymark, organization):
    host = waymark.new_domain(token=organization)
    path = f"/v1/domains/{host}/test-imports"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    problem(waymark.api("POST", path, headers=form, token=organization, content=b"a=b"), 415, "unsupported_media_type")


def test_a_repeated_query_parameter_is_named(waymark, organization):
    answer = waymark.api("GET", "/v1/teams?limit=1&limit=2", token=organization)
    assert "`limit` appears more than once" in problem(answer, 400, "repeated_parameter")["detail"]
    assert waymark.api("GET", "/v1/events?kind=team&kind=app", token=organization).status_code == 200


def test_a_conflict_has_the_address_of_the_existing_resource(waymark, organization):
    def make(path, body):
        return waymark.api("POST", path, body, token=organization)

    host = waymark.new_domain(draft("/x"), token=organization)
    test = {"url": "/x", "expected": {"outcome": "opens", "app": APP}}
    schedule = {"name": "nightly", "host": host, "expression": "@daily", "zone": "UTC"}
    made = {
        "/v1/domains": ({"host": host}, f"/v1/domains/{host}"),
        "/v1/teams": ({"teamID": TEAM, "name": "Again"}, f"/v1/teams/{TEAM}"),
        "/v1/apps": ({"teamID": TEAM, "bundleID": "com.example.app"}, f"/v1/apps/{APP}"),
    }
    for path, body in [(f"/v1/domains/{host}/tests", test), ("/v1/schedules", schedule)]:
        first = make(path, body)
        assert first.status_code == 201, first.text
        made[path] = (body, first.headers["Location"])
    for path, name, other in [
        (f"/v1/domains/{host}/tests", "url", {**test, "url": "/y"}),
        ("/v1/schedules", "name", {**schedule, "name": "other"}),
    ]:
        second, (first, address) = make(path, other).headers["Location"], made[path]
        change = waymark.api("PATCH", second, {name: first[name]}, {"If-Match": "*"}, token=organization)
        assert problem(change, 409, "exists")["existing"] == address
    for path, (body, address) in made.items():
        existing = problem(make(path, body), 409, "exists")["existing"]
        assert existing == address
        assert waymark.api("GET", existing, token=organization).status_code == 200


def test_no_full_stop_follows_a_question_mark(waymark, organization):
    answer = waymark.api("POST", "/v1/teams", {"teamId": "BODYTEAM01", "name": "Team"}, token=organization)
    for text in [answer.json()["detail"], *(fault["detail"] for fault in answer.json().get("errors", []))]:
        assert "?." not in text, text
    one = waymark.api("PATCH", f"/v1/teams/{TEAM}", {"nme": "x"}, token=organization).json()["detail"]
    assert one.endswith("?"), one


def test_the_address_of_a_findings_page_opens(waymark):
    found = httpx.post(f"{waymark.url}/v1/lint", content=b"{,}").json()["findings"][0]
    assert found["page"] == f"/finding?code={found['code']}"
    answer = httpx.get(waymark.url + found["page"])
    assert answer.status_code == 200 and "<html" in answer.text
    # The text that the page shows.
    assert httpx.get(f"{waymark.url}/findings/{found['code']}.md").status_code == 200


# Settings


def serve(tmp_path, *arguments, **environment):
    return subprocess.run(
        [EXECUTABLE, *(arguments or ["serve"])],
        env={"PATH": os.environ["PATH"], "HOME": "/", "WAYMARK_STATE_DIRECTORY": str(tmp_path / "state"), **environment},
        capture_output=True, text=True, timeout=120,
    )


def test_two_listeners_on_one_address_are_refused_with_their_settings(tmp_path):
    port = free_port()
    for other in (f"127.0.0.1:{port}", f"0.0.0.0:{port}"):
        result = serve(tmp_path, WAYMARK_ADDRESS=f"127.0.0.1:{port}", WAYMARK_EDGE_ADDRESS=other)
        assert result.returncode == 3
        assert f"WAYMARK_EDGE_ADDRESS is {other}, which WAYMARK_ADDRESS (127.0.0.1:{port}) uses too" in result.stderr
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    "name, hint",
    [("WAYMARK_EDGE_ADRESS", "Did you mean WAYMARK_EDGE_ADDRESS?"), ("WAYMARK_NONSENSE", "this setting does not exist. See docs")],
)
def test_a_misspelled_variable_is_refused_with_the_nearest_name(tmp_path, name, hint):
    for command in (["serve"], ["organization", "create", "acme", "--owner", "a@b.example"]):
        result = serve(tmp_path, *command, **{name: "x"})
        assert result.returncode == 3 and name in result.stderr and hint in result.stderr, result.stderr
    assert not (tmp_path / "state").exists()


def test_variables_of_service_links_are_ignored(tmp_path):
    links = {
        "WAYMARK_SERVICE_HOST": "10.0.0.1", "WAYMARK_SERVICE_PORT_HTTP": "80", "WAYMARK_PORT": "tcp://10.0.0.1:80",
        "WAYMARK_API_PORT_8080_TCP_ADDR": "10.0.0.1", "WAYMARK_BUCKET_MAIN_ACCESS_KEY_ID": "x",
    }
    # Another setting is invalid, and that one is reported.
    result = serve(tmp_path, **links, WAYMARK_LOG_LEVEL="loud")
    assert result.returncode == 3 and "WAYMARK_LOG_LEVEL" in result.stderr


def test_commands_on_a_database_without_migrations_name_the_command_to_run():
    cluster = Cluster()
    waymark = Installation(cluster.settings())
    try:
        waymark.cli("database", "prepare", "--url", cluster.url("postgres", "postgres"))
        for command in (
            ["organization", "create", "acme", "--owner", "a@b.example"],
            ["token", "create", "--organization", "acme", "--name", "ci"],
            ["user", "sign-in-link", "a@b.example"],
        ):
            result = waymark.cli(*command, check=False)
            assert result.returncode == 3 and "run `waymark migrate`" in result.stderr, result.stderr
    finally:
        waymark.remove()
        cluster.remove()
