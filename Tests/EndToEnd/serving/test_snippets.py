"""Other websites forward the two paths: the snippets in Debian's nginx, Caddy and Apache, pasted unchanged, and the
form of the snippets for platforms that are not available here."""

import json
import os
import subprocess
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from caddy import Caddy
from installation import Installation, eventually, free_port
from raw_http import get
from samples import draft
from websites import FILES, PAGE, Website

PATHS = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
SERVERS = ["nginx", "caddy", "apache"]
KINDS = [*SERVERS, "cloudfront", "cloudflare", "vercel", "netlify"]
HOST = "www.somebody.example"


class Setting:
    """A Waymark with a live host, and a Caddy in front of its edge that terminates TLS for `localhost`."""

    def __init__(self, template):
        self.waymark = Installation(like=template)
        self.front = Caddy("edge.caddyfile", {"edge:8081": self.waymark.environment["WAYMARK_EDGE_ADDRESS"]}, "localhost")
        self.edge = f"https://localhost:{self.front.https_port}"
        self.waymark.environment["WAYMARK_EDGE_PUBLIC_URL"] = self.edge
        self.waymark.start()
        self.waymark.new_domain(draft("/somebody"), host=HOST)
        self.unpublished = self.waymark.new_domain(draft("/later"), host="later.example")
        self.waymark.publish(HOST)
        self.sha256 = self.waymark.api("GET", f"/v1/domains/{HOST}").json()["live"]["sha256"]
        self.body = self.waymark.served(HOST, self.sha256).content
        root = self.front.folder / ".local/share/caddy/pki/authorities/local/root.crt"
        self.authority = eventually(lambda: root.exists() and root.read_bytes(), what="Caddy's own authority")

    def snippet(self, kind, host=HOST):
        answer = self.waymark.api("GET", f"/v1/domains/{host}/snippets/{kind}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def remove(self):
        self.front.remove()
        self.waymark.remove()


@pytest.fixture(scope="module")
def setting(template):
    setting = Setting(template)
    yield setting
    setting.remove()


@pytest.fixture
def website():
    """A function that starts websites."""
    started = []

    def start(*arguments, **more):
        started.append(Website(*arguments, **more))
        return started[-1]

    yield start
    for site in started:
        site.remove()


@pytest.mark.parametrize("kind", SERVERS)
def test_the_website_forwards_the_edges_answer_unchanged(setting, website, kind):
    site = website(kind, HOST, setting.snippet(kind)["text"], setting.authority)
    direct = get(setting.waymark.edge_url, PATHS[0], HOST, "GET", "Accept-Encoding: gzip")
    for url in [site.url, *site.redirecting]:
        for path in PATHS:
            answer = get(url, path, HOST)
            assert (answer.status, answer.body) == (200, setting.body), site.log()
            assert answer["content-type"] == "application/json"
            assert answer["etag"] == f'"{setting.sha256}"'
            assert answer["cache-control"] == "public, max-age=300, stale-if-error=604800"
            assert answer["waymark-version"] == "1"
            assert not answer.all("location") and not answer.all("content-encoding")
            head = get(url, path, HOST, "HEAD")
            assert (head.status, head["etag"], head.body) == (200, f'"{setting.sha256}"', b"")
            assert head["content-length"] == str(len(setting.body))
            known = get(url, path, HOST, "GET", f'If-None-Match: "{setting.sha256}"')
            assert (known.status, known.body) == (304, b"")
            assert get(url, path, HOST, "GET", 'If-None-Match: "another"').status == 200
            packed = get(url, path, HOST, "GET", "Accept-Encoding: gzip")
            assert (packed.status, packed["etag"], packed.body) == (200, direct["etag"], direct.body)
            assert get(url, path + "?any=thing", HOST).body == setting.body
            assert get(url, path, HOST, "GET", "Cookie: " + "a" * 6_000).status == 200
            assert get(url, path, HOST, "POST", "Content-Length: 0").status == 405


@pytest.mark.parametrize("kind", SERVERS)
def test_the_rest_of_the_website_does_not_change(setting, website, kind):
    site = website(kind, HOST, setting.snippet(kind)["text"], setting.authority)
    bare = website(kind, HOST)
    others = ["/", "/data.json", "/.well-known/security.txt", "/.well-known/", "/nothing", "/hosts/", "/hosts/other/x"]
    others += [path + more for path in PATHS for more in [".json", "x"]]
    for path in others:
        found, expected = get(site.url, path, HOST), get(bare.url, path, HOST)
        assert (found.status, found.body) == (expected.status, expected.body), path
        for here, there in zip(site.redirecting, bare.redirecting):
            found, expected = get(here, path, HOST), get(there, path, HOST)
            assert (found.status, found.all("location")) == (expected.status, expected.all("location")), path
            assert found.status in (301, 302)
    assert get(site.url, "/", HOST).body.decode() == PAGE
    # Without the snippet, the website has its own file or redirects. Neither may be seen.
    for path in PATHS:
        assert get(bare.url, path, HOST).body != setting.body
        assert {get(url, path, HOST).status for url in bare.redirecting} <= {301, 302}


@pytest.mark.parametrize("kind", SERVERS)
def test_a_stopped_edge_is_a_503_with_retry_after(setting, website, kind):
    text = setting.snippet(kind)["text"]
    assert setting.edge in text
    away = website(kind, HOST, text.replace(setting.edge, f"https://localhost:{free_port()}"), setting.authority)
    for url in [away.url, *away.redirecting]:
        for path in PATHS:
            for _ in range(2):
                answer = get(url, path, HOST)
                assert answer.status in (502, 503, 504) and not answer.all("location")
                assert answer.body != FILES["apple-app-site-association"].encode()


@pytest.mark.parametrize("kind", SERVERS)
def test_an_edge_without_a_trusted_certificate_is_refused(setting, website, kind):
    """Its certificate is signed by an authority that the system does not trust."""
    site = website(kind, HOST, setting.snippet(kind)["text"])
    for path in PATHS:
        answer = get(site.url, path, HOST)
        assert 500 <= answer.status <= 599 and setting.body not in answer.body


@pytest.fixture
def asked():
    """An edge that records the requests: its URL and the list of requests."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", requests
    server.shutdown()


def test_visitors_cookies_and_credentials_stay_with_the_website(template, website, asked):
    edge, requests = asked
    waymark = Installation({"WAYMARK_EDGE_PUBLIC_URL": edge}, like=template)
    try:
        waymark.start()
        host = waymark.new_domain()
        for kind in SERVERS:
            snippet = waymark.api("GET", f"/v1/domains/{host}/snippets/{kind}").json()
            assert any("by http" in note for note in snippet["notes"])
            site = website(kind, host, snippet["text"])
            fields = ["Cookie: session=secret", "Authorization: Basic c2VjcmV0", 'If-None-Match: "known"', "User-Agent: swcd"]
            for path in PATHS:
                requests.clear()
                assert get(site.url, path, host, "GET", *fields).body == b"{}", site.log()
                [(asked_path, sent)] = requests
                assert asked_path == f"/hosts/{host}{path}"
                assert sent["host"] == edge.removeprefix("http://")
                assert not {"cookie", "authorization"} & sent.keys()
                assert (sent["if-none-match"], sent["user-agent"]) == ('"known"', "swcd")
    finally:
        waymark.remove()


def test_cloudfront(setting):
    config = yaml.safe_load(setting.snippet("cloudfront")["text"])
    [origin] = config["Origins"]
    assert origin["DomainName"] == "localhost" and origin["OriginPath"] == f"/hosts/{HOST}"
    assert origin["CustomOriginConfig"]["HTTPSPort"] == setting.front.https_port
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"
    assert [behavior["PathPattern"] for behavior in config["CacheBehaviors"]] == PATHS
    for behavior in config["CacheBehaviors"]:
        assert behavior["TargetOriginId"] == origin["Id"]
        assert behavior["ViewerProtocolPolicy"] == "allow-all", "no redirect to https"


def test_vercel_and_netlify(setting):
    [rewrites] = json.loads(setting.snippet("vercel")["text"]).values()
    redirects = tomllib.loads(setting.snippet("netlify")["text"])["redirects"]
    for path, rewrite, redirect in zip(PATHS, rewrites, redirects, strict=True):
        target = f"{setting.edge}/hosts/{HOST}{path}"
        assert rewrite == {"source": path, "destination": target}
        assert redirect == {"from": path, "to": target, "status": 200, "force": True}
        assert setting.waymark.edge("edge.example.net", target.removeprefix(setting.edge)).content == setting.body


# Runs the Worker as Cloudflare does: requests each URL from it and prints the answers. The Worker's own request to the
# website returns "the website".
WORKER = """
import worker from "./handover.mjs";
const real = globalThis.fetch;
globalThis.fetch = (target, options) =>
  target instanceof Request ? new Response("the website") : real(target, options);
for (const [method, url, known] of JSON.parse(process.argv[2])) {
  const headers = { Cookie: "session=secret", ...(known && { "If-None-Match": known }) };
  const answer = await worker.fetch(new Request(url, { method, headers }));
  const { status } = answer;
  console.log(JSON.stringify({ status, body: await answer.text(), fields: Object.fromEntries(answer.headers) }));
}
"""


def test_the_worker_of_cloudflare(setting, tmp_path):
    (tmp_path / "handover.mjs").write_text(setting.snippet("cloudflare")["text"])
    (tmp_path / "run.mjs").write_text(WORKER)
    (tmp_path / "authority.crt").write_bytes(setting.authority)

    def ask(*questions, file="run.mjs"):
        result = subprocess.run(
            ["node", file, json.dumps(questions)],
            cwd=tmp_path,
            env=os.environ | {"NODE_EXTRA_CA_CERTS": str(tmp_path / "authority.crt")},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert result.returncode == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    site = f"https://{HOST}"
    for path in PATHS:
        file, head, known, other = ask(
            ["GET", site + path, None],
            ["HEAD", site + path, None],
            ["GET", site + path, f'"{setting.sha256}"'],
            ["GET", site + path + "x", None],
        )
        assert (file["status"], file["body"].encode()) == (200, setting.body)
        assert file["fields"]["content-type"] == "application/json" and file["fields"]["waymark-version"] == "1"
        assert (head["status"], head["body"]) == (200, "")
        assert known["status"] == 304
        assert other["body"] == "the website"
    text = (tmp_path / "handover.mjs").read_text()
    (tmp_path / "handover.mjs").write_text(text.replace(setting.edge, f"https://localhost:{free_port()}"))
    [away] = ask(["GET", site + PATHS[0], None])
    assert (away["status"], away["fields"]["retry-after"]) == (503, "5")


def test_every_kind_of_snippet_exists_and_has_notes(setting):
    listed = setting.waymark.api("GET", f"/v1/domains/{HOST}/snippets").json()
    assert [item["kind"] for item in listed["items"]] == KINDS and listed["next"] is None
    for item in listed["items"]:
        assert item == setting.snippet(item["kind"])
        assert (item["host"], item["edgeURL"]) == (HOST, setting.edge)
        if item["kind"] in SERVERS:
            assert "\n# Other names of this " in item["text"]
        assert HOST in item["text"] and item["place"] and item["text"].endswith("\n")
        assert item["check"] == f"curl -si https://{HOST}{PATHS[0]}"
        assert any("redirect" in note for note in item["notes"])
        assert not any("Nothing is live" in note or "WAYMARK_EDGE_PUBLIC_URL" in note for note in item["notes"])
        assert "Nothing is live" in setting.snippet(item["kind"], setting.unpublished)["notes"][0]


def test_a_snippet_without_the_edges_address_is_marked(waymark):
    host = waymark.new_domain()
    for item in waymark.api("GET", f"/v1/domains/{host}/snippets").json()["items"]:
        assert item["edgeURL"] is None
        assert "edge.example.net" in item["text"]
        assert "edge.example.net" in item["notes"][0] and "WAYMARK_EDGE_PUBLIC_URL" in item["notes"][0]


def test_an_alias_has_its_own_snippets_and_an_unknown_domain_has_none(waymark):
    host = waymark.new_domain(draft("/alias"))
    alias = waymark.new_domain(aliasOf=host)
    assert f"/hosts/{alias}" in waymark.api("GET", f"/v1/domains/{alias}/snippets/nginx").json()["text"]
    for path in [f"/v1/domains/{host}/snippets/iis", "/v1/domains/absent.example/snippets/nginx"]:
        assert waymark.api("GET", path).status_code == 404


def test_the_command_prints_only_the_snippet_to_standard_output(waymark):
    host = waymark.new_domain(draft("/command"))
    environment = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("viewer")}
    for kind in KINDS:
        snippet = waymark.api("GET", f"/v1/domains/{host}/snippets/{kind}").json()
        told = waymark.cli("snippet", host, kind, environment=environment)
        assert told.stdout == snippet["text"]
        for note in [snippet["place"], *snippet["notes"], snippet["check"]]:
            assert note in told.stderr
        assert json.loads(waymark.cli("snippet", host, kind, "--json", environment=environment).stdout) == snippet
    unknown = waymark.cli("snippet", host, "iis", environment=environment, check=False)
    assert unknown.returncode == 2 and "netlify" in unknown.stderr
    absent = waymark.cli("snippet", "absent.example", "nginx", environment=environment, check=False)
    assert (absent.returncode, absent.stdout) == (3, "")


@pytest.mark.parametrize(
    "url",
    ["edge.example.net", "ftp://edge.example.net", "https://", "https://edge.example.net/", "https://a@b.example",
     "https://127.0.0.1", "https://edge.example.net:0", "https://edge.example.net:x", "https://edge.example.net;",
     'https://edge.example.net"', "https://edge.example.net\n"],
)
def test_an_address_that_is_unsafe_in_a_configuration_is_refused(empty_waymark, url):
    refused = empty_waymark.cli("serve", environment={"WAYMARK_EDGE_PUBLIC_URL": url}, check=False)
    assert refused.returncode == 3 and "WAYMARK_EDGE_PUBLIC_URL" in refused.stderr
