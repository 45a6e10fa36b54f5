-- Acknowledgement campaigns, and groups that are the audience of one (decision 079). A version that does not know them lists audiences
-- among the groups of the organisation and lets substitutes confirm.

-- The people of a campaign: no group of the organisation's list.
alter table groups add column is_audience boolean not null default false;

-- A campaign may be called like a group, and like another campaign.
drop index groups_name;
create unique index groups_name on groups (organization_id, lower(name)) where not is_audience;

create table campaigns (
  request_id      uuid primary key references signing_requests,
  organization_id uuid not null references organizations,
  created_at      timestamptz not null
);

create index on campaigns (organization_id, created_at desc, request_id desc);

-- Everybody who was asked, as they were called then: it stays when they leave.
create table campaign_people (
  request_id  uuid not null references campaigns,
  user_id     uuid not null references users,
  full_name   text not null,
  group_names text[] not null,
  primary key (request_id, user_id)
);

create trigger append_only before update or delete on campaign_people
  for each row execute function refuse_change();
create trigger append_only_all before truncate on campaign_people
  for each statement execute function refuse_change();
create trigger refuse_of_moved before insert or update on campaigns
  for each row execute function refuse_of_moved();
