/**
 * Links by which a reader of a letter gets no more of its kind without signing in. A link says whose letters of which kind
 * in which organisation, and is signed by the server: nobody can make one for another.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { notificationKinds, type NotificationKind } from '@kelisim/domain/identity/options.ts'

export type Subscription = { kind: NotificationKind; userId: string; organizationId: string }

export type Unsubscribing = {
  tokenOf: (subscription: Subscription) => string
  /** null: no link of ours. */
  read: (token: string) => Subscription | null
}

export function unsubscribingWith(key: Buffer): Unsubscribing {
  const macOf = (payload: Buffer) => createHmac('sha256', key).update('unsubscribe ').update(payload).digest()
  return {
    tokenOf({ kind, userId, organizationId }) {
      const payload = Buffer.concat([
        Buffer.from([notificationKinds.indexOf(kind)]),
        bytesOf(userId),
        bytesOf(organizationId),
      ])
      return Buffer.concat([payload, macOf(payload)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      const payload = bytes.subarray(0, payloadLength)
      if (
        bytes.length !== payloadLength + 32 ||
        !timingSafeEqual(bytes.subarray(payloadLength), macOf(payload))
      ) {
        return null
      }
      const kind = notificationKinds[payload[0]!]
      if (!kind) return null
      return { kind, userId: uuidOf(payload.subarray(1, 17)), organizationId: uuidOf(payload.subarray(17)) }
    },
  }
}

const payloadLength = 1 + 16 + 16

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The same for every process: made by whichever comes first. */
export async function serverKey(database: Database, name: string, now: Date): Promise<Buffer> {
  const find = (db: Pick<Tx, 'selectFrom'>) =>
    db.selectFrom('serverKeys').select('value').where('name', '=', name).executeTakeFirst()
  const known = await find(database.db)
  if (known) return known.value
  return database.write(async (tx) => {
    await tx
      .insertInto('serverKeys')
      .values({ name, value: randomBytes(32), createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await find(tx))!.value
  })
}
