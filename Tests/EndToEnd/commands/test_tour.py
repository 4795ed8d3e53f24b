"""Runs the tour as it is written, in one shell: on each page of PAGES, every ```console block after `<!-- tour -->`.

A line that starts with `$ ` is a command. The lines after it, up to the next command, are parts of its output, in their
order; `…` matches any text. Only the usual addresses are replaced by those of the test's own service.
"""

import re
import subprocess

from installation import EXECUTABLE, REPOSITORY

# A reader follows them in this order, in one terminal.
PAGES = ["README.md", "docs/api.md", "docs/command-line.md"]

MARK = "--- end of command {} ---"

# The tour sleeps for a second before it asks the edge. A busy machine may need longer, so here that second lasts until
# the edge serves the live version.
SLEEP = """
sleep() {
  for look in $(seq 600); do
    WAYMARK_URL=${API%/v1} WAYMARK_TOKEN=$TOKEN waymark serving www.tour.example >/dev/null && return
    command sleep 0.1
  done
}
"""


def commands(page):
    """The commands of a page, each with the lines of output that the page shows."""
    text = (REPOSITORY / page).read_text()
    found = []
    for block in re.findall(r"^<!-- tour -->\n+```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        continues = False
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif continues:
                found[-1] = (found[-1][0] + "\n" + line.removeprefix("> "), [])
            elif line:
                found[-1][1].append(line)
            continues = line.endswith("\\")
    assert found, f"{page} has no tour"
    return [(page, command, expected) for command, expected in found]


def shows(expected, printed):
    """Whether the output contains the expected lines, in their order."""
    rest = iter(printed.splitlines())
    for line in expected:
        pattern = re.compile(".*".join(map(re.escape, line.strip().split("…"))))
        if line.strip("… ") and not any(pattern.search(other) for other in rest):
            return False
    return True


def test_every_command_of_the_tour_prints_the_output_that_its_page_shows(empty_waymark):
    waymark = empty_waymark.start()
    tour = [step for page in PAGES for step in commands(page)]
    script = f"set -eo pipefail\nexec 2>&1\n{SLEEP}"
    for number, (_, command, _) in enumerate(tour):
        script += f"{command}\necho '{MARK.format(number)}'\n"
    for usual, name in [
        ("8080", "ADDRESS"),
        ("8081", "EDGE_ADDRESS"),
        ("8082", "METRICS_ADDRESS"),
        ("8083", "EDGE_METRICS_ADDRESS"),
    ]:
        script = re.sub(rf"(127\.0\.0\.1|localhost):{usual}\b", waymark.environment[f"WAYMARK_{name}"], script)
    environment = waymark.environment | {"PATH": f"{EXECUTABLE.parent}:{waymark.environment['PATH']}"}
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
    )
    rest = result.stdout
    for number, (page, command, expected) in enumerate(tour):
        printed, mark, rest = rest.partition(MARK.format(number) + "\n")
        assert mark, f"this command of {page} failed:\n$ {command}\n{printed}"
        assert shows(expected, printed), f"$ {command}\nprinted:\n{printed}\n{page} shows:\n" + "\n".join(expected)
    assert result.returncode == 0
