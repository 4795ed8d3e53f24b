-- The deletion of an organization. Nothing changes until the time has passed. Then a job deletes everything but the
-- audit trail, and this row, which the trail refers to.
alter table organizations
  add column deletion_requester text
    constraint deletion_requester_has_a_length check (char_length(deletion_requester) between 1 and 320),
  add column deletion_due_at timestamptz,
  -- The time from which nobody has access. The job may still be deleting.
  add column deleted_at timestamptz,
  add constraint deletion_is_whole check ((deletion_requester is null) = (deletion_due_at is null)),
  add constraint only_a_due_organization_is_deleted check (deleted_at is null or deleted_at >= deletion_due_at);

alter table jobs drop constraint job_kind_is_known;
alter table jobs add constraint job_kind_is_known check (
  kind in ('publish', 'withdraw', 'schedule', 'run', 'release', 'replace', 'freeze', 'delete'));

alter table mails drop constraint mail_kind_is_known;
alter table mails add constraint mail_kind_is_known check (
  kind in (
    'invitation', 'signUp', 'passwordReset', 'passwordChanged', 'signInChanged', 'approvalBypassed',
    'organizationDeletion'));

-- Hosts whose organization was deleted, with the activation that took each out of service. A claim is never deleted
-- without such a row if its host was live. Otherwise clients that ask for changes would not learn that it has ended.
create table ended_hosts (
  host text constraint ended_hosts_key primary key,
  activation bigint not null constraint ended_hosts_activation_key unique
);

-- The row of a deleted organization permits what nothing else does: its versions and files can be deleted.
create function refuse_change_but_deletion() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from organizations where id = old.organization_id and deleted_at is not null
  ) then
    return old;
  end if;
  raise exception 'rows of % are never changed or deleted', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_name;
end
$$;

drop trigger versions_are_kept on versions;
create trigger versions_are_kept before update or delete on versions
  for each row execute function refuse_change_but_deletion();
drop trigger blobs_are_kept on blobs;
create trigger blobs_are_kept before update or delete on blobs
  for each row execute function refuse_change_but_deletion();
drop trigger publication_steps_are_kept on publication_steps;
create trigger publication_steps_are_kept before update or delete on publication_steps
  for each row execute function refuse_change_but_deletion();
