/**
 * Evidence of revocation from the centre's services, as a worker asks for it: OCSP first, for it knows the present; the
 * list of revoked certificates where OCSP did not decide.
 *
 * Asked about are only certificates of a chain that was found trusted, so the addresses in them are the centre's own.
 */
import { statSync } from 'node:fs'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import type { Evidence, EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { revokedByOcsp } from '@kelisim/signature/revocation/by-ocsp.ts'
import { readCrl, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { ocspRequest, readOcspResponse, type BasicOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import type { CrlAnswer, OcspAnswer, Question } from './check-job.ts'
import { readWhole } from './file-pieces.ts'

type Ask = (question: Question) => Promise<unknown>

export function evidenceFromServices(ask: Ask): EvidenceSource {
  const lists = openLists()
  return async (certificate, issuer) => {
    const addresses = addressesOf(certificate)
    const byOcsp = await askOcsp(ask, certificate, issuer, addresses.ocsp)
    if (byOcsp.ocsp.length > 0) return byOcsp
    const { paths, isUnreachable } = (await ask({ kind: 'crl', addresses: addresses.crl })) as CrlAnswer
    return {
      ocsp: [],
      crls: paths.flatMap(lists),
      unreachable: [...(byOcsp.unreachable ?? []), ...(isUnreachable ? (['crl'] as const) : [])],
    }
  }
}

const nonceLength = 16

/** An answer counts here if it decides: what was kept ready by someone in between has no nonce of ours. */
async function askOcsp(
  ask: Ask,
  certificate: Certificate,
  issuer: Certificate,
  addresses: string[],
): Promise<Evidence> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
  const request = ocspRequest({ certificate, issuer, nonce })
  const answer = (await ask({ kind: 'ocsp', request, addresses })) as OcspAnswer
  if ('isUnasked' in answer) return { ocsp: [], crls: [] }
  const response = 'response' in answer ? basicOf(answer.response) : null
  if (!response) return { ocsp: [], crls: [], unreachable: ['ocsp'] }
  const demands = { at: new Date(), nonce, isNonceRequired: true }
  const { status } = await revokedByOcsp(certificate, issuer, response, demands)
  return status === 'unknown' ? { ocsp: [], crls: [], unreachable: ['ocsp'] } : { ocsp: [response], crls: [] }
}

function basicOf(response: Uint8Array): BasicOcspResponse | null {
  try {
    return readOcspResponse(response).basic
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

/** Lists by path, indexed once for as long as the file is the same. */
function openLists(): (path: string) => Crl[] {
  const known = new Map<string, { version: string; crl: Crl }>()
  return (path) => {
    const { mtimeMs, size } = statSync(path)
    const version = `${mtimeMs} ${size}`
    const there = known.get(path)
    if (there?.version === version) return [there.crl]
    try {
      const crl = readCrl(readWhole(path))
      known.set(path, { version, crl })
      return [crl]
    } catch (error) {
      known.delete(path)
      if (error instanceof MalformedError) return []
      throw error
    }
  }
}
