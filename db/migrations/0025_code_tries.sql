-- Wrong codes of printed documents: each makes the next one wait longer. Of a request, be there one or not (whoever guesses
-- learns nothing from having to wait); where no request is named, of the network they come from, and of everybody together.
-- source: 'request …', 'from …' with a hash of the network, 'all'. What is a day old is forgotten and removed.
create table code_tries (
  source text primary key,
  wrong  integer not null check (wrong > 0),
  at     timestamptz not null
);
create index on code_tries (at);

insert into code_tries (source, wrong, at) select 'request ' || request_id, wrong, last_at from request_code_tries;
drop table request_code_tries;

-- A code is also looked for without knowing of which request it is.
create index on request_access_codes (hash);
