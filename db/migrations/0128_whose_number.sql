-- expands: two columns; an older version links numbers as before, and they stay as it linked them
-- A number that was linked to an account by its password goes with a reset: whoever knew the password may have linked their own key.
alter table sign_in_accounts add column iin_linked_at timestamptz;

-- Whether the sign-in service told the number. One that was proved in the application is not replaced by what the service tells.
alter table users add column is_iin_from_sign_in boolean not null default false;
update users u set is_iin_from_sign_in = true
from sign_in_accounts a where u.issuer = 'embedded' and u.subject = a.id::text and u.iin = a.iin;
