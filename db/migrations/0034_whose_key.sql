-- A point says whose key it takes: the head's, that of somebody with the right to sign, of any employee, of one person.

alter table points
  add column key_holder     text not null default 'employee'
    check (key_holder in ('head', 'signingRight', 'employee', 'person')),
  add column key_holder_iin text check (key_holder_iin ~ '^[0-9]{12}$');

-- Numbers of organisations outside and counterparty points: whoever may sign for the organisation.
update points
set key_holder = 'signingRight'
where type in (4, 128, 256, 2048, 4096);

-- The fifth digit of a person's number is the first one of a day.
update points
set key_holder = 'person',
    key_holder_iin = bin
where type in (4, 128, 256, 2048) and substr(bin, 5, 1) in ('0', '1', '2', '3');

-- At these everybody uses their own key.
update points set key_holder = 'person' where type in (1, 16);

alter table points alter column key_holder drop default;

-- Requests that were sent before keep the rule they were sent with: any key of the number.
alter table request_points
  add column key_holder     text not null default 'employee'
    check (key_holder in ('head', 'signingRight', 'employee', 'person')),
  add column key_holder_iin text check (key_holder_iin ~ '^[0-9]{12}$');

alter table request_points alter column key_holder drop default;

-- The role in the certificate with which somebody without an account came last; unknown counts as the least.
alter table outsiders
  add column given_key text not null default 'employee'
    check (given_key in ('head', 'signingRight', 'employee', 'individual'));

alter table sign_in_outsiders
  add column given_key text not null default 'employee'
    check (given_key in ('head', 'signingRight', 'employee', 'individual'));

-- Owners act on what comes to the number of the organisation, and those whom they appointed.
alter table memberships add column is_appointed boolean not null default false;

-- Powers of attorney that organisations have registered. None is ever deleted: signatures name them.
create table powers_of_attorney (
  id              uuid primary key,
  organization_id uuid not null references organizations (id),
  -- As written on the document.
  number          text not null,
  -- The number of the organisation when it was registered; it is confirmed.
  bin             text not null check (bin ~ '^[0-9]{12}$'),
  holder_iin      text not null check (holder_iin ~ '^[0-9]{12}$'),
  holder_name     text not null,
  direction       text not null check (direction in ('any', 'incoming', 'outgoing')),
  counterparties  text[] not null default '{}',
  note            text not null default '',
  valid_from      date not null,
  valid_until     date not null check (valid_until >= valid_from),
  -- The request in which the head signed the document.
  request_id      uuid not null references signing_requests (id),
  file_name       text not null,
  signed_by       text not null,
  signed_at       timestamptz not null,
  registered_by   uuid not null references users (id),
  registered_at   timestamptz not null,
  revoked_by      uuid references users (id),
  revoked_at      timestamptz,
  check ((revoked_by is null) = (revoked_at is null))
);

create index on powers_of_attorney (organization_id, registered_at desc, id desc);
create index on powers_of_attorney (holder_iin, bin);

-- The power of attorney under which a signature counts, as it was then.
alter table request_signatures add column power jsonb;
