/** Names of contractors from an external directory, which is asked once a day for each number. */
import * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { line } from '@kelisim/domain/fields.ts'
import { isPersonNumber } from '@kelisim/domain/numbers.ts'
import { createOutboundCaller, outboundLimits, type OutboundCaller } from '../signatures/outbound/call.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { serviceOf } from '../signatures/outbound/target.ts'
import { findReceiver, type ReceiverRow } from './receiver-queries.ts'
import { findContractorName, keepContractorName } from './contractor-queries.ts'

/** Null if the directory does not know the number. Throws OutboundFailure if it does not respond. */
export type ContractorDirectory = (bin: string) => Promise<string | null>

export type DirectoryConfig = {
  /** `{bin}` is replaced by the number. */
  address: string
  /** host:port of services in our own network. */
  privateHosts: readonly string[]
}

/** One try of three seconds, because a person is waiting. */
const limits = { ...outboundLimits, wholeMs: 3000, attempts: 1 }
const largestAnswer = 64 * 1024

export function openContractorDirectory(
  { address, privateHosts }: DirectoryConfig,
  caller: OutboundCaller = createOutboundCaller({
    known: { configured: new Set([serviceOf(new URL(address))]), private: new Set(privateHosts) },
    limits,
  }),
): ContractorDirectory {
  return async (bin) => {
    const bytes = await caller.call({
      address: address.replaceAll('{bin}', bin),
      method: 'GET',
      accept: 'application/json',
      maxBytes: largestAnswer,
    })
    return nameIn(bytes, serviceOf(new URL(address)))
  }
}

/** Null if the directory does not know the number. Refuses if it does not respond. */
async function askContractorName(directory: ContractorDirectory, bin: string): Promise<string | null> {
  try {
    return await directory(bin)
  } catch (error) {
    if (error instanceof OutboundFailure) refuse('business-analyst-unavailable')
    throw error
  }
}

type LookUp = {
  db: Db
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  now: Date
  directory: ContractorDirectory | undefined
}

/**
 * The name of the organisation with this number: confirmed here, or as the directory calls it. Refuses if there is none. A
 * person's number is refused without looking, so that neither the answer nor its time tells whether the person is known.
 */
export async function lookUpContractor(
  { db, write, now, directory }: LookUp,
  bin: string,
): Promise<{ name: string; receiver: ReceiverRow | null }> {
  if (isPersonNumber(bin)) refuse('contractor-not-found', { bin })
  const receiver = await findReceiver(db, bin)
  if (receiver) return { name: receiver.name, receiver }
  let known = await findContractorName(db, bin, now)
  if (!known) {
    // Without a directory the name has to be typed.
    if (!directory) return refuse('contractor-not-found', { bin })
    const name = await askContractorName(directory, bin)
    await write((tx) => keepContractorName(tx, bin, name, now))
    known = { name }
  }
  return { name: known.name ?? refuse('contractor-not-found', { bin }), receiver: null }
}

const Answer = z.object({ name: z.nullable(z.string()) })

/** `{"name": "…"}`; the name is null or empty if the number is unknown. */
function nameIn(bytes: Uint8Array, service: string): string | null {
  const answer = Answer.safeParse(jsonOf(bytes))
  if (!answer.success) throw new OutboundFailure('bad-answer', service)
  const name = line(250).safeParse(answer.data.name?.slice(0, 250) ?? '')
  // A name with control characters is ignored.
  return name.success && name.data !== '' ? name.data : null
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}
