/**
 * Links in e-mails that work without signing in: some turn off e-mails, others show the recipient who asks them for
 * what. The content of a link is signed by the server, so nobody can forge one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '@kelisim/db/db.ts'
import { uuidOf } from '@kelisim/db/id.ts'
import { notificationKinds, type NotificationKind } from '@kelisim/domain/options/options.ts'
import { requestEntryPage } from '@kelisim/domain/pages.ts'
import { serverKey } from '../keys/queries.ts'

export type Subscription = {
  /** The kinds of the notices in the e-mail. */
  kinds: readonly NotificationKind[]
  /** Whether the link is in a daily e-mail. */
  isDaily: boolean
  userId: string
  organizationId: string
}

export type SignedLinks = {
  tokenOf: (subscription: Subscription) => string
  /** Null if the signature is wrong. */
  read: (token: string) => Subscription | null
  /** For people without an account who want no e-mails of a sender. */
  stopTokenOf: (link: StopLink) => string
  /** Null if the signature is wrong. */
  readStop: (token: string) => StopLink | null
  /** For people without an account who are asked for something. */
  entryTokenOf: (link: EntryLink) => string
  /** Null if the signature is wrong. */
  readEntry: (token: string) => EntryLink | null
}

/** `organizationId` is null in older links, which name no organisation. */
export type StopLink = { addressHash: Buffer; organizationId: string | null }

/** The request that an e-mail is about, and the number that it is addressed to. */
export type EntryLink = { requestId: string; number: string | null }

function signedLinksWith(key: Buffer): SignedLinks {
  const macOf = (payload: Buffer) => createHmac('sha256', key).update('unsubscribe ').update(payload).digest()
  const stopMacOf = (payload: Buffer) =>
    createHmac('sha256', key).update('stop letters to ').update(payload).digest()
  const entryMacOf = (payload: Buffer) =>
    createHmac('sha256', key).update('entry to request ').update(payload).digest()
  return {
    entryTokenOf({ requestId, number }) {
      const payload = Buffer.concat([bytesOf(requestId), Buffer.from(number ?? '')])
      return Buffer.concat([payload, entryMacOf(payload)]).toString('base64url')
    },
    readEntry(token) {
      const bytes = Buffer.from(token, 'base64url')
      const payload = bytes.subarray(0, -32)
      const isWhole = payload.length === 16 || payload.length === 28
      if (!isWhole || !timingSafeEqual(bytes.subarray(-32), entryMacOf(payload))) return null
      return {
        requestId: uuidOf(payload.subarray(0, 16)),
        number: payload.length === 28 ? payload.subarray(16).toString() : null,
      }
    },
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

/** Kinds are never removed and new ones are added last, so old links keep their meaning. */
function maskOf(kinds: readonly NotificationKind[]): number {
  return kinds.reduce((mask, kind) => mask | (1 << notificationKinds.indexOf(kind)), 0)
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** Loads the key, which all processes share, when the first link is made or read. */
export function openSignedLinks(database: Database, clock: () => Date): () => Promise<SignedLinks> {
  let opened: Promise<SignedLinks> | undefined
  const open = async () => signedLinksWith(await serverKey(database, 'unsubscribe', clock()))
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
}

/** The address where somebody without an account learns who asks them for what, and proves their number. */
export function entryAddress(
  link: EntryLink,
  { publicUrl, signedLinks }: { publicUrl: URL; signedLinks: SignedLinks },
): string {
  return new URL(requestEntryPage({ ...link, emailToken: signedLinks.entryTokenOf(link) }), publicUrl).href
}
