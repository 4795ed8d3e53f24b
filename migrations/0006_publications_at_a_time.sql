-- Publications at a time, what they wait for, and the steps of each; jobs that are given up, and claimed in turn.

-- Without `due_at` a publication is due at once. `zone` is the requester's, for showing the time. A publication that
-- follows another waits for it to go live; a revert follows what it takes back.
alter table publications
  add column due_at timestamptz,
  add column zone text constraint publication_zone_has_a_length check (char_length(zone) between 1 and 100),
  add column follows uuid,
  add column reverts uuid,
  add constraint publication_follows_another foreign key (organization_id, follows)
    references publications (organization_id, id),
  add constraint publication_does_not_follow_itself check (follows <> id),
  add constraint revert_follows_what_it_reverts check (reverts is null or reverts is not distinct from follows);

create index publications_by_organization on publications (organization_id, created_at desc, id);
create index publications_by_what_they_follow on publications (organization_id, follows) where follows is not null;
create unique index publication_is_reverted_once on publications (organization_id, reverts) where reverts is not null;

-- What became of a publication, step by step: added to, never changed.
create table publication_steps (
  organization_id uuid not null default transaction_organization(),
  publication_id uuid not null,
  number integer not null constraint step_number_is_positive check (number >= 1),
  kind text not null constraint step_kind_is_known check
    (kind in ('made', 'claimed', 'postponed', 'live', 'failed', 'cancelled', 'superseded', 'suspended')),
  at timestamptz not null default clock_timestamp(),
  attempt integer constraint step_attempt_is_positive check (attempt >= 1),
  cause text,
  next_at timestamptz,
  constraint publication_steps_key primary key (organization_id, publication_id, number),
  constraint step_is_of_a_publication foreign key (organization_id, publication_id)
    references publications (organization_id, id)
);

create trigger publication_steps_are_kept before update or delete on publication_steps
for each row execute function refuse_change();
create trigger publication_steps_are_not_truncated before truncate on publication_steps
for each statement execute function refuse_change();

alter table publication_steps enable row level security;
alter table publication_steps force row level security;
create policy organization_of_the_transaction on publication_steps
using (organization_id = transaction_organization())
with check (organization_id = transaction_organization());

-- From here on `due_at` alone says when a job may be claimed: at its time, for its next attempt, or when the lease of
-- the worker that holds it is over. So an index finds exactly what can be claimed, and nothing that is held is read.
update jobs set due_at = lease_until where lease_until > due_at;

-- `cause` is why the last attempt failed, where its worker could say so. A parked job is not claimed any more; it is
-- kept for the operator.
alter table jobs
  drop column lease_until,
  add column cause text,
  add column parked_at timestamptz;

drop index jobs_by_due_time;
create index jobs_by_due_time on jobs (due_at) where parked_at is null;
create index jobs_by_organization on jobs (organization_id, due_at, id) where parked_at is null;
create index jobs_parked on jobs (parked_at) where parked_at is not null;
