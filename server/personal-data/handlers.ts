/** A person downloads all data that is stored about them, and closes their account. */
import { refuse } from '@kelisim/domain/errors.ts'
import { downloadPersonalData, eraseAccount } from '@kelisim/domain/personal-data/contract.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Http } from '../http/open.ts'
import type { Entry } from '../requests/reading/archive-entry.ts'
import { giveArchive, oneAtATime } from '../requests/reading/archive.ts'
import {
  erase,
  findOrganizationsWithOthers,
  findPerson,
  findRowsOf,
  hasSignatureInCheck,
  lockOrganizationsOf,
  lockPerson,
} from './queries.ts'
import { personalTables } from './tables.ts'

export function openPersonalData({ serve, files }: Http): void {
  const limited = oneAtATime()

  files.give(downloadPersonalData, async ({ who, db, now, language }) => {
    const person = await findPerson(db, who.userId)
    const asFile = (name: string, open: () => Promise<string>): Entry => ({
      name,
      at: now,
      isText: true,
      open: async () => ({ bytes: Buffer.from(await open()) }),
    })
    const readme = asFile('README.txt', () =>
      Promise.resolve(textsOf(language, 'options')('personalData.readme')),
    )
    const tables = personalTables.map((one) =>
      asFile(
        `${one.table}.json`,
        async () => `${JSON.stringify(await findRowsOf(db, person, one), null, 2)}\n`,
      ),
    )
    return limited(who.userId, () => giveArchive([readme, ...tables], 'personal-data.zip'))
  })

  serve(eraseAccount, ({ input: { email }, who, now, write }) =>
    write(async (tx) => {
      await lockOrganizationsOf(tx, who.userId)
      await lockPerson(tx, who.userId)
      const person = await findPerson(tx, who.userId)
      if (email.trim().toLowerCase() !== person.email.toLowerCase()) refuse('email-not-own')
      const [name] = await findOrganizationsWithOthers(tx, who.userId)
      if (name !== undefined) refuse('leave-organizations-first', { name })
      if (await hasSignatureInCheck(tx, who.userId)) refuse('signature-being-checked')
      await erase(tx, person, now)
      return {}
    }),
  )
}
