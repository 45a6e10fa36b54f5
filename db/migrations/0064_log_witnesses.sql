-- Heads of the log as others read them (c2sp.org/tlog-checkpoint): the note that was signed, word for word. Heads that were signed
-- before have none, and are not signed again.
create table log_checkpoints (
  size bigint primary key references log_heads,
  note text not null
);

-- What witnesses signed after they had compared such a head with all that they had seen of this log before.
create table log_cosignatures (
  size    bigint not null references log_checkpoints,
  witness text not null,
  -- The line of the note, word for word, and the time that it states.
  line    text not null,
  at      timestamptz not null,
  primary key (size, witness)
);

create trigger append_only before update or delete on log_checkpoints for each row execute function refuse_change();
create trigger append_only_all before truncate on log_checkpoints for each statement execute function refuse_change();
create trigger append_only before update or delete on log_cosignatures for each row execute function refuse_change();
create trigger append_only_all before truncate on log_cosignatures for each statement execute function refuse_change();

-- How the last question to each witness ended, for the operator.
create table log_witnesses (
  name     text primary key,
  asked_at timestamptz not null,
  -- Null: it co-signed.
  failure  text
);
