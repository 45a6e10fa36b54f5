/**
 * Where the OpenID provider keeps its sessions, interactions, codes and tokens: one table of PostgreSQL.
 * The provider reads the system's clock itself, so this file does too.
 */
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { Database, Tx } from '@kelisim/db/db.ts'

export function postgresAdapter({ db, write }: Database): AdapterFactory {
  return (model): Adapter => {
    const rows = () =>
      db.selectFrom('signInPayloads').select(['payload', 'consumedAt']).where('model', '=', model)

    return {
      async upsert(id, payload, expiresIn) {
        const columns = {
          payload: JSON.stringify(payload),
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
        await write((tx) =>
          tx
            .insertInto('signInPayloads')
            .values({ model, id, ...columns, consumedAt: null })
            .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(columns))
            .execute(),
        )
      },

      async find(id) {
        return asPayload(await rows().where('id', '=', id).executeTakeFirst())
      },

      async findByUid(uid) {
        return asPayload(await rows().where('uid', '=', uid).executeTakeFirst())
      },

      async findByUserCode(userCode) {
        return asPayload(await rows().where('userCode', '=', userCode).executeTakeFirst())
      },

      /** Refuses the second of two that use one code at the same moment: the provider looked before either wrote. */
      async consume(id) {
        const { numUpdatedRows } = await write((tx) =>
          tx
            .updateTable('signInPayloads')
            .set({ consumedAt: new Date() })
            .where('model', '=', model)
            .where('id', '=', id)
            .where('consumedAt', 'is', null)
            .executeTakeFirst(),
        )
        if (numUpdatedRows === 0n) throw new errors.InvalidGrant(`${model} already consumed`)
      },

      async destroy(id) {
        await write((tx) =>
          tx.deleteFrom('signInPayloads').where('model', '=', model).where('id', '=', id).execute(),
        )
      },

      async revokeByGrantId(grantId) {
        await write((tx) =>
          tx.deleteFrom('signInPayloads').where('model', '=', model).where('grantId', '=', grantId).execute(),
        )
      },
    }
  }
}

export async function forgetExpiredPayloads(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('signInPayloads').where('expiresAt', '<', now).execute()
}

type Row = { payload: Record<string, unknown>; consumedAt: Date | null }

function asPayload(row: Row | undefined): AdapterPayload | undefined {
  if (!row) return undefined
  return row.consumedAt
    ? { ...row.payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) }
    : row.payload
}
