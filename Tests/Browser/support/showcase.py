"""Organizations to look at: empty, with a blank domain, typical, and full.

The full one has 2,000 domains, a draft of 237 rules, long names, and names from right to left.
"""

from types import SimpleNamespace

from dashboard import draft, rule
from installation import eventually

TEAM = "TESTTEAM01"
SHOP, HELP, ARABIC = (f"{TEAM}.com.example.{name}" for name in ("shop", "help", "arabic"))

LONG_HOST = "a-very-long-host-name-for-a-campaign.summer-2026.marketing-in-all-countries"
NAMES = {
    "typical": {SHOP: "Shop", HELP: "Help", ARABIC: "Shop for watches"},
    "full": {
        SHOP: "متجر الأمثلة (Shop)",
        HELP: "עזרה ותמיכה, 2026",
        ARABIC: "The name of this app is longer than any name should be",
    },
}
MESSAGES = {"typical": "Gifts are new", "full": "تحديث القواعد للصيف 2026 (v2)"}
COMMENTS = {"typical": "stays on the web", "full": "נשאר באתר, (2026)"}

RULES = [
    rule("/sign-in/*", exclude=True),
    rule("/buy/*"),
    rule("/help/website/*", exclude=True),
    rule("/help/*", query={"articleNumber": "????"}),
    rule("/product/*", caseSensitive=False),
    rule("/never/*", exclude=True),
]


def showcase(waymark, kind):
    slug = waymark.create_organization()
    token = waymark.token(organization=slug)

    def api(method, path, body=None):
        answer = waymark.api(method, path, body, token=token)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    if kind == "empty":
        return SimpleNamespace(slug=slug, host=None, app=None)
    if kind == "blank":
        return SimpleNamespace(slug=slug, host=waymark.new_domain(token=token, host=f"www.{slug}.example"), app=None)

    trust = {"name": "Deploy", "provider": "gitlab", "role": "publisher"}
    trust["claims"] = {"project_id": "22", "namespace_id": "72", "ref": "main", "ref_type": "branch"}
    waymark.api("POST", "/v1/trusts", trust, waymark.session(organization=slug), token=False)
    api("POST", "/v1/teams", {"teamID": TEAM, "name": "شركة الأمثلة" if kind == "full" else "Example Ltd"})
    for app, name in NAMES[kind].items():
        api("POST", "/v1/apps", {"teamID": TEAM, "bundleID": app[11:], "name": name})
    stems = ["www", "shop", "help", "staging", "go", "links.brand-acme"]
    if kind == "full":
        stems += [LONG_HOST, "xn--mgbh0fb", *(f"site-{number:04}" for number in range(2_000))]
    hosts = [f"{stem}.{slug}.example" for stem in stems]
    rules = [{**each, **({"comment": COMMENTS[kind]} if number % 2 == 0 else {})} for number, each in enumerate(RULES)]
    content = draft(([SHOP], rules), ([HELP], [rule("/support/*")]))
    for number, host in enumerate(hosts):
        labels = ["production", "brand-acme"][: 1 + number % 2] if number < 12 else []
        api("POST", "/v1/domains", {"host": host, "labels": labels})
        if number < 8:
            waymark.put_draft(host, content, token=token)
    host = hosts[6 if kind == "full" else 0]
    for url, outcome in (("/buy/1", {"outcome": "opens", "app": SHOP}), ("/sign-in/reset", {"outcome": "excluded"})):
        api("POST", f"/v1/domains/{host}/tests", {"url": url, "expected": outcome, "note": COMMENTS[kind]})
    for each in hosts[:4] + ([host] if kind == "full" else []):
        waymark.publish(each, token=token, message=MESSAGES[kind])
    more = [rule(f"/part-{number:03}/a-page-with-a-long-path/*") for number in range(230)] if kind == "full" else []
    waymark.put_draft(host, draft(([SHOP], [*rules, *more, rule("/summer/*")]), ([HELP, ARABIC], [])), token=token)
    api("POST", f"/v1/domains/{host}/tests", {"url": "/gift/1", "expected": {"outcome": "opens", "app": HELP}})
    waymark.put_draft(hosts[1], draft(([SHOP], [*rules, rule("/summer/*")]), ([HELP], [])), token=token)
    waymark.release({"hosts": [hosts[1]], "message": MESSAGES[kind]}, token=token)
    schedule = {"expression": "0 9 * * MON-FRI", "zone": "Europe/Berlin"}
    api("POST", "/v1/schedules", {"name": "weekday mornings", "label": "production", **schedule})
    api("POST", "/v1/schedules", {"name": MESSAGES[kind], "host": host, **schedule, "expression": "30 2 * * *"})

    def checked():
        found = api("GET", "/v1/domains?limit=50")["items"]
        return all(each["checks"] and each["checks"]["current"] for each in found)

    eventually(checked, what="the checks of the drafts")
    return SimpleNamespace(slug=slug, host=host, app=SHOP)
