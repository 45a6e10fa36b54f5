-- Signatures of a campaign that are checked at the same time (decision 095). A version that does not know them lets people confirm with
-- the button where a signature is asked.

-- At the point of a campaign: [{"signatureId", "by"}]. Everywhere else one signature at a time is in pending_signature.
alter table request_points add column checking jsonb not null default '[]' check (jsonb_typeof(checking) = 'array');
