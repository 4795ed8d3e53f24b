"""Bodies and paths that are expensive to process: deep, wide, long or repeated values, numbers, and Unicode."""

import json
from urllib.parse import quote

from contract import BODIES, DOCUMENT

APP = "ABCDE12345.com.example.a"
# Ordering combining marks and pairing flag characters can take quadratic time.
MARKS, FLAGS = "\u0301\u0316", "\U0001f1e6"


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def many(make, size):
    """The list `[make(0), make(1), …]` with about `size` bytes of JSON."""
    return [make(number) for number in range(max(1, size // (len(text(make(12_345)).encode()) + 1)))]


def entry(components, apps=(APP,), **more):
    return {"appIDs": list(apps), "components": components, **more}


def file(*details, **more):
    return {"applinks": {"details": list(details), **more}}


def pairs(make, size):
    """An object with about `size` bytes of JSON. `make` returns the name and value of a member."""
    return dict(many(lambda number: make(number), size))


# Association files of about `n` bytes, by name.
FILES = {
    "apps": lambda n: file(entry([{"/": "/x"}], many(lambda i: f"{APP}{i}", n))),
    "apps of teams": lambda n: file(entry([{"/": "/x"}], many(lambda i: f"{i:010}.com.own.app", n))),
    "malformed apps": lambda n: file(entry([{"/": "/x"}], many(lambda i: f"x{i}", n))),
    "placeholders": lambda n: file(entry([{"/": "/x"}], many(lambda i: f"TEAMID{i}.com.example", n))),
    "one app again and again": lambda n: file(entry([{"/": "/x"}], many(lambda i: APP, n))),
    "apps and rules": lambda n: file(
        entry(many(lambda i: {"/": f"/r{i}/x"}, n // 2), many(lambda i: f"{APP}{i}", n // 2))
    ),
    "apps and a rule of many items": lambda n: file(
        entry([{"?": pairs(lambda i: (f"q{i}", "*"), n // 2)}], many(lambda i: f"{APP}{i}", n // 2))
    ),
    "entries": lambda n: file(*many(lambda i: entry([{"/": f"/{i}"}], [f"{APP}{i}"]), n)),
    "entries of one app": lambda n: file(*many(lambda i: entry([{"/": f"/{i}"}]), n)),
    "empty entries": lambda n: file(*many(lambda i: {}, n)),
    "rules": lambda n: file(entry(many(lambda i: {"/": f"/a{i}/*"}, n))),
    "equal rules": lambda n: file(entry(many(lambda i: {"/": "/a"}, n))),
    "rules of stars": lambda n: file(entry(many(lambda i: {"/": f"*{i}*a*"}, n))),
    "rules of one part each": lambda n: file(entry(many(lambda i: {"#": f"*{i}?"}, n))),
    "empty rules": lambda n: file(entry(many(lambda i: {}, n))),
    "exclusions": lambda n: file(entry(many(lambda i: {"/": f"/a{i}/*", "exclude": True}, n) + [{"/": "*"}])),
    "openings and exclusions": lambda n: file(
        entry(many(lambda i: {"/": f"/*{'ab'[i % 2]}{i}*", "exclude": i % 2 == 1}, n))
    ),
    "exclusions without effect": lambda n: file(
        entry(many(lambda i: {"/": f"/{'ab'[i % 2]}{i}/*", "exclude": i % 2 == 1}, n))
    ),
    "wildcards of fixed length": lambda n: file(
        entry(
            many(lambda i: {"/": f"/{'?' * 12}{i}"}, n // 2) + many(lambda i: {"/": f"/e{i}*", "exclude": True}, n // 2)
        )
    ),
    "rules of an ignored key": lambda n: file(entry(many(lambda i: {"url": f"/{i}"}, n))),
    "a list in one pattern": lambda n: file(entry([{"/": "/a, " * (n // 4)}])),
    "rules without case": lambda n: file(entry(many(lambda i: {"/": f"/É{i}", "caseSensitive": False}, n))),
    "rules with comments": lambda n: file(entry(many(lambda i: {"/": f"/{i}", "comment": "c" * 200}, n))),
    "a long comment": lambda n: file(entry([{"/": "/x", "comment": "c" * n}])),
    "paths": lambda n: file({"appID": APP, "paths": many(lambda i: f"NOT /x{i}/*", n)}, apps=[]),
    "query items": lambda n: file(entry([{"?": pairs(lambda i: (f"q{i}", "a*"), n)}])),
    "rules with query items": lambda n: file(entry(many(lambda i: {"?": {f"q{i}": "*", "r": "?"}}, n))),
    "variables": lambda n: file(
        entry(many(lambda i: {"/": f"/$(v{i})"}, n // 2)),
        substitutionVariables=pairs(lambda i: (f"v{i}", ["a", "b"]), n // 2),
    ),
    "values": lambda n: file(
        entry(many(lambda i: {"/": f"/$(v)/{i}"}, n // 2)), substitutionVariables={"v": many(lambda i: f"v{i}", n // 2)}
    ),
    "empty values": lambda n: file(
        entry(many(lambda i: {"/": f"/$(v)/{i}"}, n // 2)), substitutionVariables={"v": many(lambda i: "", n // 2)}
    ),
    "values with wildcards": lambda n: file(
        entry(many(lambda i: {"/": f"*$(v)*{i}"}, n // 2)),
        substitutionVariables={"v": many(lambda i: f"*{i}?", n // 2)},
    ),
    "one variable again and again": lambda n: file(
        entry([{"/": "/" + "$(v)" * (n // 8)}]), substitutionVariables={"v": many(lambda i: chr(97 + i % 26), n // 2)}
    ),
    "a pattern of stars": lambda n: file(entry([{"/": "/" + "*a" * (n // 2)}])),
    "a pattern of question marks": lambda n: file(entry([{"/": "/" + "?" * n}])),
    "a pattern of predefined variables": lambda n: file(entry([{"/": "/" + "$(lang)" * (n // 7)}])),
    "a pattern of undefined variables": lambda n: file(entry([{"/": "".join(f"$(u{i})" for i in range(n // 9))}])),
    "a pattern of brackets": lambda n: file(entry([{"/": "/" + "[a]{b,c}" * (n // 8)}])),
    "a pattern of escapes": lambda n: file(entry([{"/": "/" + "%41\\" * (n // 5)}])),
    "a pattern of slashes": lambda n: file(entry([{"/": "/" * n}])),
    "a long pattern without case": lambda n: file(entry([{"/": "/" + "É" * (n // 2), "caseSensitive": False}])),
    "unknown keys": lambda n: pairs(lambda i: (f"applink{i}", 1), n),
    "unknown keys of an entry": lambda n: file(entry([{"/": "/x"}], **pairs(lambda i: (f"appID{i}", 1), n))),
    "entries with defaults": lambda n: file(
        *many(lambda i: entry([{"/": "/x"}, {"/": "/x"}], [f"{APP}{i}"], defaults={"/": "/$(lang)"}), n)
    ),
    "unknown keys of a rule": lambda n: file(entry([pairs(lambda i: (f"exclud{i}", 1), n)])),
    "unknown keys of rules": lambda n: file(entry(many(lambda i: {"/": "/x", f"exclude{i}": True}, n))),
    "long unknown keys": lambda n: pairs(lambda i: (f"applinks{i}".ljust(64, "x"), 1), n),
    "one long key": lambda n: {"a" * n: 1},
    "apps that are their clips": lambda n: {
        **file(entry([{"/": "/x"}], many(lambda i: f"{APP}{i}", n // 2))),
        "appclips": {"apps": many(lambda i: f"{APP}{i}", n // 2)},
    },
    "services": lambda n: {"webcredentials": {"apps": many(lambda i: f"{APP}{i}", n)}},
    "services of wrong type": lambda n: pairs(lambda i: (f"s{i}", {"apps": [APP]}), n),
    "wrong types": lambda n: file(entry(many(lambda i: 1, n))),
    "numbers": lambda n: file(entry([]), defaults={"comment": many(lambda i: i * 1e9, n)}),
}

# Other large inputs of about `n` bytes, by name. They are texts, because some of them are not valid JSON.
TEXTS = {
    "deep arrays": lambda n: "[" * n,
    "deep objects": lambda n: '{"a":' * (n // 5),
    "arrays thirty deep": lambda n: "[" + ",".join(many_texts("[" * 30 + "]" * 30, n)) + "]",
    "empty arrays": lambda n: "[" + ",".join(many_texts("[]", n)) + "]",
    "empty objects": lambda n: "[" + ",".join(many_texts("{}", n)) + "]",
    "many numbers": lambda n: "[" + ",".join(many_texts("1", n)) + "]",
    "numbers with exponents": lambda n: "[" + ",".join(many_texts("1e-999", n)) + "]",
    "a long number": lambda n: "7" * n,
    "one key again and again": lambda n: "{" + ",".join(many_texts('"a":1', n)) + "}",
    "many keys": lambda n: text(pairs(lambda i: (f"k{i}", 0), n)),
    "many keys of marks": lambda n: text(pairs(lambda i: (f"{MARKS * 100}{i}", 0), n)),
    "a key of marks": lambda n: text(pairs(lambda i: (f"k{i}", 0), 400) | {"e" + MARKS * (n // 4): 0}),
    "a text of marks": lambda n: text({"applinks": "e" + MARKS * (n // 4)}),
    "a text of escaped marks": lambda n: '{"applinks":"' + "\\u0301\\u0316" * (n // 12) + '"}',
    "a text of flags": lambda n: text({"applinks": FLAGS * (n // 4)}),
    "many escapes": lambda n: '["' + "\\u00e9" * (n // 6) + '"]',
    "spaces": lambda n: " " * n,
    "lines": lambda n: "{" + "\n" * n + "}",
    "a text without an end": lambda n: '{"a":"' + "x" * n,
    "control characters": lambda n: "{" + "\u0001" * n,
    "a page": lambda n: "<html>" + "<p>x" * (n // 4),
}


def many_texts(one, size):
    return [one] * max(1, size // (len(one) + 1))


def files(size):
    """All hostile files, by name, as bytes."""
    for name, make in FILES.items():
        yield name, text(make(size)).encode()
    for name, make in TEXTS.items():
        yield name, make(size).encode()


URLS = ["/x", "/" + "a" * 8_000, "/?" + "&".join(f"q{i}=a" for i in range(1_000)), "/É%C3%89//x?" + "&" * 2_000]


def evaluations(size, maximum=10_000):
    """Evaluation requests with hostile files and the most expensive URLs, at most `maximum`."""
    for name, make in FILES.items():
        yield name, text({"aasa": text(make(min(size * 3 // 4, 250_000))), "urls": URLS}).encode()
    few = text(file(entry([{"/": "/*"}])))
    yield "many URLs", text({"aasa": few, "urls": many(lambda i: f"/{i}", size)[:maximum]}).encode()
    long = many(lambda i: "/" + "a*%41É" * 1_000, size)[:maximum]
    yield "many long URLs", text({"aasa": few, "urls": long}).encode()
    marks = many(lambda i: "é" + MARKS * 100 + "://" + MARKS * 100, size)[:maximum]
    yield "URLs of marks", text({"aasa": few, "urls": marks}).encode()
    domain = "e" + MARKS * (size // 4) + ".example"
    yield "a host of marks", text({"aasa": few, "urls": ["/"], "domain": domain}).encode()
    hosts = many(lambda i: "https://" + "é." * 500 + "example/", size)[:maximum]
    yield "many host names", text({"aasa": few, "urls": hosts}).encode()
    apps = text(FILES["apps"](min(size // 2, 250_000)))
    yield "apps times URLs", text({"aasa": apps, "urls": many(lambda i: f"/{i}", size // 2)[:maximum]}).encode()


# Bodies derived from a schema


def resolved(schema):
    while "$ref" in schema:
        found = DOCUMENT
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            schema = {**schema, **resolved(schema[key][0])}
    return schema


def sample(schema, depth=0):
    """A small value that the schema accepts, or nearly accepts."""
    schema = resolved(schema)
    for key in ("const", "example", "default"):
        if key in schema:
            return schema[key]
    if schema.get("examples"):
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        wanted = schema.get("required", []) if depth < 6 else []
        return {name: sample(schema.get("properties", {}).get(name, {}), depth + 1) for name in wanted}
    return {"array": [], "string": "x", "integer": 1, "number": 1, "boolean": True}.get(kind)


def places(schema, path=(), depth=0):
    """The path and the schema of every value that a body can contain."""
    schema = resolved(schema)
    yield path, schema
    if depth > 4:
        return
    for name, member in schema.get("properties", {}).items():
        yield from places(member, (*path, name), depth + 1)
    if "items" in schema:
        yield from places(schema["items"], (*path, 0), depth + 1)


def put(body, path, value, schema):
    """The body with `value` at `path`. Missing parents are created."""
    if not path:
        return value
    schema, (step, *rest) = resolved(schema), path
    if step == 0:
        return [put(sample(schema.get("items", {})), rest, value, schema.get("items", {}))]
    body = dict(body) if isinstance(body, dict) else {}
    member = schema.get("properties", {}).get(step, {})
    body[step] = put(body.get(step, sample(member)), rest, value, member)
    return body


def enlarged(schema, size):
    """Large values for the place of a schema, by name."""
    if "items" in schema:
        item = sample(schema["items"])
        yield "many", many(lambda i: f"{item}{i}" if isinstance(item, str) else item, size)
        yield "one again and again", many(lambda i: item, size)
    yield "long", "a" * size
    yield "marks", "e" + MARKS * (size // 4) + ".example"
    yield "flags", FLAGS * (size // 4)
    yield "numbers", many(lambda i: i, size)
    yield "wide", pairs(lambda i: (f"{i}", i), size)


def bodies(operation, size):
    """Hostile bodies for an operation, by name."""
    described = DOCUMENT["paths"][operation.path][operation.method.lower()].get("requestBody")
    if described is None:
        return
    if operation.id in ("lintFile", "importFile"):
        yield from files(size)
        return
    if operation.id == "evaluateFile":
        yield from evaluations(size)
    if operation.id == "importTests":
        yield "a table", b"url,expect\n" + b"/x,none\n" * (size // 8)
        yield "a table of marks", ("url,expect\n" + "https://é" + MARKS * (size // 4) + ",none\n").encode()
        yield "a table of quotes", b'url,expect\n"' + b'""' * (size // 2)
    schema = next(iter(described["content"].values()))["schema"]
    for path, part in places(schema):
        where = "/".join(map(str, path)) or "the body"
        for name, value in enlarged(part, size):
            yield f"{where}: {name}", text(put(BODIES.get(operation.id, {}), path, value, schema)).encode()
    for name, make in TEXTS.items():
        yield name, make(size).encode()
    near = BODIES.get(operation.id, {})
    key = next(iter(near), "host")
    yield "keys that are nearly known", text(near | pairs(lambda i: (f"{key}{i}", 1), size)).encode()


PARTS = {"letters": "a", "marks": MARKS, "flags": FLAGS, "percent signs": "%", "dots": "é.", "punycode": "xn--a."}
LONG = {name: quote(part * (6_000 // len(quote(part)))) for name, part in PARTS.items()}


def addresses(operation, path):
    """Hostile paths and queries for an operation, by name. `path` is one of its valid paths."""
    steps, template = path.split("/"), operation.path.split("/")
    for name, long in LONG.items():
        for place, step in enumerate(template):
            if step.startswith("{"):
                yield f"{step}: {name}", "/".join([*steps[:place], long, *steps[place + 1 :]])
        for parameter in DOCUMENT["paths"][operation.path][operation.method.lower()]["parameters"]:
            reference = parameter.get("$ref", "")
            found = resolved(parameter)
            if found["in"] == "query" and not reference.endswith("/Wait"):
                yield f"?{found['name']}: {name}", f"{path}?{found['name']}={long}"
