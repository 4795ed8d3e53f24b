"""Requests that are too large, too deep or malformed are refused, and the process continues."""

import socket

import httpx
import pytest

from contract import OPERATIONS
from raw_http import connect, exchange, read
from samples import draft


@pytest.fixture(autouse=True)
def same_process(waymark):
    """After every test, the same process must still be running and ready."""
    before = waymark.process.pid
    yield
    assert waymark.process.pid == before and waymark.process.poll() is None
    assert waymark.api("GET", "/readyz").status_code == 200


def post(waymark, body, path="/v1/teams", **headers):
    return waymark.api("POST", path, content=body, headers={"Content-Type": "application/json", **headers})


def team(name):
    return b'{"teamID":"LIMIT00001","name":' + name + b"}"


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_unknown_query_parameter_is_refused_by_every_operation(waymark, operation):
    token = (waymark.state / "consumer-secret").read_text().strip() if operation.right == "consumer" else None
    session = waymark.session() if operation.needs_session else None
    answer = waymark.api(
        operation.method, f"{operation.path}?unknown=1", operation.body, session, token=False if session else token
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    assert "`unknown`" in answer.json()["detail"]


def test_a_misspelled_query_parameter_is_refused_with_the_known_names(waymark):
    answer = waymark.api("GET", "/v1/domains?lable=shop")
    assert answer.json()["detail"] == (
        "Unknown query parameter `lable`. Did you mean `label`? "
        "Accepted: `limit`, `cursor`, `q`, `host`, `label`, `state`, `publication`, `problem`, `sort`, `counts`."
    )


@pytest.mark.parametrize(
    "name, body",
    [
        ("cut off", b'{"teamID":"LIMIT00001"'),
        ("empty", b""),
        ("two values", b"{}{}"),
        ("a trailing comma", b'{"teamID":"LIMIT00001",}'),
        ("a comment", b"{/* */}"),
        ("a name twice", b'{"teamID":"LIMIT00001","teamID":"LIMIT00002","name":"x"}'),
        ("a name twice in other words", b'{"teamID":"LIMIT00001","name":"x","\\u006eame":"y"}'),
        ("NUL", team(b'"a\\u0000b"')),
        ("a raw NUL", team(b'"a\0b"')),
        ("a raw line feed", team(b'"a\nb"')),
        ("a lone high surrogate", team(b'"\\ud800"')),
        ("a lone low surrogate", team(b'"\\udc00"')),
        ("surrogates the wrong way round", team(b'"\\udc00\\ud800"')),
        ("bytes that are no UTF-8", team(b'"\xff"')),
        ("an overlong encoding", team(b'"\xc0\xaf"')),
        ("an encoded surrogate", team(b'"\xed\xa0\x80"')),
        ("a byte order mark", b"\xef\xbb\xbf{}"),
        ("UTF-16", '{"name":"x"}'.encode("utf-16")),
        ("a number of 400 digits", team(b"1" * 400)),
        ("a number with an exponent of 400 digits", team(b"1e" + b"9" * 400)),
        ("not a number", team(b"NaN")),
        ("depth 33", b'{"a":' * 33 + b"1" + b"}" * 33),
        ("depth 100,000", b"[" * 100_000),
    ],
)
def test_json_that_is_not_accepted_is_a_400(waymark, name, body):
    answer = post(waymark, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json"), name


@pytest.mark.parametrize(
    "number", ["9223372036854775808", "-9223372036854775809", "1e300", "1e-300", "0.1", "1" * 60, "-0"]
)
def test_numbers_out_of_range_are_faults_and_do_not_crash(waymark, number):
    host = waymark.new_domain(draft("/x"))
    body = b'{"path":"/y","position":' + number.encode() + b"}"
    answer = post(waymark, body, f"/v1/domains/{host}/rules", **{"If-Match": "*"})
    assert answer.status_code == (201 if number == "-0" else 422), answer.text
    answer = post(waymark, b'{"version":' + number.encode() + b"}", f"/v1/domains/{host}/publications")
    assert answer.status_code == 422, answer.text
    answer = post(waymark, b'{"urls":["/"],"source":' + number.encode() + b"}", f"/v1/domains/{host}/evaluations")
    assert answer.status_code in (404, 422), answer.text


def test_a_body_over_its_limit_is_a_413(waymark):
    big = b'{"name":"' + b"x" * (1 << 20) + b'"}'
    answer = post(waymark, big)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert httpx.post(f"{waymark.url}/v1/lint", content=b" " * (1 << 20), timeout=60).status_code == 200
    assert httpx.post(f"{waymark.url}/v1/lint", content=b" " * ((1 << 20) + 1), timeout=60).status_code == 413
    assert httpx.post(f"{waymark.url}/v1/session", content=b" " * 8_193).status_code == 413


def test_a_chunked_body_over_its_limit_is_a_413(waymark):
    answer = httpx.post(f"{waymark.url}/v1/lint", content=(b"x" * 65_536 for _ in range(17)))
    assert answer.status_code == 413


def test_header_fields_over_16_kb_are_refused(waymark):
    answer = exchange(
        waymark.url, b"GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Long: " + b"x" * 17_000 + b"\r\nConnection: close\r\n\r\n"
    )
    assert answer.status in (400, 431)
    many = b"".join(b"X-%d: y\r\n" % number for number in range(3_000))
    answer = exchange(waymark.url, b"GET /v1/me HTTP/1.1\r\nHost: a\r\n" + many + b"Connection: close\r\n\r\n")
    assert answer.status in (400, 431)


def test_a_url_over_8_kb_is_refused(waymark):
    for path in [b"/v1/teams?q=" + b"x" * 8_200, b"/" + b"x" * 8_200]:
        answer = exchange(waymark.url, b"GET " + path + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answer.status in (400, 414, 431)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused_or_cut_off(waymark, request_bytes):
    try:
        assert 400 <= exchange(waymark.url, request_bytes, timeout=20).status < 506
    except ConnectionError:
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/v1/domains/%00.example",
        "/v1/domains/%ff",
        "/v1/teams/%2e%2e",
        "/v1/domains/a%2Fb",
        "/v1/teams?cursor=%00",
        "/v1/apps?q=%00",
        "/v1/domains?label=%00",
        "/v1/apps?q=%ff%fe",
        "/v1/domains/%zz",
        "/v1/teams?limit=1&limit=x&%",
    ],
)
def test_odd_bytes_in_urls_never_cause_a_500(waymark, path):
    from raw_http import get

    answer = get(waymark.url, path, "localhost", "GET", f"Authorization: Bearer {waymark.token()}")
    assert answer.status < 500, answer.body


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PUT", "PROPFIND"])
def test_another_method_is_a_405_with_the_accepted_methods(waymark, method):
    from raw_http import get

    answer = get(waymark.url, "/v1/teams", "localhost", method)
    assert (answer.status, answer["allow"]) == (405, "GET, HEAD, POST")


def test_a_head_request_is_a_get_without_its_body(waymark):
    for path in ["/livez", "/v1/teams", "/nothing"]:
        get, head = waymark.api("GET", path), waymark.api("HEAD", path)
        assert (head.status_code, head.content) == (get.status_code, b"")
        assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_every_answer_has_a_request_id(waymark):
    for path in ["/livez", "/v1/teams", "/v1/nothing", "/", "/v1/teams?limit=0"]:
        own = waymark.api("GET", path, headers={"Request-Id": "my-Request_1"})
        assert own.headers["Request-Id"] == "my-Request_1"
        for harmful in ["a b", "x" * 65, "<script>", "a\tb"]:
            other = waymark.api("GET", path, headers={"Request-Id": harmful})
            assert other.headers["Request-Id"] != harmful and other.headers["Request-Id"]
        if own.status_code >= 400:
            assert own.json()["requestId"] == "my-Request_1"


def test_pipelined_requests_are_answered_in_order(waymark):
    with connect(waymark.url) as connection:
        connection.sendall(
            b"".join(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % path for path in [b"/livez", b"/nothing", b"/livez"])
        )
        data = b""
        while data.count(b"HTTP/1.1 ") < 3 or not data.endswith(b"}"):
            data += connection.recv(65_536)
    assert [int(part.split()[0]) for part in data.split(b"HTTP/1.1 ")[1:]] == [200, 404, 200]


def test_a_silent_connection_does_not_delay_others(waymark):
    idle = [connect(waymark.url) for _ in range(50)]
    for connection in idle:
        connection.sendall(b"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
    assert waymark.api("GET", "/v1/me").status_code == 200
    for connection in idle:
        connection.close()


@pytest.mark.parametrize("body, status", [(b"{}", 200), (b"{", 200), (b" " * (1 << 20) + b"{}", 413)])
def test_a_client_that_waits_for_100_continue_gets_it_before_its_body(waymark, body, status):
    head = f"POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    with connect(waymark.url) as connection:
        for _ in range(2):
            connection.sendall(head.encode())
            continued = b"HTTP/1.1 100 Continue\r\n\r\n"
            # Nothing more: a body with too great a length is refused before it arrives.
            assert connection.recv(len(continued), socket.MSG_WAITALL) == continued
            connection.sendall(body)
            assert read(connection).status == status
