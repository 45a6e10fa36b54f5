-- A backup is noted when it begins: one whose process dies has no end. Before, only those that ended were noted.
alter table backups alter column ended_at drop not null;
