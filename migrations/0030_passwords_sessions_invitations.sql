-- People sign in with a password, see their sessions, and invite others.

-- `verified_at` is set when the operator creates the user, or when the user signs in with a link of the operator. Until
-- then, the user cannot be added to another organization by the address alone.
alter table users
  add column password_hash text,
  add column verified_at timestamptz default now();

alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column last_used_at timestamptz not null default now(),
  add column confirmed_at timestamptz not null default now(),
  add column client text not null default '' constraint session_client_has_a_length check (char_length(client) <= 200),
  add column address text not null default '' constraint session_address_has_a_length check (char_length(address) <= 64);

alter table sessions add constraint session_id_is_unique unique (id);

-- Failed sign-ins, by the SHA-256 of the address in lower case. The address may have no account.
create table sign_in_failures (
  address_sha256 bytea constraint sign_in_failures_key primary key
    constraint sign_in_failure_is_of_a_digest check (octet_length(address_sha256) = 32),
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);

create index sign_in_failures_by_time on sign_in_failures (last_at);

create table invitations (
  id uuid constraint invitations_key primary key,
  organization_id uuid not null
    constraint invitation_is_to_an_organization references organizations (id) on delete cascade,
  email text not null constraint invitation_email_has_a_length check (char_length(email) between 3 and 254),
  name text constraint invitation_name_has_a_length check (char_length(name) between 1 and 200),
  role text not null
    constraint invitation_role_is_known check (role in ('viewer', 'editor', 'publisher', 'admin', 'owner')),
  code_sha256 bytea not null
    constraint invitation_code_is_unique unique
    constraint invitation_code_is_a_digest check (octet_length(code_sha256) = 32),
  inviter_id uuid constraint invitation_is_by_a_user references users (id) on delete cascade,
  inviter_name text not null,
  created_at timestamptz not null default now(),
  -- When the current code was made.
  renewed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);

create index invitations_in_order on invitations (organization_id, created_at, id);
create unique index invitation_is_pending_once on invitations (organization_id, lower(email))
  where accepted_at is null and withdrawn_at is null;
