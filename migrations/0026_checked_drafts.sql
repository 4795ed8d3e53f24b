-- What is wrong with each domain, in the rows by which lists are filtered and sorted (docs/decisions/0013). A worker
-- checks drafts after they have changed: changing a draft or a test never waits for lint or tests.

-- The owner sees no row of a tenant while row level security is forced.
alter table domain_states no force row level security;
alter table drafts no force row level security;
alter table publications no force row level security;
alter table withdrawals no force row level security;
alter table apps no force row level security;

alter table domain_states
  -- The minute of the draft's last change, so that the edits within a minute change the index once.
  add column changed_at timestamptz not null default date_trunc('minute', now()),
  add column live_since timestamptz not null default 'epoch',
  -- Rises when the domain's tests change, or when an app of its draft is registered. Findings and test results follow
  -- from the draft's file and from these.
  add column other_changes integer not null default 0,
  -- The file and the changes that were checked last, and the result.
  add column checked_sha256 bytea,
  add column checked_changes integer,
  add column errors integer,
  add column warnings integer,
  add column notices integer,
  add column tests integer,
  add column failed integer,
  -- The state of the last publication, if it was suspended or failed and no version has gone live since.
  add column stopped text constraint stopped_publication_has_an_end check (stopped in ('suspended', 'failed')),
  -- Whether a withdrawal of the host itself is pending.
  add column is_leaving boolean not null default false;

update domain_states
set changed_at = date_trunc('minute', drafts.updated_at)
from drafts
where drafts.organization_id = domain_states.organization_id and drafts.host = domain_states.host;

update domain_states
set live_since = claims.live_since
from claims
where claims.organization_id = domain_states.organization_id and claims.host = domain_states.host
  and claims.live_since is not null;

create function last_stop(stopped_in uuid, stopped_host text, after timestamptz) returns text
language sql stable
begin atomic
  select state from publications
  where organization_id = stopped_in and host = stopped_host and state in ('suspended', 'failed') and ended_at > after
  order by ended_at desc, id
  limit 1;
end;

update domain_states
set stopped = last_stop(organization_id, host, live_since)
where exists (
  select from publications
  where publications.organization_id = domain_states.organization_id and publications.host = domain_states.host
    and publications.state in ('suspended', 'failed'));

update domain_states
set is_leaving = true
from withdrawals
where withdrawals.organization_id = domain_states.organization_id and withdrawals.host = domain_states.host
  and withdrawals.state = 'pending';

alter table domain_states
  add column is_unchecked boolean not null generated always as (
    not is_alias and (draft_sha256, other_changes) is distinct from (checked_sha256, checked_changes)) stored,
  -- The worst problem: 1 is the worst, and 9 is none.
  add column problem smallint not null generated always as (
    case
      when stopped is not null then 1
      when is_leaving then 2
      when not is_alias and errors > 0 then 3
      when not is_alias and failed > 0 then 4
      when not is_claimed then 5
      else 9
    end) stored;

-- The conditions are always true. Only lists in these orders have them, so a look-up of a host never uses these indexes,
-- not even if PostgreSQL's statistics are older than the organization.
create index domains_by_problem on domain_states (organization_id, problem, host collate "C") where problem > 0;
create index domains_by_change on domain_states (organization_id, changed_at, host collate "C")
  where changed_at > '-infinity';
create index domains_by_publication on domain_states (organization_id, live_since, host collate "C")
  where live_since > '-infinity';
create index domains_with_problems on domain_states (organization_id, host collate "C") where problem < 9;
create index domains_stopped on domain_states (organization_id, host collate "C") where stopped is not null;
create index domains_leaving on domain_states (organization_id, host collate "C") where is_leaving;
create index domains_with_errors on domain_states (organization_id, host collate "C") where not is_alias and errors > 0;
create index domains_failing_tests on domain_states (organization_id, host collate "C")
  where not is_alias and failed > 0;
create index domains_not_claimed on domain_states (organization_id, host collate "C") where not is_claimed;
create index domains_to_check on domain_states (organization_id, host collate "C") where is_unchecked;

-- Labels are listed in the order of their bytes. The condition is always true, too.
create index labels_in_order on domain_labels (organization_id, label collate "C") where label collate "C" >= '';

-- Apps whose registration the checks of drafts must still take into account.
alter table apps add column is_new boolean not null default false;
alter table apps alter column is_new set default true;
create index apps_to_notice on apps (organization_id, app_id) where is_new;

alter table domain_states force row level security;
alter table drafts force row level security;
alter table publications force row level security;
alter table withdrawals force row level security;
alter table apps force row level security;

create or replace function follow_drafts() returns trigger
language plpgsql as $$
declare
  draft record;
begin
  for draft in
    select organization_id, host, file_sha256, date_trunc('minute', updated_at) as changed_at from changed order by host
  loop
    update domain_states set draft_sha256 = draft.file_sha256, changed_at = draft.changed_at
    where organization_id = draft.organization_id and host = draft.host
      and (draft_sha256, changed_at) is distinct from (draft.file_sha256, draft.changed_at);
  end loop;
  return null;
end
$$;

-- A version that goes live comes after every publication that has ended. Only a withdrawal looks for the last one.
create or replace function follow_claims() returns trigger
language plpgsql as $$
declare
  claim record;
begin
  for claim in
    select organization_id, host, left_out, activation, sha256, coalesce(live_since, 'epoch') as live_since
    from changed
    order by host
  loop
    perform require_organization(claim.organization_id);
    update domain_states
    set is_claimed = true, is_left_out = claim.left_out, was_live = claim.activation is not null,
      live_sha256 = claim.sha256, live_since = claim.live_since,
      stopped = case
        when live_since = claim.live_since then stopped
        when claim.live_since = 'epoch' then last_stop(claim.organization_id, claim.host, 'epoch')
      end
    where organization_id = claim.organization_id and host = claim.host
      and (is_claimed, is_left_out, was_live, live_sha256, live_since)
        is distinct from (true, claim.left_out, claim.activation is not null, claim.sha256, claim.live_since);
  end loop;
  return null;
end
$$;

create or replace function forget_claim() returns trigger
language plpgsql as $$
begin
  perform require_organization(old.organization_id);
  update domain_states
  set is_claimed = false, is_left_out = false, was_live = false, live_sha256 = null, live_since = 'epoch'
  where organization_id = old.organization_id and host = old.host;
  return null;
end
$$;

create function follow_stopped_publication() returns trigger
language plpgsql as $$
begin
  update domain_states set stopped = new.state
  where organization_id = new.organization_id and host = new.host and stopped is distinct from new.state;
  return null;
end
$$;

create trigger states_follow_stopped_publications after update of state on publications
for each row when (new.state in ('suspended', 'failed') and old.state <> new.state)
execute function follow_stopped_publication();

create function follow_withdrawal() returns trigger
language plpgsql as $$
begin
  update domain_states set is_leaving = new.state = 'pending'
  where organization_id = new.organization_id and host = new.host;
  return null;
end
$$;

create trigger states_follow_new_withdrawals after insert on withdrawals
for each row execute function follow_withdrawal();
create trigger states_follow_withdrawals after update of state on withdrawals
for each row when (old.state <> new.state)
execute function follow_withdrawal();

-- In the order of hosts, as above.
create function follow_tests() returns trigger
language plpgsql as $$
declare
  tested record;
begin
  for tested in select distinct organization_id, host from changed order by host loop
    update domain_states set other_changes = other_changes + 1
    where organization_id = tested.organization_id and host = tested.host;
  end loop;
  return null;
end
$$;

create trigger states_follow_new_tests after insert on tests
referencing new table as changed
for each statement execute function follow_tests();
create trigger states_follow_tests after update on tests
referencing new table as changed
for each statement execute function follow_tests();
create trigger states_follow_deleted_tests after delete on tests
referencing old table as changed
for each statement execute function follow_tests();

-- Plans must not wait for the first automatic analysis.
analyze domain_states;
analyze domain_labels;
