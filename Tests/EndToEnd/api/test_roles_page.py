"""docs/roles.md lists every route under the role that the contract requires. Another test compares the contract with the
routes of the code, so the page is never older than the code."""

import re

from contract import DOCUMENT, ROLES
from installation import REPOSITORY

METHODS = ("get", "post", "put", "patch", "delete")


def table(role):
    """The rows of a role, in the order of the paths. Routes that only a signed-in person can use are marked."""
    rows = []
    for path, item in sorted(DOCUMENT["paths"].items()):
        for method in METHODS:
            operation = item.get(method)
            if operation and operation["x-right"] == role:
                person = " (in person)" if operation["security"] == [{"session": []}] else ""
                rows.append(f"| {operation['summary']}{person} | `{method.upper()} {path}` |")
    return ["| operation | route |", "|---|---|", *rows]


def test_the_page_of_roles_is_the_contracts():
    page = (REPOSITORY / "docs/roles.md").read_text()
    sections = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(sections) == ROLES
    for role, text in sections.items():
        shown = [line for line in text.splitlines() if line.startswith("|")]
        assert shown == table(role), "replace the table by:\n" + "\n".join(table(role))
