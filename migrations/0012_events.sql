-- Events: every entry of the audit trail, with its place in one list of its organization.
--
-- An entry's own number is drawn before its transaction commits, so number 2 may be seen before number 1: who reads on
-- after 2 has lost 1. Places are therefore given by those who read, to what has been committed, under a lock of the
-- organization: 1, 2, 3, … without gaps. Whoever sees a place sees all before it, and no writer waits for another.

-- The host that an entry is about; null for what is about none.
alter table audit_entries add column host text;

create table events (
  organization_id uuid not null default transaction_organization(),
  entry_id bigint not null,
  -- Null until it is given.
  position bigint constraint event_position_is_positive check (position >= 1),
  kind text not null,
  host text,
  constraint events_key primary key (organization_id, entry_id),
  constraint event_is_an_audit_entry foreign key (organization_id, entry_id)
    references audit_entries (organization_id, id),
  constraint event_has_a_place_of_its_own unique (organization_id, position)
);

create index events_without_a_place on events (organization_id, entry_id) where position is null;
create index events_by_kind on events (organization_id, kind, position);
create index events_by_host on events (organization_id, host, position) where host is not null;

-- By a trigger, so that there is no entry without its event, whoever wrote it.
create function add_events() returns trigger
language plpgsql as $$
begin
  insert into events (organization_id, entry_id, kind, host)
  select organization_id, id, action, host from added;
  return null;
end
$$;

create trigger audit_entries_are_events after insert on audit_entries
referencing new table as added
for each statement execute function add_events();

-- What there is already, which nobody has read as events: in the order of its numbers. The owner sees no row of a
-- tenant while row level security is forced.
alter table audit_entries no force row level security;
insert into events (organization_id, entry_id, position, kind, host)
select organization_id, id, row_number() over (partition by organization_id order by id), action,
  case
    when action ~ '^(domain|draft|rule|test|tests|version|publication|withdrawal)[.]' then subject
  end
from audit_entries;
alter table audit_entries force row level security;

-- An event changes once, when it is given its place.
create trigger events_are_kept before delete on events
for each row execute function refuse_change();
create trigger events_keep_their_place before update on events
for each row
when (
  old.position is not null
  or (old.organization_id, old.entry_id, old.kind, old.host)
    is distinct from (new.organization_id, new.entry_id, new.kind, new.host))
execute function refuse_change();
create trigger events_are_not_truncated before truncate on events
for each statement execute function refuse_change();

alter table events enable row level security;
alter table events force row level security;
create policy organization_of_the_transaction on events
using (organization_id = transaction_organization())
with check (organization_id = transaction_organization());
