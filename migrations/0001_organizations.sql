-- Organizations, people and credentials: what is looked up before it is known for whom a request speaks.
-- None of these is a tenant's table: no row level security, and one file of the code touches them.

create table organizations (
  id uuid constraint organizations_key primary key,
  slug text not null
    constraint organization_slug_is_unique unique
    constraint organization_slug_is_well_formed check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and octet_length(slug) <= 63),
  name text not null constraint organization_name_has_a_length check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table users (
  id uuid constraint users_key primary key,
  email text not null constraint user_email_has_a_length check (char_length(email) between 3 and 254),
  name text not null constraint user_name_has_a_length check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create unique index user_email_is_unique on users (lower(email));

create table memberships (
  organization_id uuid not null
    constraint membership_is_in_an_organization references organizations (id) on delete cascade,
  user_id uuid not null constraint membership_is_of_a_user references users (id) on delete cascade,
  role text not null
    constraint membership_role_is_known check (role in ('viewer', 'editor', 'publisher', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  constraint memberships_key primary key (organization_id, user_id)
);

create index memberships_by_user on memberships (user_id);

-- An API token: only the SHA-256 of its secret is stored.
create table credentials (
  id uuid constraint credentials_key primary key,
  organization_id uuid not null
    constraint credential_is_of_an_organization references organizations (id) on delete cascade,
  secret_sha256 bytea not null
    constraint credential_secret_is_unique unique
    constraint credential_secret_is_a_digest check (octet_length(secret_sha256) = 32),
  name text not null constraint credential_name_has_a_length check (char_length(name) between 1 and 200),
  role text not null
    constraint credential_role_is_known check (role in ('viewer', 'editor', 'publisher', 'admin', 'owner')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);

-- A one-time sign-in link, and the session that it opens.
create table sign_in_codes (
  code_sha256 bytea constraint sign_in_codes_key primary key,
  user_id uuid not null constraint sign_in_code_is_for_a_user references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table sessions (
  secret_sha256 bytea constraint sessions_key primary key,
  user_id uuid not null constraint session_is_of_a_user references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_by_user on sessions (user_id);
