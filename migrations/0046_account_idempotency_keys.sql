-- Keys of requests about a user's own account, which concern no organization. The columns are those of
-- idempotency_keys.
create table account_idempotency_keys (
  user_id uuid not null
    constraint account_idempotency_key_is_of_a_user references users on delete cascade,
  key text not null constraint account_idempotency_key_is_short check (length(key) between 1 and 255),
  fingerprint bytea not null,
  attempt uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  status integer,
  content_type text,
  location text,
  etag text,
  body bytea,
  constraint account_idempotency_keys_key primary key (user_id, key),
  constraint account_answer_is_of_an_ended_attempt check (status is null or ended_at is not null)
);

create index account_idempotency_keys_by_age on account_idempotency_keys (created_at);
