/** Evidence among the unsigned attributes of a signature (CAdES-T, -LT). Anybody may have added it. */
import {
  elements,
  finish,
  inside,
  MalformedError,
  read,
  tags,
  take,
  takeExplicit,
  type Element,
} from '../asn1/read.ts'
import { allValues, cmsOids, ExcessError, limits, type Attribute } from './signed-data.ts'

export type EmbeddedEvidence = {
  timestamps: Uint8Array[]
  certificates: Uint8Array[]
  crls: Uint8Array[]
  basicOcspResponses: Uint8Array[]
}

export function embeddedEvidence(unsigned: readonly Attribute[]): EmbeddedEvidence {
  const wholes = (oid: string) => allValues(unsigned, oid).map(({ whole }) => whole)
  const evidence: EmbeddedEvidence = {
    timestamps: wholes(cmsOids.signatureTimestamp),
    certificates: wholes(cmsOids.certificateValues).flatMap((value) => row(read(value, tags.sequence))),
    crls: [],
    basicOcspResponses: [],
  }
  for (const value of wholes(cmsOids.revocationValues)) {
    const fields = inside(read(value, tags.sequence))
    const crls = takeExplicit(fields, 0)
    const ocsp = takeExplicit(fields, 1)
    takeExplicit(fields, 2)
    finish(fields)
    if (crls) evidence.crls.push(...row(take(crls, tags.sequence)))
    if (ocsp) evidence.basicOcspResponses.push(...row(take(ocsp, tags.sequence)))
  }
  return evidence
}

function row(list: Element): Uint8Array[] {
  const all = elements(list)
  if (all.length > limits.certificates) throw new ExcessError('Too many')
  return all.map((one) => {
    if (one.tag !== tags.sequence) throw new MalformedError('Not evidence')
    return one.whole
  })
}
