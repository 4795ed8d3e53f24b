"""Durability at a power failure: strace shows the order of the system calls with which consumers write."""

import re
from pathlib import Path

import pytest

from consumers import DirectoryWriter, Edge
from installation import eventually
from samples import draft

CALLS = "write,pwrite64,fsync,syncfs,mkdir,rename,renameat,renameat2"


def calls(trace):
    """The calls in the order of their ends, with name and paths. An interrupted call has two lines."""
    begun = {}
    for line in trace.read_text().splitlines():
        thread, _, text = line.partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[thread] = text.removesuffix("<unfinished ...>")
            continue
        if resumed := re.match(r"<\.\.\. \w+ resumed>", text):
            text = begun.pop(thread) + text[resumed.end() :]
        if (call := re.match(r"(\w+)\((.*)\) += (\d+)", text)) is not None:
            yield call[1], [Path(path) for path in re.findall(r'(?:<|")(/[^>"]*)[>"]', call[2])]


def check(trace, folder):
    """Checks the calls below a folder, and returns the new names of files and links, in order."""
    unwritten, unnamed, named = set(), set(), []
    for name, paths in calls(trace):
        paths = [path for path in paths if path.is_relative_to(folder)]
        if not paths:
            continue
        if name.startswith("rename"):
            temporary, final = paths
            assert temporary not in unwritten, f"{final} got its name before its bytes were on the disk"
            before = unnamed - {final.parent}
            # Files do not depend on each other. A manifest and a link depend on all earlier files.
            is_file = "blobs" in final.relative_to(folder).parts
            assert is_file or not before, f"{final} got its name before {before} were on the disk"
            unnamed.add(final.parent)
            named.append(final.relative_to(folder))
        elif name == "mkdir":
            unnamed |= {paths[0].parent} - {folder.parent}
        elif name == "syncfs":
            unwritten.clear()
            unnamed.clear()
        elif name == "fsync":
            unwritten.discard(paths[0])
            unnamed.discard(paths[0])
        elif paths[0] != folder / "pid":
            assert paths[0].parent == folder / "tmp", f"{paths[0]} was written in place"
            unwritten.add(paths[0])
    assert not unnamed, "some names were never synchronized"
    return named


@pytest.mark.parametrize("kind", [Edge, DirectoryWriter])
def test_bytes_are_on_the_disk_before_their_name_and_names_before_references_to_them(waymark, tmp_path, kind):
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    trace = tmp_path / "trace"
    # -D: the process stays our child, and strace ends with it.
    tracer = ["strace", "-D", "-f", "-y", "-s", "0", "-e", f"trace={CALLS}", "-o", str(trace)]
    consumer = kind(waymark, f"traced-{kind.__name__.lower()}", under=tracer)
    hashes = []
    for number in [2, 3]:
        waymark.put_draft(host, draft(f"/{number}"))
        waymark.publish(host)
        hashes.append(waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])

        def follows():
            return any(line.startswith(host) and hashes[-1] in line for line in consumer.manifest())

        eventually(follows, 30, what="the new manifest on the disk")
    # A large number of files is synced together.
    many = [waymark.new_domain(draft(f"/many/{number}")) for number in range(40)]
    release = waymark.release({"hosts": many})
    hashes += [waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"] for host in many]
    eventually(lambda: consumer.manifest()[1] == f"activation {release['activation']}", 30, what="the release")
    consumer.end()
    eventually(lambda: "+++ exited with 0 +++" in trace.read_text().splitlines()[-1], what="the end of the trace")
    named = check(trace, consumer.folder)
    assert "syncfs" in trace.read_text()
    assert {path.stem for path in named} >= {*hashes, "manifest"}
    if kind is DirectoryWriter:
        assert {str(path) for path in named} >= {"state", f"hosts/{host}"}
