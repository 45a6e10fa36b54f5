-- People of the embedded sign-in service were kept under its address: at another address nobody was known any more.

update users set issuer = 'embedded' where issuer ~ '^https?://[^/]+/connect$';
update outsiders set issuer = 'embedded' where issuer ~ '^https?://[^/]+/connect$';
