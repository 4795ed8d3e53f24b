"""The metrics of the API, the worker and the edge, in the form that Prometheus expects."""

import re
import subprocess

import httpx
import pytest

from installation import eventually
from samples import draft

HISTOGRAMS = {
    "metrics_url": ["waymark_http_request_duration_seconds", "waymark_publication_duration_seconds"],
    "edge_metrics_url": ["waymark_edge_request_duration_seconds"],
}


@pytest.fixture(scope="module")
def busy(waymark):
    """A Waymark that has published and served a file."""
    host = waymark.new_domain(draft("/metrics"))
    waymark.publish(host)
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
    return waymark


def metrics(waymark, process):
    return httpx.get(f"{getattr(waymark, process)}/metrics").text


@pytest.mark.parametrize("process", HISTOGRAMS)
def test_promtool_accepts_the_names_units_and_help_texts(busy, process):
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=metrics(busy, process), capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


@pytest.mark.parametrize("process", HISTOGRAMS)
def test_durations_are_histograms(busy, process):
    for name in HISTOGRAMS[process]:
        text = eventually(
            lambda: re.search(rf"^{name}_count.* [1-9]", found := metrics(busy, process), re.M) and found, what=name
        )
        assert f"# TYPE {name} histogram\n" in text
        buckets = {}
        for labels, bound, count in re.findall(rf'^{name}_bucket{{(.*)le="(.+)"}} (\d+)$', text, re.M):
            buckets.setdefault(labels.removesuffix(","), []).append((float(bound), int(count)))
        for labels, bounds in buckets.items():
            assert bounds == sorted(bounds) and [count for _, count in bounds] == sorted(count for _, count in bounds)
            last, total = bounds[-1]
            suffix = re.escape(f"{{{labels}}}" if labels else "")
            count = re.search(rf"^{name}_count{suffix} (\d+)$", text, re.M)
            seconds = re.search(rf"^{name}_sum{suffix} (\S+)$", text, re.M)
            assert last == float("inf") and total == int(count[1])
            assert 0 < float(seconds[1]) < 60 * total if total else float(seconds[1]) == 0
