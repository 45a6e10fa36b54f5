/** Whose number it is, from a directory outside: asked once a day for each number, and left alone while it is silent. */
import * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { line } from '@kelisim/domain/fields.ts'
import { createOutboundCaller, outboundLimits, type OutboundCaller } from '../signatures/outbound/call.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { serviceOf } from '../signatures/outbound/target.ts'
import { findReceiver, type ReceiverRow } from './receivers.ts'

/** null: it knows no such number. Throws OutsideFailure when it does not answer. */
export type ContractorDirectory = (bin: string) => Promise<string | null>

export type DirectoryConfig = {
  /** `{bin}` in it is the number that is asked for. */
  address: string
  /** host:port of services in our own network. */
  privateHosts: readonly string[]
}

/** A person is waiting: one try of three seconds. */
const limits = { ...outboundLimits, wholeMs: 3000, attempts: 1 }
const largestAnswer = 64 * 1024

export function openDirectory(
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

/** Null: it knows no such number. Refuses while it does not answer, and where there is none. */
async function askContractorName(
  directory: ContractorDirectory | undefined,
  bin: string,
): Promise<string | null> {
  if (!directory) refuse('business-analyst-unavailable')
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

/** The name of the organisation with this number: confirmed here, or as the directory calls it. Refuses if there is none. */
export async function lookUpContractor(
  { db, write, now, directory }: LookUp,
  bin: string,
): Promise<{ name: string; receiver: ReceiverRow | null }> {
  const receiver = await findReceiver(db, bin)
  if (receiver) return { name: receiver.name, receiver }
  let known = await findContractorName(db, bin, now)
  if (!known) {
    const name = await askContractorName(directory, bin)
    await write((tx) => keepContractorName(tx, bin, name, now))
    known = { name }
  }
  return { name: known.name ?? refuse('contractor-not-found', { bin }), receiver: null }
}

const Answer = z.object({ name: z.nullable(z.string()) })

/** `{"name": "…"}`; a null or empty name: no such number. */
function nameIn(bytes: Uint8Array, service: string): string | null {
  const answer = Answer.safeParse(jsonOf(bytes))
  if (!answer.success) throw new OutboundFailure('bad-answer', service)
  const name = line(250).safeParse(answer.data.name?.slice(0, 250) ?? '')
  // What a reader would choke on is no name.
  return name.success && name.data !== '' ? name.data : null
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** undefined: not asked within a day. */
export async function findContractorName(
  db: Db,
  bin: string,
  now: Date,
): Promise<{ name: string | null } | undefined> {
  return db
    .selectFrom('contractorNames')
    .select('name')
    .where('bin', '=', bin)
    .where('askedAt', '>', new Date(now.getTime() - day))
    .executeTakeFirst()
}

/** Keeps the answer, and lets go of those that nobody may use any more. */
async function keepContractorName(tx: Tx, bin: string, name: string | null, askedAt: Date): Promise<void> {
  await tx
    .deleteFrom('contractorNames')
    .where('askedAt', '<', new Date(askedAt.getTime() - day))
    .execute()
  await tx
    .insertInto('contractorNames')
    .values({ bin, name, askedAt })
    .onConflict((conflict) => conflict.column('bin').doUpdateSet({ name, askedAt }))
    .execute()
}
