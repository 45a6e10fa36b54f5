-- Each proof that a caller of the public pages is no robot counts once; until it would be too old anyway.
create table used_captchas (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index on used_captchas (expires_at);
