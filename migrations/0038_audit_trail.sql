-- The audit trail says why and from where each change was made. Signed checkpoints seal it.
alter table audit_entries
  -- Given with the request of the change.
  add column reason text constraint audit_reason_is_short check (length(reason) between 1 and 500),
  -- The `Request-Id` of that request, and the address that it came from. Null for changes of Waymark itself.
  add column request_id text,
  add column address text;
-- A transaction that belongs to a request sets them once.
alter table audit_entries
  alter column reason set default nullif(current_setting('waymark.reason', true), ''),
  alter column request_id set default nullif(current_setting('waymark.request', true), ''),
  alter column address set default nullif(current_setting('waymark.address', true), '');

-- The digest of all entries up to a position, signed with the installation's key. It is made in the order of the
-- positions, after the entries are committed, so no writer waits for it.
create table audit_checkpoints (
  organization_id uuid not null default transaction_organization()
    constraint audit_checkpoint_is_of_an_organization references organizations (id),
  position bigint not null constraint audit_checkpoint_has_a_position check (position >= 1),
  -- SHA-256, chained over the entries.
  digest bytea not null constraint audit_digest_has_a_length check (octet_length(digest) = 32),
  made_at timestamptz not null default now(),
  -- The ID of the key.
  key text not null,
  -- Ed25519.
  signature bytea not null constraint audit_signature_has_a_length check (octet_length(signature) = 64),
  constraint audit_checkpoints_key primary key (organization_id, position)
);

select isolate_by_organization('audit_checkpoints');

-- The organizations whose newest events have no checkpoint yet.
create table unsealed_trails (
  organization_id uuid constraint unsealed_trails_key primary key
    constraint unsealed_trail_is_of_an_organization references organizations (id) on delete cascade
);

insert into unsealed_trails (organization_id) select id from organizations;

-- The owner of the tables can prune old entries (`waymark audit prune`). Nobody else can delete one, and nobody can
-- change one.
create function refuse_change_but_pruning() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('waymark.pruning', true) = 'on'
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then
    return old;
  end if;
  raise exception 'rows of % are never changed or deleted', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_name;
end
$$;

drop trigger audit_entries_are_kept on audit_entries;
create trigger audit_entries_are_kept before update or delete on audit_entries
for each row execute function refuse_change_but_pruning();
drop trigger events_are_kept on events;
create trigger events_are_kept before delete on events
for each row execute function refuse_change_but_pruning();
create trigger audit_checkpoints_are_kept before update or delete on audit_checkpoints
for each row execute function refuse_change_but_pruning();
create trigger audit_checkpoints_are_not_truncated before truncate on audit_checkpoints
for each statement execute function refuse_change();
