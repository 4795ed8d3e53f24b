-- People create accounts of their own, if the operator allows it. The code of a mailed link; it works once.
create table sign_ups (
  code_sha256 bytea constraint sign_ups_key primary key
    constraint sign_up_code_is_a_digest check (octet_length(code_sha256) = 32),
  email text not null constraint sign_up_email_has_a_length check (char_length(email) between 3 and 254),
  expires_at timestamptz not null
);

create index sign_ups_by_time on sign_ups (expires_at);

alter table mails drop constraint mail_kind_is_known;
alter table mails add constraint mail_kind_is_known check (
  kind in (
    'invitation', 'signUp', 'passwordReset', 'passwordChanged', 'secondFactorChanged', 'approvalBypassed'));
