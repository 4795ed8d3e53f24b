"""The dependencies of Waymark have exact versions, and a bill of materials."""

import json
import re
import subprocess

import pytest

from installation import REPOSITORY

EXACT = re.compile(r'\.package\(\s*url: "https://([^"]+?)(?:\.git)?", exact: "(\d+\.\d+\.\d+)"\)')
PURL = re.compile(r"pkg:swift/(github\.com/[\w.-]+/[\w.-]+)@(\d+\.\d+\.\d+)")


def pinned(manifest="Package.swift"):
    """The packages of a manifest, by URL, with their versions."""
    return dict(EXACT.findall((REPOSITORY / manifest).read_text()))


@pytest.fixture(scope="module")
def bill():
    written = subprocess.run([REPOSITORY / "Scripts/sbom"], capture_output=True, text=True, timeout=300)
    assert written.returncode == 0, written.stderr
    return json.loads(written.stdout)


@pytest.mark.parametrize("manifest", ["Package.swift", "Benchmarks/Package.swift"])
def test_every_package_has_an_exact_version(manifest):
    urls = re.findall(r"\.package\(\s*url:", (REPOSITORY / manifest).read_text())
    assert urls and len(pinned(manifest)) == len(urls)
    assert pinned(manifest).items() <= pinned().items()


def test_the_bill_lists_every_package_with_its_pinned_version(bill):
    found = [PURL.fullmatch(one["purl"]).groups() for one in bill["components"] if "purl" in one]
    assert dict(found) == pinned() and len(found) == len(pinned())


def test_the_bill_is_valid_cyclonedx(bill):
    """Checks the required members and the references (https://cyclonedx.org/docs/1.5/json/)."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    own = bill["metadata"]["component"]
    assert own["type"] == "application" and own["name"] == "waymark"
    assert all(one["type"] == "library" and one["name"] for one in bill["components"])
    known = [own["bom-ref"], *(one["bom-ref"] for one in bill["components"])]
    assert len(set(known)) == len(known)
    assert sorted(one["ref"] for one in bill["dependencies"]) == sorted(known)
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert all(set(needed) <= set(known) and len(set(needed)) == len(needed) for needed in needs.values())
    reached, waiting = set(), [own["bom-ref"]]
    while waiting:
        if (one := waiting.pop()) not in reached:
            reached.add(one)
            waiting += needs[one]
    assert reached == set(known)


def test_every_image_has_an_exact_version():
    named = re.findall(r"^FROM (\S+)", (REPOSITORY / "Dockerfile").read_text(), re.M)
    named += re.findall(r"^\s*image: (\S+)", (REPOSITORY / "docker-compose.yml").read_text(), re.M)
    assert len(named) > 3
    for image in named:
        # Our own image is built here.
        assert image == "waymark" or re.fullmatch(r"[\w/.-]+:\d+\.\d+(\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?", image), image
