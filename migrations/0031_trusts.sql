-- A trust lets the jobs of a CI system exchange their tokens for short-lived tokens of ours. An exchanged token names its
-- trust, so that a change of the trust can end it.
create table trusts (
  organization_id uuid not null default transaction_organization()
    constraint trust_is_of_an_organization references organizations (id) on delete cascade,
  id uuid not null,
  name text not null constraint trust_name_has_a_length check (char_length(name) between 1 and 63),
  provider text not null constraint trust_provider_is_known check (provider in ('github', 'gitlab', 'other')),
  issuer text not null constraint trust_issuer_has_a_length check (octet_length(issuer) between 1 and 500),
  audience text not null constraint trust_audience_has_a_length check (octet_length(audience) between 1 and 500),
  claims json not null,
  role text not null
    constraint trust_role_is_known check (role in ('viewer', 'editor', 'publisher', 'admin', 'owner')),
  lifetime_seconds integer not null
    constraint trust_lifetime_is_short check (lifetime_seconds between 60 and 900),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  last_refused_at timestamptz,
  constraint trusts_key primary key (organization_id, id),
  constraint trust_name_is_unique unique (organization_id, name)
);

create index trusts_in_order on trusts (organization_id, created_at, id);
select isolate_by_organization('trusts');

-- The foreign tokens that were exchanged. Each can be exchanged once, so it is remembered until it has expired.
create table exchanged_tokens (
  organization_id uuid not null default transaction_organization()
    constraint exchanged_token_is_of_an_organization references organizations (id) on delete cascade,
  fingerprint bytea not null
    constraint exchanged_token_fingerprint_is_a_digest check (octet_length(fingerprint) = 32),
  expires_at timestamptz not null,
  constraint exchanged_tokens_key primary key (organization_id, fingerprint)
);

create index exchanged_tokens_by_expiry on exchanged_tokens (organization_id, expires_at);
select isolate_by_organization('exchanged_tokens');

alter table credentials add column trust_id uuid;
create index credentials_by_trust on credentials (organization_id, trust_id, expires_at) where trust_id is not null;
