/**
 * Links in e-mails that turn off e-mails of this kind without signing in. A link names the person, the organisation and the
 * kinds, and is signed by the server, so nobody can forge one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import { notificationKinds, type NotificationKind } from '@kelisim/domain/options/options.ts'
import { serverKey } from '../keys/queries.ts'

export type Subscription = {
  /** The kinds of the notices in the e-mail. */
  kinds: readonly NotificationKind[]
  /** Whether the link is in a daily e-mail. */
  isDaily: boolean
  userId: string
  organizationId: string
}

export type Unsubscribing = {
  tokenOf: (subscription: Subscription) => string
  /** Null if the signature is wrong. */
  read: (token: string) => Subscription | null
  /** For people without an account who want no e-mails of a sender. */
  stopTokenOf: (link: StopLink) => string
  /** Null if the signature is wrong. */
  readStop: (token: string) => StopLink | null
}

/** Older links name no organisation. */
export type StopLink = { addressHash: Buffer; organizationId: string | null }

function unsubscribingWith(key: Buffer): Unsubscribing {
  const macOf = (payload: Buffer) => createHmac('sha256', key).update('unsubscribe ').update(payload).digest()
  const stopMacOf = (payload: Buffer) =>
    createHmac('sha256', key).update('stop letters to ').update(payload).digest()
  return {
    stopTokenOf({ addressHash, organizationId }) {
      const payload = Buffer.concat([
        addressHash,
        organizationId === null ? Buffer.alloc(0) : bytesOf(organizationId),
      ])
      return Buffer.concat([payload, stopMacOf(payload)]).toString('base64url')
    },
    readStop(token) {
      const bytes = Buffer.from(token, 'base64url')
      const payload = bytes.subarray(0, -32)
      const isWhole = payload.length === 32 || payload.length === 48
      if (!isWhole || !timingSafeEqual(bytes.subarray(-32), stopMacOf(payload))) return null
      return {
        addressHash: payload.subarray(0, 32),
        organizationId: payload.length === 48 ? uuidOf(payload.subarray(32)) : null,
      }
    },
    tokenOf({ kinds, isDaily, userId, organizationId }) {
      const payload = Buffer.alloc(payloadLength)
      payload.writeUInt16BE(maskOf(kinds) | (isDaily ? dailyBit : 0))
      bytesOf(userId).copy(payload, 2)
      bytesOf(organizationId).copy(payload, 18)
      return Buffer.concat([payload, macOf(payload)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      const payload = bytes.subarray(0, payloadLength)
      const mac = bytes.subarray(payloadLength)
      if (mac.length !== 32 || !timingSafeEqual(mac, macOf(payload))) return null
      const mask = payload.readUInt16BE()
      return {
        kinds: notificationKinds.filter((kind) => (mask & maskOf([kind])) !== 0),
        isDaily: (mask & dailyBit) !== 0,
        userId: uuidOf(payload.subarray(2, 18)),
        organizationId: uuidOf(payload.subarray(18)),
      }
    },
  }
}

const payloadLength = 2 + 16 + 16
const dailyBit = 1 << 15

/** Kinds are never taken away and new ones come last: an old link stays what it was. */
function maskOf(kinds: readonly NotificationKind[]): number {
  return kinds.reduce((mask, kind) => mask | (1 << notificationKinds.indexOf(kind)), 0)
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Asked for when the first link is made or read; the key is the same for every process. */
export function openUnsubscribing(database: Database, clock: () => Date): () => Promise<Unsubscribing> {
  let opened: Promise<Unsubscribing> | undefined
  const open = async () => unsubscribingWith(await serverKey(database, 'unsubscribe', clock()))
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
}
