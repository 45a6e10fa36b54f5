/** Links a key to an existing account, for signing in. The owner is told by e-mail, in case the key is not theirs. */
import type { Tx } from '@kelisim/db/db.ts'
import { linkIin, type Account } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import { emailOf } from '../http/emails.ts'
import { paths } from '../http/paths.ts'

/** False if another account has this IIN, or this account has another one. */
export async function linkNumber(
  tx: Tx,
  { queueMail, publicUrl }: Pick<Context, 'queueMail' | 'publicUrl'>,
  account: Account,
  iin: string,
  now: Date,
): Promise<boolean> {
  if (account.iin === iin) return true
  if (!(await linkIin(tx, account.id, iin, now))) return false
  await queueMail(tx, emailOf('keyLinked', account, new URL(paths.forgot, publicUrl)))
  return true
}
