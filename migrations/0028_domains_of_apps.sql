-- The domains of an app are listed in the order of their hosts.
drop index draft_apps_by_app;
create index draft_apps_by_app on draft_apps (organization_id, app_id, host collate "C");
