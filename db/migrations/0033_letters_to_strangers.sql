-- E-mails to people who did not ask for them: how many went out on a day, and who wants none.

create table stranger_mail_counts (
  day  date not null,
  -- by whom, in whose name, to which mailbox (its hash) and to which domain
  kind text not null check (kind in ('person', 'organization', 'address', 'domain')),
  key  text not null,
  sent int not null check (sent >= 0),
  primary key (day, kind, key)
);

-- Null: e-mails of every sender. Until now only documents that came without an account could be stopped.
alter table stopped_letters
  drop constraint stopped_letters_pkey,
  add column organization_id uuid references organizations on delete cascade,
  add constraint stopped_letters_once unique nulls not distinct (address_hash, organization_id);

-- held: a limit of the day was reached, it goes out on the next. outdated: by then nobody waited for the reader any more.
alter table notices
  drop constraint notices_mode_check,
  add constraint notices_mode_check
    check (mode in ('at-once', 'daily', 'off', 'none', 'held', 'outdated'));

create index notices_held on notices (created_at, id) where mode = 'held';
