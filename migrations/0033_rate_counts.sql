-- The requests of busy clients in each minute, summed over all API processes. Losing them is harmless, so the table is
-- not logged.
create unlogged table rate_counts (
  minute bigint not null,
  policy text not null,
  -- The token, person, organization or address.
  subject uuid not null,
  requests bigint not null,
  constraint rate_counts_key primary key (minute, policy, subject)
);
