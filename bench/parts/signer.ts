/** A person of the demo who can sign, and documents to sign. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { keyPassword } from '@kelisim/demo/keys.ts'
import { people } from '@kelisim/demo/people.ts'
import { withTable } from '@kelisim/demo/sample-files.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { sessionOf } from './session.ts'

export type SignerSession = { cookie: string; organizationId: string; userId: string }

/** A PDF with content that no page shows, different for each number. */
export function pdfOf(number: number, bytes: number): Buffer {
  const noise = createHash('shake256', { outputLength: bytes / 2 })
    .update(`document ${number}`)
    .digest('hex')
  return withTable('%PDF-1.7\n', [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    `<< /Length ${noise.length} >>\nstream\n${noise}\nendstream`,
  ])
}

/** A member of an organisation, with a key for this organisation. */
export async function someSigner(
  client: pg.Client,
  folder: string,
): Promise<{ session: SignerSession; key: CmsSigner }> {
  const { email, iin } = people[0]!
  const { rows } = await client.query<{ userId: string; organizationId: string; bin: string }>(
    `select u.id as "userId", o.id as "organizationId", o.bin from users u
     join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id where u.email = $1 limit 1`,
    [email],
  )
  const { userId, organizationId, bin } = rows[0]!
  const session = { cookie: await sessionOf(client, userId), organizationId, userId }
  return { session, key: await keyOf(folder, { bin, iin }) }
}

async function keyOf(folder: string, { bin, iin }: { bin: string; iin: string }): Promise<CmsSigner> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.p12'))) {
    const opened = await openPkcs12(readFileSync(join(folder, name)), keyPassword)
    if (opened.outcome !== 'opened') continue
    const [entry] = opened.contents.entries
    if (!entry?.certificate) continue
    const profile = ncaProfile(entry.certificate)
    if (profile.bin === bin && profile.iin === iin) return { key: entry.key, certificate: entry.certificate }
  }
  throw new Error(`no key of ${iin} at ${bin}`)
}
