-- Withdrawals: taking a host out of service, after a grace in which it is served as before.

create table withdrawals (
  organization_id uuid not null default transaction_organization(),
  id uuid not null,
  host text not null,
  state text not null
    constraint withdrawal_state_is_known check (state in ('pending', 'withdrawn', 'cancelled', 'failed')),
  reason text not null constraint withdrawal_reason_has_a_length check (char_length(reason) between 1 and 1000),
  requester_kind text not null
    constraint requester_kind_is_known check (requester_kind in ('user', 'token', 'operator', 'system')),
  requester_name text not null,
  activation bigint,
  cause text,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  ended_at timestamptz,
  constraint withdrawals_key primary key (organization_id, id),
  constraint withdrawal_is_of_a_domain foreign key (organization_id, host) references domains (organization_id, host),
  constraint done_withdrawal_has_an_activation check ((state = 'withdrawn') = (activation is not null)),
  constraint ended_withdrawal_has_an_end check ((state = 'pending') = (ended_at is null))
);

create index withdrawals_by_domain on withdrawals (organization_id, host, created_at desc, id);
create unique index host_is_withdrawn_once on withdrawals (organization_id, host) where state = 'pending';

alter table withdrawals enable row level security;
alter table withdrawals force row level security;
create policy organization_of_the_transaction on withdrawals
using (organization_id = transaction_organization())
with check (organization_id = transaction_organization());

-- A claim on which nothing is live any more keeps the number of the change that ended it: so consumers who ask what has
-- changed learn of it, and an empty manifest can say that it was emptied on purpose.
alter table claims drop constraint live_claim_is_whole;
alter table claims
  add constraint live_claim_is_whole check (
    num_nulls(version, sha256, size, live_since) in (0, 4) and (version is null or activation is not null)),
-- An alias that was withdrawn by itself is left out when its domain is published, until it is verified again.
  add column left_out boolean not null default false,
  add constraint left_out_claim_serves_nothing check (not left_out or version is null);

alter table jobs drop constraint job_kind_is_known;
alter table jobs add constraint job_kind_is_known check (kind in ('publish', 'withdraw'));
