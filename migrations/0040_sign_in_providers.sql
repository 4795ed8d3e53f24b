-- Sign-in with an organization's own OpenID Connect provider.
create table sign_in_providers (
  organization_id uuid not null default transaction_organization()
    constraint sign_in_provider_is_of_an_organization references organizations (id),
  issuer text not null,
  client_id text not null,
  -- Null for a public client. The provider must be sent the secret itself, so it is not a digest.
  client_secret text,
  -- The domains of e-mail addresses whose owners may join, in lower case.
  domains text[] not null,
  -- The role of a person who joins.
  role text not null constraint sign_in_provider_role_is_known check (role in ('viewer', 'editor', 'publisher', 'admin')),
  created_at timestamptz not null default clock_timestamp(),
  constraint sign_in_providers_key primary key (organization_id)
);

select isolate_by_organization('sign_in_providers');

-- A user as a provider knows them. The issuer and the subject identify a user, never the e-mail address.
create table identities (
  id uuid constraint identities_key primary key,
  issuer text not null,
  subject text not null constraint identity_subject_has_a_length check (octet_length(subject) between 1 and 255),
  user_id uuid not null constraint identity_is_of_a_user references users (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  constraint identity_belongs_to_one_user unique (issuer, subject)
);

create index identities_of_a_user on identities (user_id);

-- Sign-ins that wait for a provider's answer. Each answer works once.
create table sign_in_attempts (
  state_sha256 bytea constraint sign_in_attempts_key primary key
    constraint sign_in_state_is_a_digest check (octet_length(state_sha256) = 32),
  organization_id uuid not null
    constraint sign_in_attempt_is_in_an_organization references organizations (id) on delete cascade,
  -- The SHA-256 of a cookie: only the browser that began can finish.
  browser_sha256 bytea not null,
  nonce text not null,
  -- The PKCE code verifier.
  verifier text not null,
  -- The user who connects an identity with their account. Null for signing in.
  user_id uuid constraint sign_in_attempt_is_of_a_user references users (id) on delete cascade,
  -- The SHA-256 of the code of the invitation that is accepted.
  invitation_sha256 bytea,
  expires_at timestamptz not null
);

create index sign_in_attempts_by_end on sign_in_attempts (expires_at);

-- The organization whose provider opened the session. The session reaches no other organization: otherwise one's provider
-- could act in all organizations of its users. Null for a session that the user opened with their own account.
alter table sessions add column organization_id uuid
  constraint session_is_limited_to_an_organization references organizations (id) on delete cascade;

create index sessions_of_providers on sessions (organization_id) where organization_id is not null;
