"""Signed files, as iOS 8 required them: the text inside is read, and the signature is not checked."""

import base64
import json
import subprocess

import pytest

from command_line import run
from samples import APP

FILE = {"applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/buy/*"}]}]}}


@pytest.fixture(scope="module")
def sign(tmp_path_factory):
    """Signs a text with a new certificate, with the command from Apple's documentation."""
    folder = tmp_path_factory.mktemp("certificate")
    openssl = lambda *arguments, **more: subprocess.run(
        ["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60, **more
    ).stdout
    new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test"]
    openssl(*new, "-keyout", "key", "-out", "certificate")

    def signed(text):
        options = ["-sign", "-nodetach", "-binary", "-signer", "certificate", "-inkey", "key", "-outform", "DER"]
        return openssl("smime", *options, input=text.encode())

    return signed


@pytest.fixture
def signed(sign, tmp_path):
    path = tmp_path / "signed.p7"
    path.write_bytes(sign(json.dumps(FILE)))
    return path


def test_the_commands_read_the_text_of_a_signed_file(signed, sign, tmp_path):
    linted = run("lint", signed)
    assert linted.returncode == 0 and "WM004" in linted.stdout and "not the signature" in linted.stdout
    assert run("match", "--expect", APP, signed, "/buy/1").returncode == 0
    plain = tmp_path / "plain"
    plain.write_text(json.dumps(FILE))
    assert run("diff", signed, plain).returncode == 0
    broken = tmp_path / "broken.p7"
    broken.write_bytes(sign('{"applinks": {},}'))
    assert run("lint", broken).returncode == 1
    assert "there is a trailing comma" in run("match", broken, "/").stderr


def test_fix_does_not_change_a_signed_file(sign, tmp_path):
    path = tmp_path / "signed.p7"
    content = sign(json.dumps(FILE).replace('"/buy/*"', '"/buy/*", "exclude": 0'))
    path.write_bytes(content)
    assert run("lint", "--fix", path).returncode == 1
    assert path.read_bytes() == content


def test_a_damaged_signed_file_is_an_error(signed):
    signed.write_bytes(signed.read_bytes()[:80])
    result = run("lint", signed)
    assert result.returncode == 1 and "it is damaged or cut short" in result.stdout
    assert "it is damaged or cut short" in run("match", signed, "/").stderr


def test_the_service_lints_matches_and_imports_a_signed_file(waymark, signed):
    content = signed.read_bytes()
    report = waymark.client.post("/v1/lint", content=content).json()
    assert (report["size"], report["findings"][0]["code"]) == (len(content), "WM004")
    question = {"aasaBase64": base64.b64encode(content).decode(), "urls": ["/buy/1", "/other"]}
    answer = waymark.client.post("/v1/evaluations", json=question).json()
    assert [each["outcome"] for each in answer["evaluations"]] == ["opens", "none"]

    host = waymark.new_domain()
    imported = waymark.api("POST", f"/v1/domains/{host}/import", content=content, headers={"If-Match": "*"})
    assert imported.status_code == 200, imported.text
    assert waymark.api("GET", f"/v1/domains/{host}/draft/file").json() == FILE
    refused = waymark.api("POST", f"/v1/domains/{host}/import", content=content[:80], headers={"If-Match": "*"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_association")
    assert "damaged or cut short" in refused.json()["detail"]
