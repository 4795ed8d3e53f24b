-- Passkeys: keys of authenticators, instead of a password or as a second factor (WebAuthn).
create table passkeys (
  id uuid constraint passkeys_key primary key,
  user_id uuid not null constraint passkey_is_of_a_user references users (id) on delete cascade,
  -- The ID that the authenticator chose.
  credential_id bytea not null constraint passkey_is_added_once unique
    constraint passkey_id_has_a_length check (octet_length(credential_id) between 1 and 1023),
  -- The user's name for it.
  name text not null constraint passkey_name_has_a_length check (char_length(name) between 1 and 100),
  -- A COSE algorithm.
  algorithm integer not null,
  public_key bytea not null,
  -- The authenticator's counter after the last use.
  counter bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);

create index passkeys_of_a_user on passkeys (user_id);

-- Random challenges that authenticators sign. Each works once.
create table passkey_challenges (
  challenge_sha256 bytea constraint passkey_challenges_key primary key
    constraint passkey_challenge_is_a_digest check (octet_length(challenge_sha256) = 32),
  -- The user who adds a passkey. Null for using one, because the user is not known before.
  user_id uuid constraint passkey_challenge_is_of_a_user references users (id) on delete cascade,
  expires_at timestamptz not null
);

create index passkey_challenges_by_end on passkey_challenges (expires_at);
