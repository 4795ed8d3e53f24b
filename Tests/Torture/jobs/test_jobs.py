"""Many jobs, and workers that are killed all the time."""

import itertools
import signal
import time

import pytest

from consumers import Edge
from installation import eventually
from roles import Worker, activation, api_alone, end_leases, ended_once, ending, reclaims, verified_host


def copies(cluster, host, count):
    """Publications that are due now, each of another domain. They are copies of one that was created through the
    API."""
    change = "jsonb_build_object('host', 'copy-' || n || '.example', 'domain', 'copy-' || n || '.example')"
    publication = "md5('publication ' || n)::uuid"
    each = f"from {{}} t, generate_series(1, {count}) n"
    for table in ["domains", "drafts", "claims", "versions"]:
        cluster.sql(
            f"insert into {table} select (jsonb_populate_record(t, {change})).* {each.format(table)}"
            f" where t.host = '{host}'"
        )
    cluster.sql(
        f"insert into publications select (jsonb_populate_record(t, {change} || jsonb_build_object("
        f"'id', {publication}, 'due_at', now()))).* {each.format('publications')} where t.host = '{host}'"
    )
    cluster.sql(
        f"insert into publication_steps select (jsonb_populate_record(t, jsonb_build_object("
        f"'publication_id', {publication}))).* {each.format('publication_steps')}"
    )
    cluster.sql(
        f"insert into jobs (organization_id, kind, key, due_at) select organization_id, kind, {publication}, now()"
        f" {each.format('jobs')}"
    )


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_every_job_takes_effect_once_although_its_workers_die(size, limit, figure):
    count = size(300, 20_000)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/x")
        made = waymark.api("POST", f"/v1/domains/{host}/publications", {})
        assert made.status_code == 202, made.text
        copies(cluster, host, count)
        started = time.monotonic()
        # The first worker always dies during its first job, even on a fast machine.
        processes += [first := Worker(waymark, "worker-0", fault="publication.begun")]
        assert first.process.wait(60) == -signal.SIGKILL
        first.start()
        processes += [Worker(waymark, f"worker-{number}") for number in range(1, 4)]
        kills, left = 1, None
        # Each of the four is killed every two seconds. A busy machine needs longer to start a worker, so none is killed
        # before a job has ended since the last one was.
        for worker in itertools.cycle(list(processes)):
            before = left
            while left == before:
                time.sleep(0.5)
                left = int(cluster.sql("select count(*) from jobs where parked_at is null"))
                assert time.monotonic() - started < 600 + count / 10, "the jobs take too long"
            if left == 0:
                break
            worker.kill9()
            worker.start()
            kills += 1
        seconds = time.monotonic() - started
        ended_once(cluster)
        assert cluster.sql("select count(*) from publications where state = 'live'") == str(count + 1)
        assert cluster.sql("select last from activation_counter") == str(count + 1), "a publication took effect twice"
        assert cluster.sql("select count(*) from audit_entries where action = 'publication.live'") == str(count + 1)
        lost, longest = reclaims(cluster)
        assert lost > 0, "no job lost its worker"
        processes += [edge := Edge(waymark)]
        eventually(lambda: activation(edge) == count + 1, 60, what="the whole release on an edge")
        assert sum(" 1 " in line for line in edge.manifest()) == count + 1
        figure(
            f"{count} jobs, 4 workers killed every 2 s",
            f"{kills} kills, {lost} times a job lost its worker and was claimed again ≤ {longest} s later;"
            f" each took effect once, in {seconds:.0f} s",
            "once; reclaimed ≤ 30 s",
        )
        assert longest <= limit(30)


@pytest.mark.destructive
@pytest.mark.timeout(240)
def test_jobs_that_kill_their_workers_are_parked_after_five_attempts(size, figure):
    """A worker that dies of its job is restarted immediately. The leases are ended early, so that the test takes only
    seconds."""
    count = size(3, 20)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        for number in range(count):
            host = verified_host(waymark, f"/{number}")
            assert waymark.api("POST", f"/v1/domains/{host}/publications", {}).status_code == 202
        processes += [worker := Worker(waymark, fault="publication.begun")]
        for _ in range(5 * count):
            assert worker.process.wait(60) == -signal.SIGKILL
            end_leases(cluster)
            worker.start("publication.begun")
        eventually(lambda: cluster.sql("select count(*) from jobs where parked_at is null") == "0", 60)
        assert worker.process.poll() is None, "it was killed a sixth time"
        ends = cluster.sql("select distinct state, attempts, cause like 'given up after 5 attempts%' from publications")
        assert ends == "failed|5|t"
        assert cluster.sql("select count(*), min(attempts), max(attempts) from jobs") == f"{count}|6|6"
        claims = cluster.sql("select count(*) from publication_steps where kind = 'claimed'")
        assert claims == str(5 * count)
        figure(f"{count} jobs that kill their workers", f"parked, each after {int(claims) // count} attempts", "5")
