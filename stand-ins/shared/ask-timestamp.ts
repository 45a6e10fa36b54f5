/** Requests a timestamp (RFC 3161) like the national programs. */
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { isSame } from '@kelisim/signature/asn1/values.ts'
import {
  readTimestampResponse,
  readTimestampToken,
  timestampRequest,
} from '@kelisim/signature/timestamps/timestamp.ts'

const timeout = 10_000

/** Requests a token over the bytes of a signature made with this hash. */
export async function askTimestamp(
  address: string,
  signature: Uint8Array,
  signersHash: HashName,
): Promise<Uint8Array> {
  const isRsa = signersHash.startsWith('sha-')
  // the service has refused the policy of GOST 34.10-2004 since 2025, so signers with such keys use the newer one,
  // too
  const name = isRsa ? 'sha-256' : 'streebog-512'
  const policy = isRsa ? '1.2.398.3.3.2.6.2' : '1.2.398.3.3.2.6.4'
  const imprint = hash(name, signature)
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(
      timestampRequest({ hash: name, imprint, policy, nonce: crypto.getRandomValues(new Uint8Array(8)) }),
    ),
    signal: AbortSignal.timeout(timeout),
  })
  if (!answer.ok || answer.headers.get('content-type') !== 'application/timestamp-reply') {
    throw new MalformedError('Not an answer of a timestamp service')
  }
  const { token } = readTimestampResponse(new Uint8Array(await answer.arrayBuffer()))
  if (!token) throw new MalformedError('Refused')
  if (!isSame(readTimestampToken(token).info.imprint.bytes, imprint)) {
    throw new MalformedError('A stamp on something else')
  }
  return token
}
