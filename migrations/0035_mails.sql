-- Mails to send. A mail with a one-time link gets its code when it is sent, so no code is stored here.
create table mails (
  id uuid constraint mails_key primary key,
  kind text not null
    constraint mail_kind_is_known check (kind in ('invitation', 'passwordReset', 'passwordChanged', 'approvalBypassed')),
  recipient text not null constraint mail_recipient_has_a_length check (char_length(recipient) between 1 and 254),
  -- The organization that the mail counts for.
  organization_id uuid constraint mail_is_of_an_organization references organizations (id) on delete cascade,
  -- The invitation that the mail is about. It is deleted only with its organization.
  invitation_id uuid,
  -- What the mail says, as JSON, if it is not in other tables.
  details text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- When the next attempt is due, or the lease of the worker that is sending it ends.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Increases with every attempt. A worker with a smaller number has lost the mail.
  token bigint not null default 0,
  -- When it was sent or given up. It is kept for a day, because mails are limited by what was sent before.
  ended_at timestamptz
);

create index mails_due on mails (due_at) where ended_at is null;
create index mails_by_time on mails (created_at);
create index mails_of_an_organization on mails (organization_id, created_at);
create index mails_to_a_recipient on mails (lower(recipient), created_at);
create index mails_about_an_invitation on mails (invitation_id);

-- What became of the mail with the invitation's code; null if the inviter got the link. Such a code is known only to the
-- owner of the address.
alter table invitations add column mail_state text
  constraint invitation_mail_state_is_known check (mail_state in ('queued', 'sent', 'failed'));
alter table invitations add column mail_cause text;
