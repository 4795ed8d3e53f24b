"""Existing rows after a migration."""

import shutil
from contextlib import contextmanager

from installation import REPOSITORY, Installation
from postgres import Cluster

RUNS = """
insert into organizations (id, slug, name) values (md5('o')::uuid, 'acme', 'Acme');
insert into schedules (
  organization_id, id, name, label, expression, zone, message, catch_up_seconds, state, handled_until, creator_kind,
  creator_name)
values (md5('o')::uuid, md5('s')::uuid, 's', 'l', '@daily', 'UTC', '', 0, 'paused', now(), 'user', 'u');
insert into schedule_runs (
  organization_id, id, schedule_id, due_at, kind, state, hosts, missed, requester_kind, requester_name, ended_at)
values
  (md5('o')::uuid, md5('ended')::uuid, md5('s')::uuid, '2026-01-01', 'due', 'ended', '{a,b,c}', 0, 'system', 'w', now()),
  (md5('o')::uuid, md5('going on')::uuid, md5('s')::uuid, '2026-01-02', 'due', 'running', '{a,b,c,d}', 0, 'system', 'w', null),
  (md5('o')::uuid, md5('empty')::uuid, md5('s')::uuid, '2026-01-03', 'due', 'ended', '{}', 0, 'system', 'w', now());
insert into schedule_outcomes (organization_id, run_id, host, outcome, report, cause) values
  (md5('o')::uuid, md5('ended')::uuid, 'a', 'unchanged', null, null),
  (md5('o')::uuid, md5('ended')::uuid, 'b', 'refused', '{}', null),
  (md5('o')::uuid, md5('ended')::uuid, 'c', 'failed', null, 'why'),
  (md5('o')::uuid, md5('going on')::uuid, 'c', 'unchanged', null, null);
"""

FREEZES = """
insert into organizations (id, slug, name) values (md5('o')::uuid, 'acme', 'Acme');
insert into freezes (
  organization_id, id, reason, creator_kind, creator_name, created_at, ends_at, lifted_at, lifter_kind, lifter_name)
values
  (md5('o')::uuid, md5('1')::uuid, 'goes on', 'user', 'u', now(), now() + interval '1 day', null, null, null),
  (md5('o')::uuid, md5('2')::uuid, 'lifted', 'user', 'u', now(), now() + interval '1 day', now(), 'user', 'u'),
  (md5('o')::uuid, md5('3')::uuid, 'ended', 'user', 'u', now() - interval '2 day', now() - interval '1 day', null, null, null);
insert into schedules (
  organization_id, id, name, label, expression, zone, message, catch_up_seconds, state, handled_until, next_due_at,
  creator_kind, creator_name)
values
  (md5('o')::uuid, md5('a')::uuid, 'a', 'l', '@daily', 'CET', '', 0, 'active', now(), now(), 'user', 'u'),
  (md5('o')::uuid, md5('b')::uuid, 'b', 'l', '@daily', 'EET', '', 0, 'paused', now(), null, 'user', 'u'),
  (md5('o')::uuid, md5('c')::uuid, 'c', 'l', '@daily', 'UTC', '', 0, 'active', now(), now(), 'user', 'u');
insert into jobs (organization_id, kind, key, due_at)
select organization_id, 'schedule', id, now() from schedules where state = 'active';
"""


@contextmanager
def brought_up_to_date(folder, migration, rows):
    """A cluster in which these rows were inserted before a migration. Then it and all later migrations were applied."""
    older = folder / "migrations"
    shutil.copytree(REPOSITORY / "migrations", older)
    for file in older.iterdir():
        if file.name >= migration:
            file.unlink()
    cluster = Cluster()
    waymark = Installation(cluster.settings())
    try:
        waymark.cli("database", "prepare", "--url", cluster.url("postgres", "postgres"))
        waymark.cli("migrate", environment={"WAYMARK_MIGRATIONS_DIRECTORY": str(older)})
        cluster.sql(rows)
        waymark.cli("migrate")
        unforced = "select relname from pg_class where relrowsecurity and not relforcerowsecurity and relkind = 'r'"
        assert cluster.sql(unforced) == ""
        yield cluster
    finally:
        waymark.remove()
        cluster.remove()


def test_old_runs_are_counted_and_a_running_one_knows_its_remaining_domains(tmp_path):
    with brought_up_to_date(tmp_path, "0019_counted_outcomes.sql", RUNS) as cluster:
        counts = "due_at::date, hosts, host_count, published, unchanged, refused, frozen, failed, settled"
        assert cluster.sql(f"select {counts} from schedule_runs order by due_at").split("\n") == [
            "2026-01-01|{}|3|0|1|1|0|1|3", "2026-01-02|{c,a,b,d}|4|0|1|0|0|0|1", "2026-01-03|{}|0|0|0|0|0|0|0",
        ]
        assert cluster.sql("select host, outcome from schedule_outcomes order by host").split("\n") == [
            "b|refused", "c|failed",
        ]


def test_old_freezes_get_an_end_event_and_schedules_in_unknown_zones_are_suspended(tmp_path):
    with brought_up_to_date(tmp_path, "0021_ended_freezes.sql", FREEZES) as cluster:
        jobs = "select jobs.kind, coalesce(freezes.reason, schedules.zone) from jobs"
        jobs += " left join freezes on freezes.id = key left join schedules on schedules.id = key order by 1, 2"
        assert cluster.sql(jobs).split("\n") == ["freeze|goes on", "schedule|UTC"]
        assert cluster.sql("select due_at = ends_at from jobs join freezes on freezes.id = key") == "t"
        states = cluster.sql("select zone, state, reason, next_due_at is null from schedules order by zone").split("\n")
        assert states[0].startswith("CET|suspended|PostgreSQL takes CET for winter time") and states[0].endswith("|t")
        assert states[1:] == ["EET|paused||t", "UTC|active||f"]
