"""Drafts and files that many tests use."""

APP = "ABCDE12345.com.example.app"
OTHER_APP = "ABCDE12345.com.example.other"

APPLE_RULES = [
    {"fragment": "no_universal_links", "exclude": True},
    {"path": "/buy/*"},
    {"path": "/help/website/*", "exclude": True},
    {"path": "/help/*", "query": {"articleNumber": "????"}},
]


def draft(*paths, apps=(APP,), **fields):
    """A draft with one entry that has a rule for each path."""
    return {"entries": [{"apps": list(apps), "rules": [{"path": path} for path in paths]}], **fields}


def apple_draft():
    """The example in Apple's documentation, as a draft."""
    return {"entries": [{"apps": [APP], "rules": APPLE_RULES}], "services": {"webcredentials": [APP]}}


def meaning(file):
    """The meaning of an association file for iOS 13 and later. Files that differ only in format or order of keys give
    equal values."""
    root = {key: value for key, value in file.items() if key != "applinks"}
    applinks = file.get("applinks", {})
    root["details"] = [_entry(entry) for entry in applinks.get("details", [])]
    for key in applinks.keys() - {"apps", "details"}:
        root[f"applinks.{key}"] = applinks[key]
    return root


def _entry(entry):
    said = {key: value for key, value in entry.items() if key not in ("appID", "appIDs", "components", "paths")}
    said["apps"] = entry.get("appIDs", [entry["appID"]] if "appID" in entry else [])
    if "components" in entry:
        said["rules"] = [
            {key: value for key, value in rule.items() if key != "comment"} for rule in entry["components"]
        ]
    elif "paths" in entry:
        said["rules"] = [_path(path) for path in entry["paths"]]
    return said


def _path(path):
    return {"/": path[4:], "exclude": True} if path.startswith("NOT ") else {"/": path}
