-- Four eyes: a policy requires approvals before a file goes live. An approval is for the exact bytes of a file, by a person
-- who did not edit the draft.

-- Without a label, a policy is for all domains of the organization. `bypassers` are the addresses of the people who can
-- publish without the approvals in an emergency.
create table approval_policies (
  organization_id uuid not null default transaction_organization()
    constraint approval_policy_is_of_an_organization references organizations (id) on delete cascade,
  id uuid not null,
  label text constraint approval_policy_label_has_a_length check (char_length(label) between 1 and 63),
  approvals integer not null constraint approval_policy_requires_few check (approvals between 1 and 10),
  bypassers text[] not null constraint approval_policy_has_few_bypassers check (cardinality(bypassers) <= 20),
  created_at timestamptz not null default clock_timestamp(),
  constraint approval_policies_key primary key (organization_id, id)
);

create index approval_policies_in_order on approval_policies (organization_id, created_at, id);
create unique index approval_policy_is_unique on approval_policies (organization_id, coalesce(label, ''));
select isolate_by_organization('approval_policies');

-- Who edited a draft, with the revision of their last edit.
create table draft_editors (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  editor_kind text not null,
  editor_name text not null,
  revision integer not null,
  constraint draft_editors_key primary key (organization_id, host, editor_kind, editor_name),
  -- Not of a domain: an edit has locked the draft, and must not wait for the domain too.
  constraint draft_editor_is_of_a_draft foreign key (organization_id, host)
    references drafts (organization_id, host) on delete cascade
);

-- Nobody knows who edited the drafts until now. So an unknown editor is recorded, as for a token. The owner sees no row of
-- a tenant while row level security is forced.
alter table drafts no force row level security;
insert into draft_editors (organization_id, host, editor_kind, editor_name, revision)
select organization_id, host, 'system', 'unknown', revision from drafts where revision > 1;
alter table drafts force row level security;

select isolate_by_organization('draft_editors');

create table approval_requests (
  organization_id uuid not null default transaction_organization()
    constraint approval_request_is_of_an_organization references organizations (id) on delete cascade,
  id uuid not null,
  state text not null default 'open'
    constraint approval_request_state_is_known check (state in ('open', 'rejected', 'cancelled')),
  message text not null,
  requester_kind text not null,
  requester_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint approval_requests_key primary key (organization_id, id)
);

create index approval_requests_in_order on approval_requests (organization_id, created_at, id);
create index open_approval_requests on approval_requests (organization_id, created_at, id) where state = 'open';
select isolate_by_organization('approval_requests');

-- The files that a request is about. Without a version, the file is the draft's.
create table approval_request_domains (
  organization_id uuid not null default transaction_organization(),
  request_id uuid not null,
  host text not null,
  version integer,
  draft_revision integer not null,
  sha256 bytea not null constraint approval_request_is_for_a_digest check (octet_length(sha256) = 32),
  size integer not null,
  constraint approval_request_domains_key primary key (organization_id, request_id, host),
  constraint approval_request_domain_is_of_a_request foreign key (organization_id, request_id)
    references approval_requests (organization_id, id) on delete cascade,
  constraint approval_request_domain_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

create index approval_request_domains_by_file on approval_request_domains (organization_id, host, sha256);
select isolate_by_organization('approval_request_domains');

-- Comments, approvals and rejections, as people wrote them.
create table approval_reviews (
  organization_id uuid not null default transaction_organization(),
  id uuid not null,
  request_id uuid not null,
  kind text not null
    constraint approval_review_kind_is_known check (kind in ('comment', 'approval', 'rejection')),
  text text not null,
  author_kind text not null,
  author_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint approval_reviews_key primary key (organization_id, id),
  constraint approval_review_is_of_a_request foreign key (organization_id, request_id)
    references approval_requests (organization_id, id) on delete cascade
);

create index approval_reviews_of_a_request on approval_reviews (organization_id, request_id, created_at, id);
select isolate_by_organization('approval_reviews');

-- The files that a person approved. Files that the person edited are left out.
create table approvals (
  organization_id uuid not null default transaction_organization(),
  request_id uuid not null,
  host text not null,
  approver text not null,
  constraint approvals_key primary key (organization_id, request_id, host, approver),
  constraint approval_is_of_a_request_domain foreign key (organization_id, request_id, host)
    references approval_request_domains (organization_id, request_id, host) on delete cascade
);

select isolate_by_organization('approvals');

-- Whether it went live without the required approvals.
alter table publications add column bypasses_approval boolean not null default false;
alter table releases add column bypasses_approval boolean not null default false;
