/**
 * The calls of the public check page: the trusted centres, and a proxy to the centre's OCSP service that forwards only
 * a serial number.
 */
import { randomBytes } from 'node:crypto'
import { askRevocation, getTrust } from '@kelisim/domain/verify/contract.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { isSame, toHex } from '@kelisim/signature/asn1/values.ts'
import { octetString } from '@kelisim/signature/asn1/write.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { ocspOids, ocspRequest, readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import type { Http } from '../http/open.ts'
import type { Centre } from '../signatures/outbound/centre.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { createFreshCache } from '../signatures/outbound/fresh-cache.ts'
import type { TrustedCertificates } from '../signatures/trust.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { createVisitorTurns } from './visitor-turns.ts'

export type VerifyServices = {
  trust: TrustedCertificates
  askOcsp: Centre['askOcsp']
  /** The OCSP service for a certificate known only by its number; undefined: the one its issuer names. */
  ocspUrl: URL | undefined
}

/** Responses are cached, so that many readers of one document cause one OCSP request. */
const keptFor = minute
const kept = { maxBytes: 8 * 1024 * 1024, maxEntries: 2000 }
/** Anonymous requests must not block the OCSP service for people who sign, nor one visitor block the others. */
const turns = { atOnce: 8, ofOneAtOnce: 4, ofOneWaiting: 20 }

export function openVerify(
  { serve, clock }: Http,
  { services, isDemo }: { services: VerifyServices | undefined; isDemo: boolean },
): void {
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64')
  const trusted = services && {
    roots: services.trust.roots.map(base64),
    centres: services.trust.centres.map(base64),
    isDemo,
  }
  serve(getTrust, async () => trusted ?? refuse('service-unavailable'))

  const ask = services && openAsking(services, clock)
  serve(askRevocation, async ({ input, address }) => {
    if (!ask) refuse('service-unavailable')
    const response = await ask(input.issuer, input.serialNumber, networkOf(address))
    return { ocspResponse: response && base64(response) }
  })
}

type AskOcsp = (issuer: string, serialNumber: string, visitor: string) => Promise<Uint8Array | null>

function openAsking({ trust, askOcsp, ocspUrl }: VerifyServices, clock: () => Date): AskOcsp {
  const known = new Map(
    [...trust.roots, ...trust.centres].map((der) => [toHex(hash('sha-256', der)), readCertificate(der)]),
  )
  const cache = createFreshCache({ ...kept, clock })
  const { mayAsk, run } = createVisitorTurns(turns)

  async function asked(issuer: Certificate, serial: Uint8Array): Promise<Uint8Array> {
    const nonce = randomBytes(16)
    const request = ocspRequest({ certificate: { serial }, issuer, nonce })
    const ocsp = [...(ocspUrl ? [ocspUrl.href] : []), ...addressesOf(issuer).ocsp]
    const response = await askOcsp(request, { isChainTrusted: true, ocsp, crl: [] })
    // A replayed response has another nonce. Everything else is verified by the browser.
    if (!isAnswerTo(response, nonce)) throw new OutboundFailure('bad-answer', 'OCSP', 'not to our question')
    return response
  }

  return async (issuerHash, serialNumber, visitor) => {
    const issuer = known.get(issuerHash)
    if (!issuer || !mayAsk(visitor)) return null
    try {
      const { bytes } = await cache.read(`${issuerHash} ${serialNumber}`, async () => ({
        bytes: await run(visitor, () => asked(issuer, Buffer.from(serialNumber, 'hex'))),
        freshUntil: new Date(clock().getTime() + keptFor),
      }))
      return bytes
    } catch (error) {
      if (error instanceof OutboundFailure) return null
      throw error
    }
  }
}

function isAnswerTo(response: Uint8Array, nonce: Uint8Array): boolean {
  try {
    const answered = readOcspResponse(response).basic?.extensions.get(ocspOids.nonce)
    return answered !== undefined && isSame(answered.value, octetString(nonce))
  } catch (error) {
    if (error instanceof MalformedError) return false
    throw error
  }
}
