"""The README's tour, run as it is written: every ```console block that follows a line `<!-- tour -->`, in one shell.

A line that begins with `$ ` is a command; what follows up to the next is the beginning of what it prints, line by line,
where `…` stands for any text. Only the usual addresses are replaced, by those on which the test's service listens.
"""

import re
import subprocess

from installation import EXECUTABLE, REPOSITORY

MARK = "--- end of command {} ---"

# People are told to sleep for a second before they look at the edge. On a busy machine it may need longer: here that
# second lasts until the edge has what is live.
SLEEP = """
sleep() {
  for look in $(seq 600); do
    WAYMARK_URL=${API%/v1} WAYMARK_TOKEN=$TOKEN waymark serving www.tour.example >/dev/null && return
    command sleep 0.1
  done
}
"""


def commands():
    """The tour's commands, each with the lines that it is said to print."""
    text = (REPOSITORY / "README.md").read_text()
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
    return found


def says(expected, printed):
    """Whether the expected lines stand in what was printed, in their order."""
    rest = iter(printed.splitlines())
    for line in expected:
        pattern = re.compile(".*".join(map(re.escape, line.strip().split("…"))))
        if line.strip("… ") and not any(pattern.search(other) for other in rest):
            return False
    return True


def test_every_command_of_the_readmes_tour_does_what_the_readme_says(empty_waymark):
    waymark = empty_waymark.start()
    tour = commands()
    assert len(tour) >= 3, "README.md has no tour"
    script = f"set -eo pipefail\nexec 2>&1\n{SLEEP}"
    for number, (command, _) in enumerate(tour):
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
    for number, (command, expected) in enumerate(tour):
        printed, mark, rest = rest.partition(MARK.format(number) + "\n")
        assert mark, f"this command failed:\n$ {command}\n{printed}"
        assert says(expected, printed), f"$ {command}\nprinted:\n{printed}\nREADME.md says:\n" + "\n".join(expected)
    assert result.returncode == 0
