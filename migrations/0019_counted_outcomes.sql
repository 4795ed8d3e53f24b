-- A run counts how its domains came out, so that lists and calendars read no outcomes. Of a domain whose draft gave what
-- was live the number is all that is kept: a schedule of every minute would leave a row for each of its domains each time.
--
-- A run settles its domains in the order of `hosts`: those after the first `settled` ones are open. When it has ended,
-- `hosts` has done its service and is empty.

-- The owner sees no row of a tenant while row level security is forced.
alter table schedule_runs no force row level security;
alter table schedule_outcomes no force row level security;

alter table schedule_runs
  add column host_count integer not null default 0,
  add column published integer not null default 0 constraint published_is_not_negative check (published >= 0),
  add column unchanged integer not null default 0 constraint unchanged_is_not_negative check (unchanged >= 0),
  add column refused integer not null default 0 constraint refused_is_not_negative check (refused >= 0),
  add column frozen integer not null default 0 constraint frozen_is_not_negative check (frozen >= 0),
  add column failed integer not null default 0 constraint failed_is_not_negative check (failed >= 0),
  add column settled integer not null generated always as (published + unchanged + refused + frozen + failed) stored;

update schedule_runs
set host_count = cardinality(schedule_runs.hosts), published = counted.published, unchanged = counted.unchanged,
  refused = counted.refused, frozen = counted.frozen, failed = counted.failed,
  hosts = case schedule_runs.state
    when 'ended' then '{}'
    else counted.settled_hosts
      || array(select unnest(schedule_runs.hosts) except select unnest(counted.settled_hosts) order by 1)
  end
from (
  select listed.organization_id, listed.id,
    count(*) filter (where outcomes.outcome = 'published') as published,
    count(*) filter (where outcomes.outcome = 'unchanged') as unchanged,
    count(*) filter (where outcomes.outcome = 'refused') as refused,
    count(*) filter (where outcomes.outcome = 'frozen') as frozen,
    count(*) filter (where outcomes.outcome = 'failed') as failed,
    coalesce(
      array_agg(outcomes.host) filter (where listed.state = 'running' and outcomes.host is not null),
      '{}') as settled_hosts
  from schedule_runs as listed
  left join schedule_outcomes as outcomes
    on outcomes.organization_id = listed.organization_id and outcomes.run_id = listed.id
  group by listed.organization_id, listed.id
) as counted
where schedule_runs.organization_id = counted.organization_id and schedule_runs.id = counted.id;

alter table schedule_runs alter column host_count drop default;
alter table schedule_runs
  add constraint run_settles_no_more_than_its_domains check (settled <= host_count);

delete from schedule_outcomes where outcome = 'unchanged';
alter table schedule_outcomes drop constraint outcome_is_known;
alter table schedule_outcomes
  add constraint outcome_is_known check (outcome in ('published', 'refused', 'frozen', 'failed'));

alter table schedule_runs force row level security;
alter table schedule_outcomes force row level security;
