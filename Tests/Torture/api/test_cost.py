"""The cost of hostile requests. Every route has a budget in the contract (`x-budget`). A quick run uses a debug build,
often on a busy machine. So it compares the cost of a request with the cost of one that is four times as large, which
shows quadratic growth. A full run measures a release build against the budgets.
"""

import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from contract import DOCUMENT, OPERATIONS, filled, things
from hostile import APP, FILES, MARKS, TEXTS, URLS, addresses, bodies, entry, evaluations, file, text
from installation import RELEASE_EXECUTABLE, installed
from load import Load, Meanwhile
from processes import processor_seconds
from samples import draft

MEBIBYTE = 1 << 20
# Linear growth makes the cost four times as high, quadratic growth sixteen times.
MAXIMUM_GROWTH = 9
# Costs below this many seconds are not compared: clock ticks and other work of the process would decide.
LEAST = 0.4
# Too busy, too large, too many: correct answers to expensive requests.
REFUSALS = {400, 401, 403, 404, 409, 412, 413, 414, 415, 422, 428, 429}

BY_ID = {operation.id: operation for operation in OPERATIONS}


def described(operation):
    return DOCUMENT["paths"][operation.path][operation.method.lower()]


def budget(operation):
    return described(operation).get("x-budget", DOCUMENT["x-usual-budget"])


def body_limit(operation):
    return described(operation).get("x-body-limit", MEBIBYTE)


@contextmanager
def service(full):
    """A separate Waymark; a release build if it is measured against the budgets."""
    with pytest.MonkeyPatch.context() as patch:
        if full:
            assert RELEASE_EXECUTABLE.exists(), "make torture builds it"
            patch.setattr("installation.EXECUTABLE", RELEASE_EXECUTABLE)
        with installed() as waymark:
            yield waymark


@pytest.fixture(scope="module")
def waymark(request):
    with service(request.config.getoption("--full")) as waymark:
        yield waymark


class Subject:
    """The API's process, and the cost of its requests."""

    def __init__(self, waymark):
        self.waymark, self.pid = waymark, waymark.process.pid
        self.headers = {"Authorization": f"Bearer {waymark.token()}", "If-Match": "*"}

    def memory(self, name):
        with open(f"/proc/{self.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(f"{name}:"))

    def cost(self, method, path, body=None, timeout=280):
        """The cost of one request: processor seconds, bytes of memory beyond the body, seconds; and the answer."""
        with open(f"/proc/{self.pid}/clear_refs", "w") as file:
            file.write("5")
        memory, processor, start = self.memory("VmRSS"), processor_seconds(self.pid), time.monotonic()
        answer = self.waymark.client.request(method, path, content=body, headers=self.headers, timeout=timeout)
        assert answer.status_code < 300 or answer.status_code in REFUSALS, f"{answer.status_code}: {answer.text[:300]}"
        return (
            processor_seconds(self.pid) - processor,
            self.memory("VmHWM") - memory - len(body or b""),
            time.monotonic() - start,
            answer,
        )


def growth(subject, operation, path, small, large):
    """The cost of the large request divided by that of the small one, from the best of three measurements. Zero if both
    are cheap."""
    seen = []
    for _ in range(3):
        costs = [subject.cost(operation.method, path, body)[0] for body in (small, large)]
        seen.append(costs[1] / max(costs[0], LEAST / 16) if costs[1] >= LEAST else 0)
        if seen[-1] < MAXIMUM_GROWTH:
            break
    return min(seen)


@pytest.mark.parametrize("operation", ["lintFile", "evaluateFile", "evaluateFile?explain=true"])
def test_the_cost_of_anonymous_requests_grows_no_faster_than_their_size(waymark, operation, size):
    identifier, _, query = operation.partition("?")
    operation, subject = BY_ID[identifier], Subject(waymark)
    path = f"{operation.path}?{query}" if query else operation.path

    def requests(count):
        return dict(evaluations(count, 50) if query else bodies(operation, count))

    small, large = requests(size(12_000, 60_000)), requests(size(48_000, 240_000))
    grown = {name: growth(subject, operation, path, small[name], large[name]) for name in large}
    assert {name: times for name, times in grown.items() if times >= MAXIMUM_GROWTH} == {}


class Costs:
    """The costs of requests: those above their budget, and the maximum of each kind."""

    def __init__(self, subject, full):
        self.subject, self.full = subject, full
        self.beyond, self.most = {}, {"processor": (0, ""), "memory": (0, ""), "time": (0, "")}

    def add(self, operation, name, path, body=None):
        """Sends a request, records its costs, and returns the answer."""
        allowed, full = budget(operation), self.full
        processor, memory, seconds, answer = self.subject.cost(operation.method, path, body)
        what = f"{operation.id}, {name} ({answer.status_code})"
        # A debug build is ten times as slow, but uses the same memory.
        scale = 1 if full else 20
        if processor * 1_000 > allowed["processorMilliseconds"] * scale:
            self.beyond[what] = f"{processor:.2f} s of processor"
        if memory > allowed["memoryBytes"]:
            self.beyond[what] = f"{memory / MEBIBYTE:.0f} MiB"
        if full and seconds * 1_000 > allowed["milliseconds"]:
            self.beyond[what] = f"{seconds:.2f} s"
        for kind, cost in (("processor", processor), ("memory", memory / MEBIBYTE), ("time", seconds)):
            self.most[kind] = max(self.most[kind], (cost, what))
        return answer

    def tell(self, figure, of=""):
        for kind, form, asked in (
            ("processor", "{:.2f} s, {}", "≤ 1 s"),
            ("memory", "{:.0f} MiB, {}", "≤ 64 MiB"),
            ("time", "{:.2f} s, {}", "≤ 10 s"),
        ):
            figure(f"the most {kind} of one request{of}", form.format(*self.most[kind]), asked)


def requests_of(operation, known, full, place):
    """Hostile requests for an operation: the name, path and body of each. A quick run uses a few, different ones at
    each position."""
    path = filled(operation, known)
    if full or operation.right == "anyone":
        for name, address in addresses(operation, path):
            yield name, address, None
    for number, (name, body) in enumerate(bodies(operation, body_limit(operation) - 1_024 if full else 20_000)):
        if full or number % 6 == place % 6:
            yield name, path, body[: body_limit(operation)]
    if full and operation.id in ("evaluateFile", "evaluateDomain"):
        for name, body in evaluations(body_limit(operation) // 2, 50):
            yield f"{name}, explained", f"{path}?explain=true", body


def test_every_route_stays_within_its_budget(waymark, request, figure):
    full = request.config.getoption("--full")
    subject = Subject(waymark)
    costs, resident = Costs(subject, full), subject.memory("VmRSS")
    known = things(waymark, waymark.token())
    # Signing out would end the session of the test, and only consumers may use the routes of the snapshot.
    operations = [operation for operation in OPERATIONS if operation.id != "signOut" and operation.right != "consumer"]
    for place, operation in enumerate(sorted(operations, key=lambda operation: operation.method == "DELETE")):
        for name, path, body in requests_of(operation, known, full, place):
            costs.add(operation, name, path, body)
    costs.tell(figure)
    assert costs.beyond == {}
    grown = (subject.memory("VmRSS") - resident) / MEBIBYTE
    figure("memory that stays when all have been answered", f"{grown:.0f} MiB", "≤ 256 MiB")
    assert grown <= 256


def attacks(size):
    """Requests that once took seconds, minutes or gigabytes: the name of each, its operation, query and body."""
    marks = "e" + MARKS * (size(40_000, 320_000) // 4) + ".example"
    question = {"aasa": text(file()), "urls": ["https://www.example.com/"]}
    yield "a host of combining marks, evaluated", "evaluateFile", "", text(question | {"domain": marks})
    yield "the same in a preview of a release", "previewRelease", "", text({"hosts": [marks]})
    yield "the same as a new domain", "createDomain", "", text({"host": marks})
    count = size(450, 3_600)
    rules, apps = [{"/": f"/r{number}/x"} for number in range(count)], [f"{APP}{number}" for number in range(count)]
    question = {"aasa": text(file(entry(rules, apps))), "urls": ["/x"]}
    yield f"{count:,} apps and rules, explained", "evaluateFile", "?explain=true", text(question)
    table = "url,expect\nhttps://e" + MARKS * (size(40_000, 1_000_000) // 4) + ",none\n"
    yield "a table of combining marks, imported as tests", "importTests", "", table
    yield "the same as its header", "importTests", "", table.partition("\n")[2]
    nested = TEXTS["arrays thirty deep"](size(100_000, (16 << 20) - 1_024))
    yield "nested arrays, sent without a sign-in", "evaluateFile", "", nested
    yield "nested arrays, sent by a member", "evaluateDomain", "", nested
    yield "placeholders of app IDs, linted", "lintFile", "", text(FILES["placeholders"](size(60_000, MEBIBYTE - 1_024)))


def test_requests_that_once_stopped_the_service_cost_little(waymark, request, size, figure):
    costs = Costs(Subject(waymark), request.config.getoption("--full"))
    host = waymark.new_domain(draft("/x"))
    for what, identifier, query, body in attacks(size):
        costs.most = dict.fromkeys(costs.most, (0, ""))
        operation = BY_ID[identifier]
        costs.add(operation, what, operation.path.format(host=host) + query, body.encode())
        (processor, _), (memory, _) = costs.most["processor"], costs.most["memory"]
        figure(what, f"{processor:.2f} s, {memory:.0f} MiB", "≤ 1 s, 64 MiB")
    assert costs.beyond == {}


# The operations that read a stored draft, with a body if they need one.
READERS = {
    "showDraft": None, "showDraftFile": None, "showDraftFindings": None, "compareDraft": None, "listRules": None,
    "evaluateDomain": {"urls": URLS * 12}, "runTests": {}, "createVersion": {},
}  # fmt: skip
TESTS = {"tests": [{"url": f"/x{number}", "expected": {"outcome": "none"}} for number in range(1_000)]}


def stored(waymark, content, sizes):
    """A domain with a hostile draft, in the largest of some sizes that the limits allow; `None` if no size is
    allowed."""
    host = waymark.new_domain()
    for size in sizes:
        body = text(content(size)).encode()
        if waymark.api("POST", f"/v1/domains/{host}/import", content=body, headers={"If-Match": "*"}).status_code == 200:
            return host
    return None


def test_reading_a_hostile_draft_stays_within_the_budgets(waymark, request, figure):
    full = request.config.getoption("--full")
    costs = Costs(Subject(waymark), full)
    names = list(FILES) if full else ["apps and rules", "rules of stars", "empty rules", "variables"]
    read = 0
    for name in names:
        host = stored(waymark, FILES[name], [MEBIBYTE - 1_024, 400_000, 120_000, 30_000] if full else [20_000])
        if host is None:
            continue
        waymark.api("POST", f"/v1/domains/{host}/test-imports", TESTS)
        for identifier, body in READERS.items():
            operation = BY_ID[identifier]
            path, body = operation.path.format(host=host), None if body is None else text(body).encode()
            costs.add(operation, name, path, body)
            if identifier == "evaluateDomain":
                costs.add(operation, f"{name}, explained", f"{path}?explain=true", text({"urls": URLS}).encode())
            read += 1
    costs.tell(figure, " for a stored draft")
    assert costs.beyond == {}
    assert read >= len(names) * 4


class Hostile(Meanwhile):
    """A client that sends expensive requests one after the other, and ignores the answers. Each request has a method, a
    path and a body."""

    def __init__(self, waymark, requests, headers=None):
        super().__init__()
        self._client = httpx.Client(base_url=waymark.url, timeout=60, headers=headers)
        self._requests, self._next, self.statuses = requests, 0, {}

    def _once(self):
        method, path, body = self._requests[self._next % len(self._requests)]
        self._next += 1
        try:
            status = self._client.request(method, path, content=body).status_code
        except httpx.TransportError as error:
            status = type(error).__name__
        self.statuses[status] = self.statuses.get(status, 0) + 1


def p99(load):
    seconds = sorted(seen.seconds for seen in load.seen)
    return seconds[len(seconds) * 99 // 100]


def of_visitors(waymark, size):
    """Requests without a sign-in."""
    count = size(40_000, MEBIBYTE - 1_024)
    for name in ("apps", "empty rules", "long unknown keys"):
        yield "POST", "/v1/lint", text(FILES[name](count)).encode()
    for _, body in list(evaluations(count * 3 // 4, 50))[:12]:
        yield "POST", "/v1/evaluations?explain=true", body


def of_members(waymark, size):
    """Requests of an editor for large drafts, many hosts and many times."""
    hosts = text({"hosts": [f"host-{number}.example" for number in range(20_000)]}).encode()
    many = text({"urls": URLS * size(50, 800)}).encode()
    preview = text({"expression": "59 23 29 2 *", "zone": "Europe/Berlin", "count": 50}).encode()
    for name in ("apps and rules", "rules of stars", "empty rules", "variables"):
        path = f"/v1/domains/{stored(waymark, FILES[name], [size(20_000, 120_000), 20_000])}"
        yield "POST", f"{path}/evaluations?explain=true", text({"urls": URLS}).encode()
        yield "POST", f"{path}/evaluations", many
        yield "GET", f"{path}/draft/diff", None
        yield "POST", f"{path}/import", text(FILES[name](size(20_000, MEBIBYTE - 1_024))).encode()
        yield "POST", "/v1/release-previews", hosts
        yield "GET", "/v1/schedule-calendar?from=2026-01-01&days=42&zone=Europe/Berlin", None
        yield "POST", "/v1/schedule-previews", preview


def of_jobs(waymark, size):
    """Work for the workers: judging large drafts, again each time."""
    drafts = [stored(waymark, FILES["rules of stars"], [size(20_000, 120_000), 20_000]) for _ in range(size(70, 300))]
    body = text({"hosts": drafts}).encode()
    return [("POST", "/v1/releases?dryRun=true", body)]


@pytest.mark.parametrize("costly", [of_visitors, of_members, of_jobs])
def test_others_are_answered_while_eight_clients_send_expensive_requests(waymark, request, size, figure, costly):
    full = request.config.getoption("--full")
    other = waymark.create_organization()
    host = waymark.new_domain(draft("/x"), token=waymark.token(organization=other))
    headers = {"Authorization": f"Bearer {waymark.token(organization=other)}"}
    requests = list(costly(waymark, size))
    own = {} if costly is of_visitors else {"Authorization": f"Bearer {waymark.token()}", "If-Match": "*"}
    with ExitStack() as stack:
        loads = {
            "/livez": stack.enter_context(Load(f"{waymark.url}/livez", pause=0.02)),
            "another organization's domain": stack.enter_context(
                Load(f"{waymark.url}/v1/domains/{host}", headers, pause=0.02)
            ),
        }
        time.sleep(1)
        clients = [
            stack.enter_context(Hostile(waymark, requests[place:] + requests[:place], own)) for place in range(8)
        ]
        time.sleep(size(8, 60))
    whose = costly.__name__.replace("_", " ")
    for name, load in loads.items():
        assert load.failures == [] and {seen.status for seen in load.seen} == {200}, name
        figure(f"p99 of {name} beside eight hostile clients {whose}", f"{p99(load) * 1e3:.0f} ms", "≤ 100 ms")
        # A quick run only checks that clients do not wait for the work of others. The times depend on the machine.
        assert p99(load) <= (0.1 if full else 5), name
    assert sum(sum(client.statuses.values()) for client in clients) > 8
