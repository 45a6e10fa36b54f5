/** What the operator's page, commands and metrics report that is not in the database: storage, certificates, CRLs. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import { crlHeaderLength, readCrlHeader } from '@kelisim/signature/revocation/crl-header.ts'
import type { Storage } from '../documents/storage/storage.ts'
import { readStart } from '../signatures/file-pieces.ts'
import { readTrust } from '../signatures/trust.ts'
import { sumFiles } from './queries.ts'

export async function measureStorage(db: Db, storage: Storage) {
  const { files, bytes } = await sumFiles(db)
  return { files, bytes, freeBytes: await storage.freeBytes().catch(() => null) }
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
