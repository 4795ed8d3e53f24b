-- Whether the sign-in with a provider confirms that the person is present. Then the provider must say when they signed in.
alter table sign_in_attempts add column is_confirmation boolean not null default false;
