-- A role can be limited to the domains with one of these labels. Empty for the entire organization. Only the roles between
-- reading everything and managing the organization can be limited.
alter table memberships
  add column labels text[] not null default '{}'
    constraint membership_has_few_labels check (cardinality(labels) <= 20),
  add constraint membership_role_can_be_limited check (labels = '{}' or role in ('editor', 'publisher'));

alter table credentials
  add column labels text[] not null default '{}'
    constraint credential_has_few_labels check (cardinality(labels) <= 20),
  add constraint credential_role_can_be_limited check (labels = '{}' or role in ('editor', 'publisher'));

alter table invitations
  add column labels text[] not null default '{}'
    constraint invitation_has_few_labels check (cardinality(labels) <= 20),
  add constraint invitation_role_can_be_limited check (labels = '{}' or role in ('editor', 'publisher'));

alter table trusts
  add column labels text[] not null default '{}'
    constraint trust_has_few_labels check (cardinality(labels) <= 20),
  add constraint trust_role_can_be_limited check (labels = '{}' or role in ('editor', 'publisher'));
