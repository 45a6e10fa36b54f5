-- expands: columns are added, and what is written without them has none.
-- The request id of the call that caused an event, so that messages to webhooks and e-mails, which are made of it after the commit,
-- carry it on. It is in no entry of the log.
alter table request_events add column cause text check (length(cause) between 1 and 64);
alter table webhook_deliveries add column cause text;
