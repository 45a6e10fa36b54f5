-- Signing in by phone: each reading of a QR code gets its own text and code, and the browser that began the sign-in has to
-- be told the code of the one that was signed.

-- They are good for five minutes; whoever waits gets a new code.
delete from sign_in_challenges where via = 'phone';

alter table sign_in_challenges drop column token;
alter table sign_in_challenges alter column content drop not null;
alter table sign_in_challenges
  drop constraint sign_in_challenges_state_check,
  drop constraint sign_in_challenges_check1;

create table sign_in_readings (
  id            text primary key check (length(id) >= 22), -- the part of the address where the phone fetches and answers
  challenge_id  text not null references sign_in_challenges on delete cascade,
  token         text not null check (length(token) >= 43), -- only the phone that read the code has it
  code          text not null check (code ~ '^\d{3}$'), -- shown by that phone
  content       bytea not null, -- what that phone signs, byte for byte
  return_secret text check (length(return_secret) >= 43), -- of a link on the same phone: brings the browser back without the code
  created_at    timestamptz not null
);

create index on sign_in_readings (challenge_id);

alter table sign_in_challenges
  add column place jsonb, -- browser, system and network of the browser that began
  add column reading_id text, -- the reading that was answered
  add column answer_hash bytea, -- of that answer, to recognise its repetition
  add column code_tries int not null default 0,
  add constraint sign_in_challenges_state_check
    check (state in ('new', 'opened', 'fetched', 'signed', 'proved', 'refused', 'canceled', 'mismatched')),
  add constraint sign_in_challenges_proof_check check ((state in ('signed', 'proved')) = (proof is not null)),
  add constraint sign_in_challenges_via_check1 check ((via = 'desktop') = (content is not null)),
  add constraint sign_in_challenges_place_check check ((via = 'phone') = (place is not null));
