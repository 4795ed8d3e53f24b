"""Each role of a Waymark as a separate process on one cluster, and checks that must pass after any kill."""

import hashlib
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx

from consumers import Consumer, DirectoryWriter
from installation import eventually, free_port, installed_on_cluster
from samples import draft

KEPT = re.compile(
    r"(manifest|state|lock|writer\.lock|pid|held-[0-9a-f]{64}|hosts/[^/]+"
    r"|blobs/[0-9a-f]{64}\.json|blobs/[0-9a-f]{2}/[0-9a-f]{64})"
)


class Worker(Consumer):
    """A worker. It opens few connections, so that many fit on one cluster."""

    def __init__(self, waymark, name="worker", fault="", **how):
        environment = {
            "WAYMARK_METRICS_ADDRESS": f"127.0.0.1:{free_port()}",
            "WAYMARK_DATABASE_CONNECTIONS": "2",
        }
        super().__init__(waymark, "worker", name, False, environment, fault, **how)


@contextmanager
def ending(processes):
    """Kills the running processes of a list, which may grow during the block. If a test fails, it prints the ends of
    the logs."""
    try:
        yield processes
    except BaseException:
        for process in processes:
            print(process.log.name, process.said()[-1500:], sep="\n")
        raise
    finally:
        for process in processes:
            process.kill9()


@contextmanager
def meanwhile(*works):
    """Repeats each function in its own thread until the block ends. If a function raises an error, it stops, and the
    test fails."""
    over = Event()

    def repeat(work):
        while not over.is_set():
            work()

    with ThreadPoolExecutor(len(works)) as threads:
        running = [threads.submit(repeat, work) for work in works]
        try:
            yield
        finally:
            over.set()
    for work in running:
        work.result()


@contextmanager
def api_alone():
    """An API without a worker or an edge on its own cluster, and the cluster."""
    with installed_on_cluster(("serve", "--role", "api")) as both:
        yield both


def verified_host(waymark, path=None, host=None):
    host = waymark.new_domain(draft(path) if path else None, host=host)
    waymark.cli("domain", "verify", "--organization", waymark.organization, host)
    return host


def publish(waymark, host, path):
    waymark.put_draft(host, draft(path))
    answer = waymark.api("POST", f"/v1/domains/{host}/publications", {})
    assert answer.status_code == 202, answer.text


def published(cluster, host):
    """The digests of all versions that were ever live on a host."""
    return set(
        cluster.sql(
            "select distinct encode(sha256, 'hex') from versions v join publications p on (p.organization_id, p.host,"
            f" p.version) = (v.organization_id, v.host, v.number) where p.host = '{host}' and p.state = 'live'"
        ).split()
    )


def live_digest(cluster, host):
    return cluster.sql(f"select encode(sha256, 'hex') from claims where host = '{host}'")


def linked_digest(writer, host):
    """The digest of the file to which the writer's link for a host points; None without a link."""
    link = writer.root / "hosts" / host
    if not link.is_symlink():
        return None
    file = link.resolve()  # Only once, because the link may change at any moment.
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert file.name == f"{digest}.json", f"the file of {host} is not whole"
    return digest


def served_by(edge, host):
    """The digest of an edge's answer for a host; None for a 404; for other errors the status in words."""
    answer = httpx.get(
        f"{edge.url}/.well-known/apple-app-site-association",
        headers={"Host": host, "Accept-Encoding": "identity"},
        timeout=30,
    )
    if answer.status_code == 404:
        return None
    if answer.status_code != 200:
        return f"status {answer.status_code}"
    return hashlib.sha256(answer.content).hexdigest()


def shown_by(consumer, host):
    return linked_digest(consumer, host) if isinstance(consumer, DirectoryWriter) else served_by(consumer, host)


def activation(consumer):
    """The activation of the manifest on a consumer's disk."""
    return int(re.search(r"^activation (\d+)$", (consumer.folder / "manifest").read_text(), re.M)[1])


def leftovers(consumer):
    """Leftovers in a consumer's folder: everything except the one snapshot and files of earlier ones."""
    found = [str(path.relative_to(consumer.folder)) for path in consumer.folder.rglob("*") if not path.is_dir()]
    held = f"held-{hashlib.sha256((consumer.folder / 'manifest').read_bytes()).hexdigest()}"
    return [name for name in found if not KEPT.fullmatch(name) or (name.startswith("held-") and name != held)]


def frozen(process):
    stat = Path(f"/proc/{process.process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def until_frozen(*processes):
    for process in processes:
        eventually(lambda: frozen(process), 60, pause=0.01, what=f"{process.log.stem} to be frozen")


def wake(*processes):
    for process in processes:
        process.process.send_signal(signal.SIGCONT)


def ended_once(cluster):
    """Checks that every publication and withdrawal has ended once, with its own activation, in order."""
    pending = cluster.sql("select count(*) from publications where ended_at is null")
    jobs = cluster.sql("select count(*) from jobs")
    endings = cluster.sql(
        "select count(*) from publications p where 1 <> (select count(*) from publication_steps s where"
        " s.organization_id = p.organization_id and s.publication_id = p.id"
        " and kind in ('live', 'failed', 'cancelled', 'superseded', 'suspended'))"
    )
    assert (pending, jobs, endings) == ("0", "0", "0")
    disorder = cluster.sql(
        """
        select count(*) from (
          select activation, ended_at, lag(activation) over w as before, lag(ended_at) over w as earlier from (
            select activation, ended_at from publications where activation is not null
            union all select activation, ended_at from withdrawals where activation is not null) ended
          window w as (order by activation)) ordered
        where activation = before or ended_at < earlier
        """
    )
    assert disorder == "0", "an activation was used twice, or out of order"


def reclaims(cluster):
    """How often a publication was claimed again, and the longest time in seconds since its previous claim."""
    count, longest = cluster.sql(
        "select count(*), coalesce(max(extract(epoch from at - before)), 0)::numeric(9, 1) from ("
        " select at, lag(at) over (partition by publication_id order by number) as before"
        " from publication_steps where kind = 'claimed') claims where before is not null"
    ).split("|")
    return int(count), float(longest)


def end_leases(cluster):
    """Makes the jobs of killed workers due now, instead of at the end of their leases."""
    cluster.sql("update jobs set due_at = now() where due_at > now() and parked_at is null")


def eventually_ended(cluster, seconds=60):
    """Waits until nothing is pending."""
    eventually(lambda: cluster.sql("select count(*) from jobs") == "0", seconds, what="the end of every job")
