-- The answer of a phone to a document sent without an account, to recognise its repetition.
alter table landing_transactions add column phone_answer_hash bytea;
