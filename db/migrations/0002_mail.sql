-- Every e-mail the product sends, written in the transaction that causes it and delivered by a job.

create table mails (
  id         uuid primary key,
  recipient  text not null check (recipient <> ''),
  language   text not null check (language in ('ru', 'kk', 'en')),
  subject    text not null,
  text       text not null,
  html       text not null,
  created_at timestamptz not null,
  sent_at    timestamptz,
  attempts   int not null default 0,
  last_error text
);

create index on mails (created_at desc, id desc);
