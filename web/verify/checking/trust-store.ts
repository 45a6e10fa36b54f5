/** Stores in this browser whom the installation trusts, for checks without a network. */
import type { getTrust } from '@kelisim/domain/verify/contract.ts'
import type * as z from 'zod/mini'
import { resultOf, withStore } from './browser-store.ts'

export type KnownTrust = z.output<(typeof getTrust)['result']>
export type KeptTrust = { key: 'trust'; trust: KnownTrust; at: Date }

export async function readKeptTrust(): Promise<KeptTrust | null> {
  const read = withStore('trust', 'readonly', (store) =>
    resultOf(store.get('trust') as IDBRequest<KeptTrust | undefined>),
  )
  return (await read.catch(() => undefined)) ?? null
}

export async function keepTrust(trust: KnownTrust, at: Date): Promise<void> {
  const kept: KeptTrust = { key: 'trust', trust, at }
  await withStore('trust', 'readwrite', (store) => resultOf(store.put(kept))).catch(() => {})
}
