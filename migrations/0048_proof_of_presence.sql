-- Whether the sign-in with a provider confirms that the person is present. Then the provider must say when they signed in.
alter table sign_in_attempts add column is_confirmation boolean not null default false;

-- A code works only for its purpose: one for a new password does not sign in, because the user would not be told.
alter table sign_in_codes add column purpose text not null default 'signIn'
  constraint sign_in_code_purpose_is_known check (purpose in ('signIn', 'passwordReset'));

create index sign_in_codes_of_a_user on sign_in_codes (user_id);
