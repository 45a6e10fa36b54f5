/**
 * Stores the OpenID provider's sessions, interactions, codes and tokens in one table of PostgreSQL. The provider reads
 * the system's clock itself, so this file does too.
 *
 * Two things the library leaves to us. What a browser or an application presents to get access is stored as SHA-256
 * only. And the library saves a session at the end of every request, also of one that began before the session was
 * ended: so the row of an ended session stays, emptied, and is not overwritten.
 */
import { createHash } from 'node:crypto'
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { Database, Db } from '@kelisim/db/db.ts'
import { findAccountById } from '../accounts/account-queries.ts'
import { isLoginCurrent } from './login-time.ts'
import {
  deletePayload,
  deletePayloadsOfGrant,
  emptySessions,
  findPayload,
  markConsumed,
  savePayload,
} from './payload-queries.ts'
import { findOutsider } from '../accounts/outsider-queries.ts'

export function postgresAdapter({ db, write }: Database): AdapterFactory {
  return (model): Adapter => {
    const find = async (column: 'id' | 'uid' | 'userCode', value: string) => {
      const row = await findPayload(db, model, column, value)
      return row && (await isCurrent(db, model, row.payload)) ? asPayload(row) : undefined
    }

    return {
      async upsert(id, payload, expiresIn) {
        const columns = {
          payload: JSON.stringify(withoutSecrets(id, payload)),
          uid: payload.uid ?? null,
          userCode: payload.userCode ?? null,
          grantId: payload.grantId ?? null,
          accountId: z
            .uuid()
            .nullable()
            .catch(null)
            .parse(payload.accountId ?? null),
          expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        }
        await write((tx) => savePayload(tx, { model, id: storedId(id) }, columns))
      },

      async find(id) {
        const payload = await find('id', storedId(id))
        return payload && withSecrets(id, payload)
      },

      findByUid: (uid) => find('uid', uid),

      findByUserCode: (userCode) => find('userCode', userCode),

      /** Refuses the second of two concurrent uses of one code: the provider reads before either writes. */
      async consume(id) {
        const isConsumed = await write((tx) => markConsumed(tx, model, storedId(id), new Date()))
        if (!isConsumed) throw new errors.InvalidGrant(`${model} already consumed`)
      },

      async destroy(id) {
        await write(async (tx) => {
          if (model === 'Session') return emptySessions(tx, [storedId(id)], new Date())
          await deletePayload(tx, model, storedId(id))
        })
      },

      async revokeByGrantId(grantId) {
        await write((tx) => deletePayloadsOfGrant(tx, model, grantId))
      },
    }
  }
}

export function storedId(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

/** In an interaction the id is also the end of the return address. */
const idPlace = '{id}'

function withoutSecrets(id: string, { jti: _, ...payload }: AdapterPayload): AdapterPayload {
  const { returnTo, session } = payload
  return {
    ...payload,
    ...(returnTo !== undefined && { returnTo: returnTo.replace(id, idPlace) }),
    ...(session !== undefined && { session: { ...session, cookie: '' } }),
  }
}

function withSecrets(id: string, payload: AdapterPayload): AdapterPayload {
  const { returnTo } = payload
  return { ...payload, jti: id, ...(returnTo !== undefined && { returnTo: returnTo.replace(idPlace, id) }) }
}

type Row = { payload: Record<string, unknown>; consumedAt: Date | null }

function asPayload(row: Row): AdapterPayload {
  return row.consumedAt
    ? { ...row.payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) }
    : row.payload
}

/** A session, or a sign-in about to become a session, is valid as long as its login is. */
async function isCurrent(db: Db, model: string, payload: unknown): Promise<boolean> {
  const login = loginIn(model, payload)
  if (!login) return true
  const account = await findAccountById(db, login.accountId)
  if (account) return isLoginCurrent(login.ts, account.sessionsValidFrom)
  return (await findOutsider(db, login.accountId)) !== undefined
}

const Login = z.object({ accountId: z.uuid(), ts: z.number() })
const Session = z.object({ accountId: z.uuid().optional(), loginTs: z.number().default(0) })
const Interaction = z.object({ result: z.object({ login: Login.optional() }).optional() })

function loginIn(model: string, payload: unknown): z.infer<typeof Login> | null {
  if (model === 'Session') {
    const { accountId, loginTs } = Session.parse(payload)
    return accountId === undefined ? null : { accountId, ts: loginTs }
  }
  if (model === 'Interaction') return Interaction.parse(payload).result?.login ?? null
  return null
}
