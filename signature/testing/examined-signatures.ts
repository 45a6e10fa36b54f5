/** For tests: a document, valid signatures, and helpers that spoil them. */
import { expect } from 'vitest'
import { constructed } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { element, integer, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { cmsOids } from '../cms/signed-data.ts'
import { signAttached, signDetached } from '../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn } from './nation.ts'
import { examineSignature, type Examination } from '../examination/examine.ts'
import type { Finding } from '../findings/findings.ts'
import type { Setting } from '../examination/policy.ts'

export const document = new TextEncoder().encode('Келісімшарт № 1')
export const other = new TextEncoder().encode('Келісімшарт № 2')
export const options = { signingTime: signedOn }

export const nation = await foundNation('gost-kz-512')
export const stranger = await foundNation('gost-kz-512', 'Stranger')
export const { person } = nation
export const detached = await signDetached(document, person, options)
export const attached = await signAttached(document, person, options)

export async function examined(
  signature: Uint8Array,
  content: Uint8Array | null = document,
  setting: Setting = settingIn(nation),
): Promise<Examination> {
  return examineSignature(signature, content && [content], setting)
}

/** All findings about the container and the signers. */
export async function found(...args: Parameters<typeof examined>): Promise<Finding[]> {
  const { findings, signers } = await examined(...args)
  return [...new Set([...findings, ...signers.flatMap((signer) => signer.findings)])]
}

/** Replaces the first occurrence of some bytes by others. */
export function replaced(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const at = bytes.findIndex((_, i) => from.every((byte, j) => bytes[i + j] === byte))
  expect(at).toBeGreaterThanOrEqual(0)
  return joined([bytes.subarray(0, at), to, bytes.subarray(at + from.length)])
}

export const flipped = (bytes: Uint8Array, at = bytes.length >> 1) =>
  bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

/** A SignedData assembled by hand, so that it can be wrong in one respect. */
export function assembled(
  infos: readonly Uint8Array[],
  {
    content,
    certificates = [person.certificate.der],
    digests = [person.key.digestAlgorithm],
    type = cmsOids.data,
    version = type === cmsOids.data ? 1 : 3,
    revocation,
  }: {
    content?: Uint8Array
    certificates?: Uint8Array[]
    digests?: Uint8Array[]
    type?: string
    version?: number
    revocation?: Uint8Array
  } = {},
): Uint8Array {
  const encapsulated = sequence(
    oid(type),
    ...(content ? [element(constructed(0), octetString(content))] : []),
  )
  return sequence(
    oid(cmsOids.signedData),
    element(
      constructed(0),
      sequence(
        integer(version),
        setOf(digests),
        encapsulated,
        ...(certificates.length > 0 ? [setOf(certificates, constructed(0))] : []),
        ...(revocation ? [revocation] : []),
        setOf(infos),
      ),
    ),
  )
}
