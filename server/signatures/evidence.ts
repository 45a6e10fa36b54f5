/**
 * Revocation evidence from the centre's services, as requested by a worker: OCSP first, because it is current; the CRL
 * where OCSP did not decide. Only certificates of a trusted chain are checked, so the addresses in them are the
 * centre's own.
 */
import { randomUUID } from 'node:crypto'
import { renameSync, statSync, writeFileSync } from 'node:fs'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { checkSigned } from '@kelisim/signature/certificates/signed-by.ts'
import type { Evidence, EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { revokedByOcsp } from '@kelisim/signature/revocation/by-ocsp.ts'
import { readCrl, readSignedList, type Crl } from '@kelisim/signature/revocation/crl.ts'
import { ocspRequest, readOcspResponse, type BasicOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import type { CrlAnswer, OcspAnswer, Question } from './check-job.ts'
import { readWhole } from './file-pieces.ts'

type Ask = (question: Question) => Promise<unknown>

/** `at`: the time of the check, by the clock of the server; responses must be current then. */
export function evidenceFromServices(ask: Ask): (at: Date) => EvidenceSource {
  const lists = openLists()
  return (at) => async (certificate, issuer) => {
    const addresses = addressesOf(certificate)
    const byOcsp = await askOcsp(ask, certificate, issuer, { addresses: addresses.ocsp, at })
    if (byOcsp.ocsp.length > 0) return byOcsp
    const { paths, isUnreachable } = (await ask({ kind: 'crl', addresses: addresses.crl })) as CrlAnswer
    const crls = await Promise.all(paths.map((path) => lists(path, issuer)))
    return {
      ocsp: [],
      crls: crls.flat(),
      unreachable: [...(byOcsp.unreachable ?? []), ...(isUnreachable ? (['crl'] as const) : [])],
    }
  }
}

const nonceLength = 16

/** A response counts only if it decides; one replayed by an intermediary lacks the nonce of the request. */
async function askOcsp(
  ask: Ask,
  certificate: Certificate,
  issuer: Certificate,
  { addresses, at }: { addresses: string[]; at: Date },
): Promise<Evidence> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
  const request = ocspRequest({ certificate, issuer, nonce })
  const answer = (await ask({ kind: 'ocsp', request, addresses })) as OcspAnswer
  if ('isUnasked' in answer) return { ocsp: [], crls: [] }
  const response = 'response' in answer ? basicOf(answer.response) : null
  if (!response) return { ocsp: [], crls: [], unreachable: ['ocsp'] }
  const demands = { at, nonce, isNonceRequired: true }
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

/**
 * CRLs by path, indexed once for as long as the file is the same. They come over plain HTTP, so each one's signature is
 * verified first; and the newest authentic one is kept beside it, because an attacker in between may substitute an
 * older one or garbage.
 */
function openLists(): (path: string, issuer: Certificate) => Promise<Crl[]> {
  const known = new Map<string, { version: string; crl: Crl | null }>()

  async function listAt(path: string, issuer: Certificate): Promise<Crl | null> {
    const file = statSync(path, { throwIfNoEntry: false })
    if (!file) return null
    const version = `${file.mtimeMs} ${file.size} ${toHex(hash('sha-256', issuer.publicKey.der))}`
    const there = known.get(path)
    if (there?.version === version) return there.crl
    const crl = await authentic(readWhole(path), issuer)
    known.set(path, { version, crl })
    return crl
  }

  return async (path, issuer) => {
    const kept = `${path}.kept`
    const [fetched, before] = [await listAt(path, issuer), await listAt(kept, issuer)]
    if (fetched && (!before || before.thisUpdate < fetched.thisUpdate)) keep(fetched, kept)
    return [fetched, before].filter((crl) => crl !== null)
  }
}

/** Null if the centre did not sign the list, or it cannot be read. */
async function authentic(bytes: Uint8Array, issuer: Certificate): Promise<Crl | null> {
  try {
    const outcome = await checkSigned(readSignedList(bytes), issuer.publicKey)
    return outcome === 'valid' ? readCrl(bytes) : null
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

/** Replaces the file atomically, because others may be reading it. */
function keep({ der }: Crl, path: string): void {
  const unfinished = `${path}.${randomUUID()}.part`
  writeFileSync(unfinished, der)
  renameSync(unfinished, path)
}
