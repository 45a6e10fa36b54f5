-- What groups of the sign-in service mean in an organisation. A version that does not know it leaves people where they are at sign-ins.

create table group_mappings (
  organization_id uuid primary key references organizations on delete cascade,
  is_on           boolean not null,
  claim           text not null check (claim <> '')
);

create table group_mapping_rows (
  organization_id uuid not null references group_mappings on delete cascade,
  position        integer not null,
  provider_group  text not null check (provider_group <> ''),
  group_id        uuid references groups on delete cascade,
  role            text check (role in ('Owner', 'PointsAdministrator', 'SignaturePointsRoutesAdministrator')),
  primary key (organization_id, position),
  check ((group_id is null) <> (role is null))
);

create index on group_mapping_rows (group_id);
