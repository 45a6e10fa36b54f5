/** CMS signatures like those of the program. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { joined, toHex } from '@kelisim/signature/asn1/values.ts'
import { digestAlgorithmOf } from '@kelisim/signature/certificates/algorithm-identifier.ts'
import { mergeDetached } from '@kelisim/signature/cms/build.ts'
import {
  allValues,
  cmsOids,
  readSignedData,
  type SignedData,
  type SignerInfo,
} from '@kelisim/signature/cms/signed-data.ts'
import {
  coSign,
  signAttached,
  signDetached,
  signDigest,
  withTimestamp,
  type CmsSigner,
} from '@kelisim/signature/signer/sign-cms.ts'
import { ProgramError } from './prompting/program-error.ts'
import type { Stamp } from './timestamp-service.ts'

export type CmsManner = {
  isAttached: boolean
  /** The input is the digest; its length is not checked. */
  isDigest: boolean
  /** Null: the signature gets no timestamp. */
  stamp: Stamp | null
  signingTime: Date
}

export async function signDocument(
  document: Uint8Array,
  signer: CmsSigner,
  { isAttached, isDigest, stamp, signingTime }: CmsManner,
): Promise<Uint8Array> {
  const earlier = isDigest ? null : signedDataIn(document)
  const cms = await (isDigest
    ? signDigest(document, signer, { signingTime })
    : earlier
      ? beside(document, earlier, signer, isAttached, signingTime)
      : (isAttached ? signAttached : signDetached)(document, signer, { signingTime }))
  if (!stamp) return cms
  const old = new Set(earlier?.signers.map(({ signature }) => toHex(signature)))
  const own = readSignedData(cms).signers.findIndex(({ signature }) => !old.has(toHex(signature)))
  return withTimestamp(cms, own, (signature) => stamp(signature, signer.key.hash))
}

/** Adds a signer to a CMS that already has one: the program does so for any signature that it is given to sign. */
async function beside(
  cms: Uint8Array,
  { content }: SignedData,
  signer: CmsSigner,
  isAttached: boolean,
  signingTime: Date,
): Promise<Uint8Array> {
  if (!content) throw new ProgramError('CMS_NO_ENCAPSULATED_DATA')
  if (isAttached) return coSign(cms, signer, { signingTime })
  return mergeDetached([cms, await signDetached(joined(content), signer, { signingTime })])
}

function signedDataIn(document: Uint8Array): SignedData | null {
  try {
    return readSignedData(document)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

/** Adds a timestamp for each signer that has none yet. */
export async function addTimestamps(cms: Uint8Array, stamp: Stamp): Promise<Uint8Array> {
  const data = signedDataIn(cms)
  if (!data) throw new ProgramError('IllegalArgumentException', 'Malformed content.')
  let stamped = cms
  for (const [i, signer] of data.signers.entries()) {
    const isStamped = allValues(signer.unsignedAttributes, cmsOids.signatureTimestamp).length > 0
    // adding to one signer may change the order of all of them, so each is looked up again
    if (!isStamped)
      stamped = await withTimestamp(stamped, indexOf(stamped, data.signers[i]!), stampFor(signer))
  }
  return stamped

  function stampFor(signer: SignerInfo) {
    const name: HashName | null = digestAlgorithmOf(signer.digestAlgorithm)
    if (!name) throw new ProgramError('UNKNOWN_ALGORITHM')
    return (signature: Uint8Array) => stamp(signature, name)
  }
}

function indexOf(cms: Uint8Array, wanted: SignerInfo): number {
  const value = toHex(wanted.signature)
  return readSignedData(cms).signers.findIndex(({ signature }) => toHex(signature) === value)
}
