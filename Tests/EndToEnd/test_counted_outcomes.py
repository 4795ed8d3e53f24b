"""Runs of schedules from before outcomes were counted, when the schema is brought up to date."""

import shutil

from installation import REPOSITORY, Installation
from postgres import Cluster

BEFORE = """
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


def test_runs_of_before_are_counted_and_one_that_goes_on_knows_what_is_left(tmp_path):
    older = tmp_path / "migrations"
    shutil.copytree(REPOSITORY / "migrations", older)
    for file in older.iterdir():
        if file.name >= "0019_counted_outcomes.sql":
            file.unlink()
    cluster = Cluster()
    waymark = Installation(cluster.settings())
    try:
        waymark.cli("database", "prepare", "--url", cluster.url("postgres", "postgres"))
        waymark.cli("migrate", environment={"WAYMARK_MIGRATIONS_DIRECTORY": str(older)})
        cluster.sql(BEFORE)
        waymark.cli("migrate")
        counts = "due_at::date, hosts, host_count, published, unchanged, refused, frozen, failed, settled"
        assert cluster.sql(f"select {counts} from schedule_runs order by due_at").split("\n") == [
            "2026-01-01|{}|3|0|1|1|0|1|3", "2026-01-02|{c,a,b,d}|4|0|1|0|0|0|1", "2026-01-03|{}|0|0|0|0|0|0|0",
        ]
        assert cluster.sql("select host, outcome from schedule_outcomes order by host").split("\n") == [
            "b|refused", "c|failed",
        ]
        forced = "select bool_and(relforcerowsecurity) from pg_class where relname like 'schedule\\_%' and relkind = 'r'"
        assert cluster.sql(forced) == "t"
    finally:
        waymark.remove()
        cluster.remove()
