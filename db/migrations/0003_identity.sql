-- People as the application knows them, their sessions, organisations, roles, groups and invitations.
-- Rules are in domain/identity; the tables keep what must hold for any code.

-- A person is who the sign-in service says: issuer and subject, never the e-mail (it may change hands).
create table users (
  id                    uuid primary key,
  issuer                text not null,
  subject               text not null,
  login                 text not null,
  full_name             text not null,
  email                 text not null,
  is_email_confirmed    boolean not null,
  language              text not null default 'ru' check (language in ('ru', 'kk', 'en')),
  agreement_version     text,
  agreement_accepted_at timestamptz,
  created_at            timestamptz not null,
  unique (issuer, subject)
);

-- The cookie holds the token, the table its SHA-256: a leaked table opens no session.
create table sessions (
  token_hash       bytea primary key,
  user_id          uuid not null references users on delete cascade,
  provider_session text, -- `sid` of the sign-in service, for back-channel logout
  id_token         text, -- the hint with which the sign-in service ends its own session
  created_at       timestamptz not null,
  last_seen_at     timestamptz not null,
  expires_at       timestamptz not null
);

create index on sessions (user_id);
create index on sessions (provider_session);
create index on sessions (expires_at);

-- An individual is an organisation of one person whose number is the IIN.
create table organizations (
  id            uuid primary key,
  bin           text not null check (bin ~ '^[0-9]{12}$'),
  is_individual boolean not null,
  short_name    text not null check (short_name <> '' and length(short_name) <= 250),
  full_name     text not null default '' check (length(full_name) <= 500),
  address       text not null default '' check (length(address) <= 500),
  phone         text not null default '' check (length(phone) <= 50),
  email         text not null default '' check (length(email) <= 254),
  -- when a digital signature with this BIN was shown; nothing is received by BIN before that
  confirmed_at  timestamptz,
  created_at    timestamptz not null,

  is_quick_request_allowed                          boolean not null default true,
  use_signature_points_routes_role_permission       boolean not null default false,
  use_points_role_permission                        boolean not null default false,
  is_date_of_sign_displayed_in_qr_document          boolean not null default true,
  documents_upload_pdf_only                         boolean not null default false,
  allowed_point_types_for_incoming_signing_requests int not null default 3
    check (allowed_point_types_for_incoming_signing_requests between 0 and 3),
  is_signing_report_generation_allowed              boolean not null default true
);

-- Anyone can type a BIN; only one organisation can have proved it.
create unique index organizations_confirmed_bin on organizations (bin) where confirmed_at is not null;
create index on organizations (bin);

create table memberships (
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  roles           int not null check (roles between 1 and 15),
  joined_at       timestamptz not null,
  primary key (organization_id, user_id)
);

create index on memberships (user_id);

create table groups (
  id              uuid not null primary key,
  organization_id uuid not null references organizations on delete cascade,
  name            text not null check (name <> '' and length(name) <= 250),
  created_at      timestamptz not null,
  unique (organization_id, id)
);

create unique index groups_name on groups (organization_id, lower(name));

-- Only people of the organisation; who leaves it leaves its groups.
create table group_participants (
  organization_id uuid not null,
  group_id        uuid not null,
  user_id         uuid not null,
  primary key (group_id, user_id),
  foreign key (organization_id, group_id) references groups (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships on delete cascade
);

create index on group_participants (organization_id, user_id);

create table invitations (
  id              uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email           text not null check (email <> ''),
  roles           int not null check (roles between 1 and 15),
  language        text not null check (language in ('ru', 'kk', 'en')),
  token_hash      bytea not null unique,
  invited_by      uuid not null references users,
  created_at      timestamptz not null,
  sent_at         timestamptz not null,
  expires_at      timestamptz not null,
  accepted_at     timestamptz,
  accepted_by     uuid references users,
  withdrawn_at    timestamptz
);

-- One open invitation to an address.
create unique index invitations_open on invitations (organization_id, email)
  where accepted_at is null and withdrawn_at is null;

-- Who leaves the group no longer sends through it.
create table user_options (
  organization_id     uuid not null,
  user_id             uuid not null,
  quick_send_group_id uuid,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references memberships on delete cascade,
  foreign key (quick_send_group_id, user_id) references group_participants (group_id, user_id)
    on delete set null (quick_send_group_id)
);

create index on user_options (quick_send_group_id, user_id);

create table notification_settings (
  organization_id uuid not null,
  user_id         uuid not null,
  kind            text not null,
  mode            text not null check (mode in ('at-once', 'daily', 'off')),
  primary key (organization_id, user_id, kind),
  foreign key (organization_id, user_id) references memberships on delete cascade
);

-- Append-only: who let whom in and who changed what.
create table organization_events (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references organizations,
  by              uuid not null references users,
  at              timestamptz not null,
  type            text not null,
  subject         text not null,
  details         jsonb not null default '{}'
);

create index on organization_events (organization_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin raise exception '% is append-only', tg_table_name; end $$;

create trigger append_only before update or delete on organization_events
  for each row execute function refuse_change();
