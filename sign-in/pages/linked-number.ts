/** A key that from now on signs in to an account that was there before. Its owner is told: they know whether it is theirs. */
import type { Tx } from '@kelisim/db/db.ts'
import { linkIin, type Account } from '../accounts/account-queries.ts'
import type { Context } from '../http/context.ts'
import { emailOf } from '../http/emails.ts'
import { paths } from '../http/paths.ts'

/** False where the number is another account's, or the account has another number. */
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
