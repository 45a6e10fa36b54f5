/** The keys of the demo: .p12 files in one folder, with their owners. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ncaProfile, type NcaRole } from '@kelisim/signature/certificates/nca-profile.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'

export type KeyFile = {
  name: string
  /** Null if the owner cannot be read without the file's own password. */
  owner: KeyOwner | null
}

export type KeyOwner = {
  person: string
  iin: string | null
  organization: string | null
  bin: string | null
  roles: readonly NcaRole[]
  algorithm: string
  use: 'signature' | 'authentication' | 'both' | 'neither'
  notBefore: string
  notAfter: string
}

export type KeyFolder = {
  list: () => Promise<KeyFile[]>
  /** Null if there is no such file. */
  read: (name: string) => Promise<Uint8Array | null>
}

/**
 * Certificates in key files are encrypted, too. The demo's keys share one published password, so their owners can be
 * listed.
 */
export function keyFolder(folder: string | null, sharedPassword: string | null): KeyFolder {
  const known = new Map<string, { modified: number; owner: KeyOwner | null }>()

  async function ownerOf(name: string): Promise<KeyOwner | null> {
    if (folder === null || sharedPassword === null) return null
    const { mtimeMs } = await stat(join(folder, name))
    const before = known.get(name)
    if (before?.modified === mtimeMs) return before.owner
    const owner = await ownerIn(await readFile(join(folder, name)), sharedPassword)
    known.set(name, { modified: mtimeMs, owner })
    return owner
  }

  async function names(): Promise<string[]> {
    if (folder === null) return []
    const all = await readdir(folder).catch(() => [])
    return all.filter((name) => /\.p12$/i.test(name)).toSorted()
  }

  return {
    async list() {
      const files: KeyFile[] = []
      for (const name of await names()) files.push({ name, owner: await ownerOf(name) })
      return files.toSorted(byOwner)
    },
    async read(name) {
      if (folder === null || basename(name) !== name || !(await names()).includes(name)) return null
      return new Uint8Array(await readFile(join(folder, name)))
    },
  }
}

/** Groups the keys of a person, the personal one before those of organisations; keys of unknown owners come last. */
function byOwner({ owner: one }: KeyFile, { owner: other }: KeyFile): number {
  if (!one || !other) return Number(!one) - Number(!other)
  const byOrganization = (one.organization ?? '').localeCompare(other.organization ?? '', 'kk')
  return one.person.localeCompare(other.person, 'kk') || byOrganization
}

async function ownerIn(p12: Uint8Array, password: string): Promise<KeyOwner | null> {
  const opened = await openPkcs12(p12, password)
  if (opened.outcome !== 'opened') return null
  const entry = opened.contents.entries.find(({ certificate }) => certificate)
  if (!entry?.certificate) return null
  const { key, certificate } = entry
  const profile = ncaProfile(certificate)
  return {
    person: [profile.commonName, profile.givenName].filter(Boolean).join(' '),
    iin: profile.iin,
    organization: profile.organization,
    bin: profile.bin,
    roles: profile.roles,
    algorithm: key.kind,
    use: profile.keyUse,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
  }
}
