-- Why a bucket fails as a whole, as its pushers say again and again while it does: its objects are not all tried then,
-- and those that wait have no cause of their own.
alter table sinks add column failure text;
alter table sinks add column failed_at timestamptz;
alter table sinks
  add constraint sink_failure_has_a_time check ((failure is null) = (failed_at is null));
