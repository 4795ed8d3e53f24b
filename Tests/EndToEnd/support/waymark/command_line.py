"""Runs commands that need no server, and provides files for them."""

import json
import os
import subprocess

import pytest

from installation import EXECUTABLE
from samples import APP

GOOD = {
    "applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/private/*", "exclude": True}, {"/": "/buy/*"}]}]}
}


def run(*arguments, input=None, **environment):
    return subprocess.run(
        [EXECUTABLE, *map(str, arguments)],
        input=input,
        capture_output=True,
        text=True,
        timeout=120,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/", **environment},
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "apple-app-site-association"
    path.write_text(json.dumps(GOOD))
    return path


@pytest.fixture
def stricter(tmp_path):
    rules = [{"/": "/buy/old/*", "exclude": True}, *GOOD["applinks"]["details"][0]["components"]]
    path = tmp_path / "stricter"
    path.write_text(json.dumps({"applinks": {"details": [{"appIDs": [APP], "components": rules}]}}))
    return path
