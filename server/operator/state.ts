/** What the operator's page, the commands and the metrics report, each query in one place. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { addDays } from '@kelisim/domain/subscriptions/turns.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import { crlHeaderLength, readCrlHeader } from '@kelisim/signature/revocation/crl-header.ts'
import type { Storage } from '../documents/storage/storage.ts'
import { readStart } from '../signatures/file-pieces.ts'
import { readTrust } from '../signatures/trust.ts'

const day = 24 * 60 * 60 * 1000

/** Delivered ones are counted for one day only: there may be millions. */
export async function countMails(db: Db, now: Date) {
  const notSent = await db
    .selectFrom('mails')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '<>', 'sent')
    .groupBy('state')
    .execute()
  const sent = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'sent')
    // Ids are ordered by time.
    .where('id', '>=', newId(now.getTime() - day))
    .executeTakeFirstOrThrow()
  return [{ state: 'sent' as const, count: sent.count }, ...notSent]
}

export async function measureStorage(db: Db, storage: Storage) {
  const { files, bytes } = await db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      eb.fn.coalesce(eb.fn.sum<number>('size'), eb.val(0)).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { files, bytes, freeBytes: await storage.freeBytes().catch(() => null) }
}

export function findBackups(db: Db, count: number) {
  return db.selectFrom('backups').selectAll().orderBy('endedAt', 'desc').limit(count).execute()
}

/** When the last successful backup began; what happened after that is not in it. */
export async function lastGoodBackup(db: Db): Promise<Date | null> {
  const last = await db
    .selectFrom('backups')
    .select('beganAt')
    .where('failure', 'is', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.beganAt ?? null
}

const soonDays = 30

export async function findSubscriptionTurns(db: Db, now: Date) {
  const today = dateInAlmaty(now)
  const found = await db
    .selectFrom('subscriptions as s')
    .innerJoin('organizations as o', 'o.id', 's.organizationId')
    .select(['o.shortName as organization', 'o.bin', 's.nameKey as tariff', 's.startDate', 's.endDate'])
    .where((eb) =>
      eb.or([eb('s.startDate', '>', today), eb.between('s.endDate', today, addDays(today, soonDays))]),
    )
    .orderBy('s.endDate')
    .limit(200)
    .execute()
  return {
    ending: found.filter(({ startDate }) => startDate <= today),
    pending: found.filter(({ startDate }) => startDate > today),
  }
}

/** Roots and intermediate centres, the next to expire first. */
export function findCertificates(trustRootsDir: string | undefined, now: Date) {
  if (trustRootsDir === undefined) return []
  const { roots, centres } = readTrust(trustRootsDir)
  return [...roots, ...centres]
    .map((der, i) => {
      const { subject, notAfter } = readCertificate(der)
      const daysLeft = Math.floor((notAfter.getTime() - now.getTime()) / day)
      return { subject: nameText(subject), isRoot: i < roots.length, validTo: notAfter, daysLeft }
    })
    .toSorted((one, other) => Number(one.validTo) - Number(other.validTo))
}

/** The CRLs in the data folder of this machine. */
export async function findRevocationLists(dataDir: string) {
  const folder = join(dataDir, 'crl')
  const names = await readdir(folder).catch(() => [])
  const lists = await Promise.all(
    names.filter((name) => name.endsWith('.crl')).map((name) => readList(join(folder, name))),
  )
  return lists.filter((list) => list !== null)
}

async function readList(path: string) {
  try {
    const { mtime } = await stat(path)
    const { start, size } = await readStart(path, crlHeaderLength)
    const { issuer, thisUpdate, nextUpdate } = readCrlHeader(start, size)
    return { issuer: nameText(issuer), fetchedAt: mtime, nextUpdate: nextUpdate ?? thisUpdate, bytes: size }
  } catch {
    return null // being replaced, or not a CRL: the next check downloads it again
  }
}

export function findRevokedBefore(db: Db) {
  return db
    .selectFrom('signatureRechecks as c')
    .innerJoin('requestSignatures as s', 's.id', 'c.signatureId')
    .select(['s.requestId', 'c.signatureId', 'c.revokedAt', 'c.checkedAt'])
    .where('c.outcome', '=', 'revoked-before')
    .orderBy('c.checkedAt', 'desc')
    .limit(50)
    .execute()
}

export async function findActs(db: Db, { skip, take }: { skip: number; take: number }) {
  const items = await db
    .selectFrom('operatorActs as a')
    .leftJoin('users as u', 'u.id', 'a.by')
    .select(['a.id', 'a.at', 'a.type', 'a.details', 'u.fullName as by'])
    .orderBy('a.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom('operatorActs')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}
