/** Import of members: a table is uploaded and looked at, then everybody with a good row is invited in the background. */
import type * as z from 'zod/mini'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  addMemberImport,
  getImportRows,
  getMemberImport,
  removeMemberImport,
  startMemberImport,
  type ImportRow as ImportRowContract,
  type MemberImport,
} from '@kelisim/domain/member-import/contract.ts'
import { columnsOf } from '@kelisim/domain/member-import/rows.ts'
import { receiveUpload } from '../documents/receive-upload.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import { lockOwners } from '../identity/core/membership-queries.ts'
import { tableLimits } from '../tables/table.ts'
import { openTables } from '../tables/tables.ts'
import type { QueueImport } from './inviting.ts'
import { foundImport, mustFind, type FoundImport, type ImportedPerson } from './people.ts'
import { addImport, deleteImport, findImport, hasQueued, queueRows } from './queries.ts'
import { importFiles } from './tables.ts'

export type ImportParts = { storage: Storage; queueImport: QueueImport }

export function openMemberImport(http: Http, { storage, queueImport }: ImportParts): void {
  const { app, serve, files } = http
  const tables = openTables()
  app.addHook('onClose', () => tables.close())
  importFiles(files)

  files.take(addMemberImport, async ({ input, who, now, write, db, file, size }) => {
    const { organizationId } = who.member
    const received = await receiveUpload({ file, size }, storage, tableLimits.bytes)
    try {
      const claimant = { organization: organizationId, person: who.userId }
      const result = await tables.read(received.path, claimant)
      if ('fault' in result)
        return refuse('table-unreadable', { fault: result.fault, names: result.names.join(', ') })
      const { columns, rows } = result.table
      if (columnsOf(columns).email === null) refuse('table-unreadable', { fault: 'no-email', names: '' })
      await write(async (tx) => {
        await lockOwners(tx, organizationId)
        const before = await findImport(tx, organizationId)
        if (before && (await hasQueued(tx, before.id))) refuse('member-import-running')
        if (before) await deleteImport(tx, before.id)
        const about = { organizationId, authorId: who.userId, fileName: input.name, columns }
        await addImport(tx, { id: newId(now.getTime()), ...about, language: 'ru', createdAt: now }, rows)
      })
      return viewOf(await mustFind(db, organizationId, now))
    } finally {
      await received.discard()
    }
  })

  serve(getMemberImport, async ({ who, db, now }) => {
    const found = await foundImport(db, who.member.organizationId, now)
    return { memberImport: found ? viewOf(found) : null }
  })

  serve(getImportRows, async ({ input, who, db, now }) => {
    const { people } = await mustFind(db, who.member.organizationId, now)
    const isShown = ({ kind }: ImportedPerson) =>
      input.only === undefined || kind === input.only || (input.only === 'invited' && kind === 'queued')
    const shown = people.filter(isShown)
    return {
      totalCount: shown.length,
      items: shown.slice(input.skip, input.skip + input.take).map(rowView),
    }
  })

  serve(startMemberImport, async ({ input: { importId, language }, who, db, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      await lockOwners(tx, organizationId)
      const { memberImport, people } = await mustFind(tx, organizationId, now)
      // If another owner has uploaded another table meanwhile, nobody is invited whom the caller has not seen.
      if (memberImport.id !== importId) refuse('member-import-not-found')
      const numbers = people.filter(({ kind }) => kind === 'good').map(({ row }) => row.number)
      if (numbers.length === 0) return
      await queueRows(tx, importId, numbers, { authorId: who.userId, language })
      await queueImport(tx, importId)
    })
    return viewOf(await mustFind(db, organizationId, now))
  })

  serve(removeMemberImport, async ({ who, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      await lockOwners(tx, organizationId)
      const { memberImport, people } = await mustFind(tx, organizationId, now)
      if (people.some(({ kind }) => kind === 'queued') && memberImport.pausedUntil === null)
        refuse('member-import-running')
      await deleteImport(tx, memberImport.id)
    })
    return {}
  })
}

function viewOf({ memberImport, people }: FoundImport): z.input<typeof MemberImport> {
  const count = (kind: ImportedPerson['kind']) => people.filter((one) => one.kind === kind).length
  const queued = count('queued')
  return {
    id: memberImport.id,
    fileName: memberImport.fileName,
    author: memberImport.authorName,
    createdAt: memberImport.createdAt.toISOString(),
    isRunning: queued > 0 && memberImport.pausedUntil === null,
    pausedUntil: memberImport.pausedUntil?.toISOString() ?? null,
    counts: {
      total: people.length,
      good: count('good'),
      bad: count('bad'),
      queued,
      invited: count('invited'),
    },
  }
}

function rowView({ row, person }: ImportedPerson): z.input<typeof ImportRowContract> {
  const { groupIds: _, ...shown } = person
  return { ...shown, state: row.state, failure: row.failure }
}
