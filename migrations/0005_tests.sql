-- Saved tests: URLs with what is expected of them on a domain. The gate runs them against the bytes that it freezes,
-- and a version keeps what came of them.

create table tests (
  organization_id uuid not null default transaction_organization(),
  id uuid not null,
  host text not null,
  position integer not null constraint test_position_is_positive check (position >= 1),
  revision integer not null default 1 constraint test_revision_is_positive check (revision >= 1),
  url text not null constraint test_url_has_a_length check (octet_length(url) between 1 and 2048),
  outcome text not null constraint test_outcome_is_known check (outcome in ('opens', 'excluded', 'none')),
  app_id text constraint test_app_id_has_a_length check (octet_length(app_id) <= 255),
  os text constraint test_system_has_a_length check (octet_length(os) between 1 and 20),
  note text not null constraint test_note_has_a_length check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tests_key primary key (organization_id, id),
  constraint test_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade,
  constraint test_opens_an_app check ((outcome = 'opens') = (app_id is not null)),
  constraint test_is_there_once unique nulls not distinct (organization_id, host, url, os),
  constraint test_has_a_place_of_its_own unique (organization_id, host, position)
);

alter table tests enable row level security;
alter table tests force row level security;
create policy organization_of_the_transaction on tests
using (organization_id = transaction_organization())
with check (organization_id = transaction_organization());

-- Null for versions that were frozen before there were tests.
alter table versions add column test_results json;
