"""Commands that wait while the API is unavailable for a moment."""

import subprocess
from datetime import UTC, datetime, timedelta

from installation import EXECUTABLE, eventually
from samples import draft


def test_commands_that_wait_retry_until_the_end(fresh_waymark, tmp_path):
    waymark = fresh_waymark
    first, second = (waymark.new_domain(draft("/1")) for _ in range(2))
    at = (datetime.now(UTC) + timedelta(seconds=20)).strftime("%Y-%m-%dT%H:%M:%SZ")
    commands = {
        "publish": ["publish", first, "--at", at, "--wait"],
        "release": ["release", "create", second, "--at", at, "--wait"],
        "events": ["events", "--follow", "--kind", "publication.live"],
    }
    started = {}
    try:
        for name, arguments in commands.items():
            with (tmp_path / name).open("w") as told, (tmp_path / f"{name}.errors").open("w") as complaints:
                started[name] = subprocess.Popen(
                    [EXECUTABLE, *arguments], stdout=told, stderr=complaints,
                    env={"LANG": "C.UTF-8", "WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("publisher")},
                )

        def complained(name):
            return (tmp_path / f"{name}.errors").read_text()

        eventually(lambda: "version 1 created" in complained("publish"), what="a publication")
        eventually(lambda: "scheduled, due at" in complained("release"), what="a release")
        waymark.stop()
        for name in commands:
            eventually(lambda: "; trying again\n" in complained(name), what=f"the error message of {name}")
        waymark.start()
        for name in ["publish", "release"]:
            assert started[name].wait(120) == 0, complained(name)
        assert complained("publish").count("version 1 created") == 1
        assert (tmp_path / "publish").read_text() == f"{first}: version 1 is live\n"
        assert "  live (1 live)" in (tmp_path / "release").read_text()
        eventually(lambda: f"publication.live  {first}" in (tmp_path / "events").read_text(), what="the event")
        assert started["events"].poll() is None
    finally:
        for process in started.values():
            process.kill()
            process.wait()
