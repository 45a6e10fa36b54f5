-- What the directory of an organisation says of its people. A version that does not know it cannot list tokens with the scope "people".

-- Somebody whom a directory (SCIM) has told of. Whether they are a member or invited is in the tables for that.
create table directory_people (
  -- That of the account for a member who was there before, so two organisations may have the same one.
  id              uuid not null,
  organization_id uuid not null references organizations on delete cascade,
  -- The member, from the moment when whoever has the address has joined.
  user_id         uuid references users,
  external_id     text,
  user_name       text not null check (user_name <> ''),
  email           text not null check (email = lower(email)),
  given_name      text,
  family_name     text,
  display_name    text,
  created_at      timestamptz not null,
  changed_at      timestamptz not null,
  primary key (organization_id, id)
);

create unique index directory_people_user_name on directory_people (organization_id, lower(user_name));
create unique index directory_people_email on directory_people (organization_id, email);
create unique index directory_people_user on directory_people (organization_id, user_id);
create unique index directory_people_external_id on directory_people (organization_id, external_id);
create index on directory_people (user_id);

-- By what a directory knows a group of ours.
create table directory_groups (
  group_id    uuid primary key references groups on delete cascade,
  external_id text not null
);
