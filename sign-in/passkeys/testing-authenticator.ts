/** For tests: a device with passkeys (ES256) that can also be told to give wrong responses. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What a faulty device, or a page of another site, would send. */
export type Wrong = {
  origin?: string
  siteId?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
  challenge?: string
  type?: string
}

type Credential = { id: Buffer; privateKey: KeyObject; userHandle: string; counter: number }

export function testAuthenticator(origin: string) {
  const siteId = new URL(origin).hostname
  const credentials: Credential[] = []

  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )

  return {
    credentials,

    create(options: { challenge: string; user: { id: string } }, wrong: Wrong = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      const credential = { id: randomBytes(32), privateKey, userHandle: options.user.id, counter: 1 }
      credentials.push(credential)
      const key = map([
        [number(1), number(2)],
        [number(3), number(-7)],
        [number(-1), number(1)],
        [number(-2), bytes(Buffer.from(x, 'base64url'))],
        [number(-3), bytes(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.from([0, credential.id.length])
      const authenticatorData = Buffer.concat([
        head(wrong.siteId ?? siteId, 0x40 | flags(wrong), wrong.counter ?? credential.counter),
        Buffer.alloc(16),
        length,
        credential.id,
        key,
      ])
      const attestationObject = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authenticatorData)],
      ])
      return JSON.stringify({
        id: credential.id.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', options.challenge, wrong).toString('base64url'),
      })
    },

    get(options: { challenge: string }, wrong: Wrong = {}, credential = credentials.at(-1)!) {
      credential.counter += 1
      const authenticatorData = head(
        wrong.siteId ?? siteId,
        flags(wrong),
        wrong.counter ?? credential.counter,
      )
      const clientDataJSON = clientData('webauthn.get', options.challenge, wrong)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return JSON.stringify({
        id: credential.id.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: clientDataJSON.toString('base64url'),
        signature: sign('sha256', signed, credential.privateKey).toString('base64url'),
        userHandle: wrong.userHandle ?? credential.userHandle,
      })
    },
  }
}

export type TestAuthenticator = ReturnType<typeof testAuthenticator>

/** The flags: user present, and user verified unless told otherwise. */
function flags({ isVerified = true }: Wrong): number {
  return isVerified ? 0x05 : 0x01
}

function head(siteId: string, flag: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flag)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(siteId)), rest])
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** CBOR (RFC 8949), as far as a device needs it. */
function item(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count])
  return count < 256
    ? Buffer.from([(kind << 5) | 24, count])
    : Buffer.from([(kind << 5) | 25, count >> 8, count & 255])
}

const number = (value: number) => (value < 0 ? item(1, -1 - value) : item(0, value))
const bytes = (value: Buffer) => Buffer.concat([item(2, value.length), value])
const text = (value: string) => Buffer.concat([item(3, value.length), Buffer.from(value)])
const map = (pairs: [Buffer, Buffer][]) => Buffer.concat([item(5, pairs.length), ...pairs.flat()])
