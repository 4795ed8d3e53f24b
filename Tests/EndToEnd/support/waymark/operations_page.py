"""Runs the commands in docs/operations/database.md as they are written there."""

import re
import shlex
import subprocess

from installation import REPOSITORY


def blocks(heading):
    """The code blocks in the section with this heading, each with its language."""
    page = (REPOSITORY / "docs/operations/database.md").read_text()
    section = re.search(rf"^## {heading}\n(.*?)^## ", page, re.S | re.M).group(1)
    found = re.findall(r"^( *)```(\w+)\n(.*?)^ *```$", section, re.S | re.M)
    return [(language, re.sub(f"^{indent}", "", text, flags=re.M)) for indent, language, text in found]


def shell(text, folder, replaced):
    """Replaces the placeholders in a code block and runs its commands."""
    for old, new in replaced.items():
        assert old in text, f"the page has no {old!r}"
        text = text.replace(old, shlex.quote(str(new)))
    result = subprocess.run(["sh", "-eu", "-c", text], cwd=folder, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr


def prepared(cluster, waymark):
    """Sets an installation's database to a cluster with the roles that the page creates."""
    waymark.environment["WAYMARK_DATABASE_URL"] = cluster.url("waymark_runtime")
    waymark.environment["WAYMARK_OWNER_DATABASE_URL"] = cluster.url("waymark_owner")
