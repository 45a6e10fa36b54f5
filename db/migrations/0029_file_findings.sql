-- What was found about the bytes of strangers' files, by their hash: the same malicious file is not opened twice, whoever sends
-- it. Code that finds something else has another version and looks again.

create table file_findings (
  sha256     bytea not null check (length(sha256) = 32),
  -- what was looked for: a check of a format, printing, rich text
  kind       text not null,
  version    integer not null check (version > 0),
  -- null: nothing is wrong
  fault      text,
  found_at   timestamptz not null,
  expires_at timestamptz not null,
  primary key (sha256, kind)
);
create index file_findings_expires_at on file_findings (expires_at);

insert into file_findings (sha256, kind, version, fault, found_at, expires_at)
select distinct on (files.sha256)
  files.sha256, 'print', printed.version, printed.fault, printed.checked_at, printed.checked_at + interval '90 days'
from file_printability printed join files on files.id = printed.file_id
order by files.sha256, printed.checked_at desc;

drop table file_printability;
