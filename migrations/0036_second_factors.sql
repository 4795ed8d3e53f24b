-- Codes of an authenticator app (TOTP) as a second factor.
alter table users
  -- The secret that the app and this service share; null without a second factor.
  add column totp_secret bytea constraint totp_secret_has_a_length check (octet_length(totp_secret) = 20),
  add column totp_added_at timestamptz,
  -- The last step whose code was used. Neither it nor an earlier one is accepted again.
  add column totp_last_step bigint not null default 0,
  -- A secret that the user has not confirmed with a code yet.
  add column totp_offer bytea constraint totp_offer_has_a_length check (octet_length(totp_offer) = 20),
  add column totp_offered_at timestamptz,
  add constraint totp_secret_has_a_time check ((totp_secret is null) = (totp_added_at is null)),
  add constraint totp_offer_has_a_time check ((totp_offer is null) = (totp_offered_at is null));

-- Codes for a user who has lost the app. Each works once and is then deleted.
create table recovery_codes (
  code_sha256 bytea constraint recovery_codes_key primary key
    constraint recovery_code_is_a_digest check (octet_length(code_sha256) = 32),
  user_id uuid not null constraint recovery_code_is_of_a_user references users (id) on delete cascade
);

create index recovery_codes_of_a_user on recovery_codes (user_id);

-- Whether members without a second factor are refused.
alter table organizations add column requires_second_factor boolean not null default false;

alter table mails drop constraint mail_kind_is_known;
alter table mails add constraint mail_kind_is_known check (
  kind in ('invitation', 'passwordReset', 'passwordChanged', 'secondFactorChanged', 'approvalBypassed'));
