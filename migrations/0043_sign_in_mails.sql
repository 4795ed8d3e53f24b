-- The notice is about every way to sign in, not only about second factors.
alter table mails drop constraint mail_kind_is_known;
update mails set kind = 'signInChanged' where kind = 'secondFactorChanged';
alter table mails add constraint mail_kind_is_known check (
  kind in (
    'invitation', 'signUp', 'passwordReset', 'passwordChanged', 'signInChanged', 'approvalBypassed'));
