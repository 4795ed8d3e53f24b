-- A client can send a change with a key, and repeat the request without repeating the change. The row commits in the
-- same transaction as the change; the answer is added after it.
create table idempotency_keys (
  organization_id uuid not null
    constraint idempotency_key_is_of_an_organization references organizations,
  -- The user or the token. They are not referenced: a key outlives a removed member or token by a day at most.
  caller uuid not null,
  key text not null constraint idempotency_key_is_short check (length(key) between 1 and 255),
  -- The SHA-256 of the request.
  fingerprint bytea not null,
  -- The attempt that made the change.
  attempt uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The end of the attempt. Missing while it runs, or if its process ended first.
  ended_at timestamptz,
  -- The answer. Without a body, it contained a secret or was too long.
  status integer,
  content_type text,
  location text,
  etag text,
  body bytea,
  constraint idempotency_keys_key primary key (organization_id, caller, key),
  constraint idempotency_answer_is_of_an_ended_attempt check (status is null or ended_at is not null)
);

select isolate_by_organization('idempotency_keys');

create index idempotency_keys_by_age on idempotency_keys (organization_id, created_at);
