"""Cross-site request forgery on every unsafe route of the contract: a page of another site uses the browser of a
signed-in owner."""

import json
from urllib.parse import urlencode

import pytest

from contract import DOCUMENT, OPERATIONS, codes, filled
from people import problem
from settled import SUCCEEDING, contents, settled

UNSAFE = [operation for operation in OPERATIONS if operation.method in ("POST", "PUT", "PATCH", "DELETE")]


def accepts_a_session(operation):
    return {"session": []} in DOCUMENT["paths"][operation.path][operation.method.lower()]["security"]


# With the cookie, a request has the rights of the session.
OF_SESSIONS = [operation for operation in UNSAFE if accepts_a_session(operation)]
# They need no session, but open one or set a password.
OF_VISITORS = [
    operation for operation in UNSAFE
    if operation.right == "anyone" and "cross_origin" in codes(operation.path, operation.method, 403)
]
# They ignore the session.
OF_ANYONE = [operation for operation in UNSAFE if operation.right == "anyone" and operation not in OF_VISITORS]

EVIL = "https://evil.example"
NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}
SCRIPT = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"}
# The fields that browsers send with a request of another site's page.
ORIGINS = {
    "a form of another site": {"Origin": EVIL, "Sec-Fetch-Site": "cross-site", **NAVIGATION},
    "a script of another site": {"Origin": EVIL, "Sec-Fetch-Site": "cross-site", **SCRIPT},
    "a script with CORS": {"Origin": EVIL, "Sec-Fetch-Site": "cross-site", **SCRIPT, "Sec-Fetch-Mode": "cors"},
    "another name of the same site": {"Origin": "{sibling}", "Sec-Fetch-Site": "same-site", **SCRIPT},
    "another port of the same host": {"Origin": "{neighbour}", "Sec-Fetch-Site": "same-site", **NAVIGATION},
    "a sandboxed frame": {"Origin": "null", "Sec-Fetch-Site": "cross-site", **NAVIGATION},
    "a browser without Sec-Fetch-Site": {"Origin": EVIL},
    "a browser without Sec-Fetch-Site, in a frame": {"Origin": "null"},
    "a browser that sends only Sec-Fetch-Site": {"Sec-Fetch-Site": "cross-site"},
}
# Programs of visitors send neither field.
WITHOUT_FIELDS = {"a browser that sends neither field": {}}


def body(operation):
    """A body with which the change would be made, if there is one."""
    return SUCCEEDING.get(operation.id, operation.body)


def forms(operation):
    """The body in every form in which a page can send it without asking first, and as JSON."""
    sent = body(operation) or {}
    text = json.dumps(sent)
    fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in sent.items()}
    parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items())
    return {
        "application/json": text,
        "text/plain": text,
        "application/x-www-form-urlencoded": urlencode(fields),
        "multipart/form-data; boundary=x": f"{parts}--x--\r\n",
        None: "",
    }


@pytest.fixture(scope="module")
def setting():
    with settled() as waymark:
        yield waymark


def send(waymark, operation, origin, cookie, content, content_type="application/json", **query):
    host, _, port = waymark.url.removeprefix("http://").partition(":")
    places = {"sibling": f"http://evil.{host}:{port}", "neighbour": f"http://{host}:{int(port) + 1}"}
    headers = {name: value.format(**places) for name, value in origin.items()}
    headers |= {"If-Match": "*"} | ({"Cookie": cookie} if cookie else {})
    if content and content_type:
        headers["Content-Type"] = content_type
    answer = waymark.client.request(
        operation.method, filled(operation, waymark.things), headers=headers, content=content,
        params=dict(operation.query) | query)
    waymark.client.cookies.clear()
    return answer


def can_be_tried(operation):
    parameters = DOCUMENT["paths"][operation.path][operation.method.lower()]["parameters"]
    return {"$ref": "#/components/parameters/DryRun"} in parameters


@pytest.mark.parametrize("operation", OF_SESSIONS + OF_VISITORS, ids=str)
def test_a_page_of_another_site_cannot_use_a_session(setting, operation):
    assert "cross_origin" in codes(operation.path, operation.method, 403), "the contract documents it"
    cookie = setting.session()["Cookie"]
    before = contents(setting)
    for name, origin in (ORIGINS | (WITHOUT_FIELDS if operation in OF_SESSIONS else {})).items():
        for content_type, content in forms(operation).items():
            answer = send(setting, operation, origin, cookie, content, content_type)
            assert problem(answer) == (403, "cross_origin"), (name, content_type, answer.text)
            assert "Set-Cookie" not in answer.headers
    assert contents(setting) == before
    # A browser asks before it sends another method, or JSON. The answer does not allow it.
    asked = setting.client.options(
        filled(operation, setting.things), headers={"Origin": EVIL, "Access-Control-Request-Method": operation.method})
    assert asked.status_code == 405 and not any(name.startswith("access-control") for name in asked.headers)
    # The session was valid all the time, and our own pages get another answer. If possible, they only try it out.
    own = {"Origin": setting.url, "Sec-Fetch-Site": "same-origin"}
    sent = body(operation) if operation.id != "createRelease" else {"odd": 1}  # Its dry run creates a release.
    content = "" if sent is None else json.dumps(sent)
    answer = send(setting, operation, own, cookie, content, **{"dryRun": "true"} if can_be_tried(operation) else {})
    if operation.id in SUCCEEDING:
        assert answer.status_code < 300, answer.text
    elif answer.status_code >= 400:
        assert answer.json()["code"] not in ("cross_origin", "unauthenticated", "forbidden"), answer.text


@pytest.mark.parametrize("operation", OF_ANYONE, ids=str)
def test_other_routes_for_visitors_ignore_the_session(setting, operation):
    """A page of another site gets from them only what every program gets."""
    content = "" if operation.body is None else json.dumps(operation.body)
    answers = [
        send(setting, operation, ORIGINS["a script of another site"], cookie, content)
        for cookie in (setting.session()["Cookie"], None)
    ]
    assert answers[0].status_code == answers[1].status_code
    assert set(answers[0].json()) == set(answers[1].json())
    assert not any("Set-Cookie" in answer.headers for answer in answers)


def test_every_unsafe_route_is_in_one_of_these_tests():
    others = [operation for operation in UNSAFE if operation not in OF_SESSIONS + OF_VISITORS + OF_ANYONE]
    assert {operation.right for operation in others} == {"consumer"}
    assert len(OF_SESSIONS) > 70 and len(OF_VISITORS) > 5
