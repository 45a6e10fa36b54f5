-- What people write to us from the landing. Append-only.
create table feedback (
  id       uuid primary key,
  at       timestamptz not null,
  language text not null check (language in ('ru', 'kk', 'en')),
  name     text not null check (char_length(name) between 1 and 250),
  email    text not null check (char_length(email) between 3 and 254),
  phone    text not null check (char_length(phone) between 10 and 50),
  message  text not null check (char_length(message) between 1 and 2000)
);
create index on feedback (at desc, id desc);

create trigger append_only before update or delete on feedback
  for each row execute function refuse_change();
create trigger append_only_all before truncate on feedback
  for each statement execute function refuse_change();

-- Whom the reader of a letter answers, where that is not us.
alter table mails add column reply_to text check (char_length(reply_to) <= 254);
