-- A job whose worker was lost had its turn already: it is claimed before all that have not been begun, however many wait.
-- The index holds those that are held now and those that were lost, and no other.
create index jobs_begun on jobs (due_at) where parked_at is null and attempts > 0 and cause is null;
