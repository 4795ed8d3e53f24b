"""Files of real websites, from a corpus next to the repository, and one similar file of our own."""

import json
import os
from pathlib import Path

import pytest

from installation import REPOSITORY

CORPUS = Path(os.environ.get("WAYMARK_CORPUS", REPOSITORY.parent / "shared/aasa/corpus"))

# Each has three or more apps. They contain components, other services, `paths` with `appID`, fragments and queries.
REAL_FILES = [
    "001-components-wikimedia-operations-mediawiki-c.aasa",
    "003-components-status-im-status-web.aasa",
    "017-components-bcc-code-bmm-web.aasa",
    "018-components-davertay-davertay-github-io.aasa",
    "037-paths-wikimedia-operations-mediawiki-c.aasa",
    "043-paths-home-assistant-my-home-assistant-io.aasa",
]

OWN_FILE = "own"

_OWN = {
    "applinks": {
        "apps": [],
        "details": [
            {
                "appIDs": ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.beta"],
                "components": [
                    {"#": "web", "exclude": True, "comment": "stays in the browser"},
                    {"/": "/cart/*", "?": {"item": "????*"}, "caseSensitive": False},
                    {"/": "/$(lang)/shop/*", "percentEncoded": False},
                ],
            },
            {"appID": "FGHIJ67890.com.example.news", "paths": ["NOT /news/archive/*", "/news/*", "/20??/*"]},
        ],
        "defaults": {"percentEncoded": True},
        "substitutionVariables": {"section": ["sport", "culture"]},
    },
    "webcredentials": {"apps": ["ABCDE12345.com.example.shop"]},
    "activitycontinuation": {"apps": ["FGHIJ67890.com.example.news"]},
}


def file_bytes(name):
    """The bytes of the file with this name. Skips the test if the corpus is not available."""
    if name == OWN_FILE:
        return json.dumps(_OWN, indent=2).encode()
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"the corpus of real files is not available: there is no {path}")
    return path.read_bytes()


def apps_of(file):
    """The apps that can open links with a file."""
    entries = file["applinks"]["details"]
    return {app for entry in entries for app in entry.get("appIDs", [entry.get("appID")])}
