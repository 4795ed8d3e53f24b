-- Schedules: recurring publish jobs in a time zone, their runs with an outcome for each domain, and freezes that stop
-- what is scheduled.

-- The moment at which clocks in a zone show a local time. One that comes twice counts the first time, one that never
-- comes at the moment right after the gap that holds it. Here and nowhere else, so that all who ask agree: PostgreSQL's
-- own rules for zones are the only ones asked.
create function moment_of(local_time timestamp, zone text, out moment timestamptz, out occurs text)
language plpgsql stable parallel safe as $$
declare
  -- No zone is as far from UTC, and none has two changes so close to each other.
  earlier timestamptz := (local_time - interval '2 days') at time zone 'UTC';
  later timestamptz := (local_time + interval '2 days') at time zone 'UTC';
  middle timestamptz;
  readings timestamptz[];
begin
  -- Read by the offset before and by the one after; what the clocks do not show then was read wrongly.
  select array_agg(distinct reading order by reading) into readings
  from unnest(array[earlier, later]) as near (moment)
  cross join lateral (
    select (local_time at time zone 'UTC')
      - ((near.moment at time zone zone) - (near.moment at time zone 'UTC')) as reading
  ) as read
  where reading at time zone zone = local_time;
  if readings is not null then
    moment := readings[1];
    occurs := case cardinality(readings) when 1 then 'once' else 'twice' end;
    return;
  end if;
  while later - earlier > interval '1 second' loop
    middle := earlier + date_trunc('second', (later - earlier) / 2);
    if middle at time zone zone > local_time then
      later := middle;
    else
      earlier := middle;
    end if;
  end loop;
  moment := later;
  occurs := 'never';
end
$$;

-- `handled_until` is the local time up to which due times have been dealt with: the truth. `next_due_at` is what follows
-- from it by the zone's rules of the day on which it was worked out.
create table schedules (
  organization_id uuid not null default transaction_organization()
    constraint schedule_is_of_an_organization references organizations (id),
  id uuid not null,
  revision integer not null default 1 constraint schedule_revision_is_positive check (revision >= 1),
  name text not null constraint schedule_name_has_a_length check (char_length(name) between 1 and 200),
  host text,
  label text constraint schedule_label_has_a_length check (char_length(label) between 1 and 63),
  expression text not null
    constraint schedule_expression_has_a_length check (char_length(expression) between 1 and 256),
  zone text not null constraint schedule_zone_has_a_length check (char_length(zone) between 1 and 100),
  message text not null constraint schedule_message_has_a_length check (char_length(message) <= 1000),
  catch_up_seconds integer not null
    constraint schedule_catch_up_is_within_a_week check (catch_up_seconds between 0 and 604800),
  state text not null constraint schedule_state_is_known check (state in ('active', 'paused', 'suspended')),
  reason text,
  handled_until timestamp not null,
  next_due_at timestamptz,
  creator_kind text not null
    constraint creator_kind_is_known check (creator_kind in ('user', 'token', 'operator', 'system')),
  creator_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint schedules_key primary key (organization_id, id),
  constraint schedule_name_is_unique unique (organization_id, name),
  constraint schedule_is_for_a_domain_or_a_label check (num_nonnulls(host, label) = 1),
  constraint schedule_is_for_a_domain foreign key (organization_id, host) references domains (organization_id, host),
  constraint suspended_schedule_has_a_reason check (state <> 'suspended' or reason is not null),
  constraint only_an_active_schedule_is_due check (state = 'active' or next_due_at is null)
);

create index schedules_by_domain on schedules (organization_id, host) where host is not null;

-- One for each due time, whoever finds it due. The domains are those of the moment at which it was made.
create table schedule_runs (
  organization_id uuid not null default transaction_organization(),
  id uuid not null,
  schedule_id uuid not null,
  due_at timestamptz not null,
  kind text not null constraint run_kind_is_known check (kind in ('due', 'catchUp', 'manual')),
  state text not null constraint run_state_is_known check (state in ('running', 'ended')),
  hosts text[] not null,
  missed integer not null constraint run_missed_is_not_negative check (missed >= 0),
  first_missed_at timestamptz,
  requester_kind text not null
    constraint requester_kind_is_known check (requester_kind in ('user', 'token', 'operator', 'system')),
  requester_name text not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint schedule_runs_key primary key (organization_id, id),
  constraint due_time_is_run_once unique (organization_id, schedule_id, due_at),
  constraint run_is_of_a_schedule foreign key (organization_id, schedule_id)
    references schedules (organization_id, id) on delete cascade,
  constraint missed_due_times_have_a_first check ((missed > 0) = (first_missed_at is not null)),
  constraint ended_run_has_an_end check ((state = 'running') = (ended_at is null))
);

-- When a freeze begins it stops what is scheduled, for domains with a label or for all of them, until its end.
create table freezes (
  organization_id uuid not null default transaction_organization()
    constraint freeze_is_of_an_organization references organizations (id),
  id uuid not null,
  label text constraint freeze_label_has_a_length check (char_length(label) between 1 and 63),
  reason text not null constraint freeze_reason_has_a_length check (char_length(reason) between 1 and 1000),
  creator_kind text not null
    constraint creator_kind_is_known check (creator_kind in ('user', 'token', 'operator', 'system')),
  creator_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  lifted_at timestamptz,
  lifter_kind text
    constraint lifter_kind_is_known check (lifter_kind in ('user', 'token', 'operator', 'system')),
  lifter_name text,
  constraint freezes_key primary key (organization_id, id),
  constraint freeze_ends_after_it_begins check (ends_at > created_at),
  constraint lifted_freeze_says_by_whom check (num_nulls(lifted_at, lifter_kind, lifter_name) in (0, 3))
);

create index freezes_by_end on freezes (organization_id, ends_at) where lifted_at is null;

-- What became of a domain in a run: added to, never changed. `host` is kept as it was named then.
create table schedule_outcomes (
  organization_id uuid not null default transaction_organization(),
  run_id uuid not null,
  host text not null,
  outcome text not null constraint outcome_is_known check
    (outcome in ('published', 'unchanged', 'refused', 'frozen', 'failed')),
  publication_id uuid,
  freeze_id uuid,
  report json,
  cause text,
  at timestamptz not null default clock_timestamp(),
  constraint schedule_outcomes_key primary key (organization_id, run_id, host),
  constraint outcome_is_of_a_run foreign key (organization_id, run_id)
    references schedule_runs (organization_id, id) on delete cascade,
  constraint outcome_is_a_publication foreign key (organization_id, publication_id)
    references publications (organization_id, id),
  constraint outcome_is_of_a_freeze foreign key (organization_id, freeze_id) references freezes (organization_id, id),
  constraint published_outcome_has_a_publication check ((outcome = 'published') = (publication_id is not null)),
  constraint frozen_outcome_has_a_freeze check ((outcome = 'frozen') = (freeze_id is not null)),
  constraint refused_outcome_has_a_report check ((outcome = 'refused') = (report is not null))
);

create trigger schedule_outcomes_are_kept before update on schedule_outcomes
for each row execute function refuse_change();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['schedules', 'schedule_runs', 'freezes', 'schedule_outcomes'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy organization_of_the_transaction on %I '
      'using (organization_id = transaction_organization()) '
      'with check (organization_id = transaction_organization())', tenant_table);
  end loop;
end
$$;

alter table jobs drop constraint job_kind_is_known;
alter table jobs add constraint job_kind_is_known check (kind in ('publish', 'withdraw', 'schedule', 'run'));
