/**
 * Witnesses of the log (c2sp.org/tlog-witness, decision 055): programs of others that co-sign a head only if it
 * continues all heads that they have seen. They are asked after every head that is signed on schedule, and before
 * making a bundle that needs a new head.
 */
import type { Database } from '@kelisim/db/db.ts'
import { day, second } from '@kelisim/domain/durations.ts'
import {
  isBy,
  noteLimits,
  readNote,
  readSignatureLines,
  signatureLine,
  verifyNoteSignature,
  type VerifierKey,
} from '@kelisim/signature/transparency/note.ts'
import { writeSubmission } from '@kelisim/signature/transparency/witness-protocol.ts'
import { attempt } from '../signatures/outbound/attempt.ts'
import { collect } from '../signatures/outbound/call.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import { resolveName } from '../signatures/outbound/resolve-name.ts'
import { serviceOf } from '../signatures/outbound/target.ts'
import {
  findCheckpoint,
  findCosignedSize,
  findSizeWith,
  findWitnessed,
  noteWitness,
  type KeptCheckpoint,
  type WitnessFailure,
} from './checkpoint-queries.ts'
import { signCheckpoint, wholeNote, type Log } from './checkpoints.ts'
import { keyIdOf } from './heads.ts'
import { findHead, type SignedHead } from './queries.ts'
import { sequence } from './sequencing.ts'
import { consistencyProof } from './tree.ts'

export type Witness = { key: VerifierKey; url: URL }

export type WitnessAnswer = { status: number; body: Uint8Array }

export type Witnessing = {
  witnesses: readonly Witness[]
  /** How many of them must have co-signed before a head is called witnessed. */
  quorum: number
  /** Sends a head to a witness; throws OutboundFailure. */
  submit: (witness: Witness, body: string) => Promise<WitnessAnswer>
}

/** There are no witnesses, so no head is called witnessed. */
export const noWitnesses: Witnessing = {
  witnesses: [],
  quorum: 0,
  submit: async () => ({ status: 404, body: new Uint8Array() }),
}

const limits = { connectMs: 3 * second, wholeMs: 10 * second }

export function submitTo({ url }: Witness, body: string): Promise<WitnessAnswer> {
  return postText(new URL('add-checkpoint', url.href.endsWith('/') ? url : `${url.href}/`), body)
}

/** Posts a text to an address that the operator chose, which may therefore be in the operator's network. */
export async function postText(address: URL, body: string): Promise<WitnessAnswer> {
  const target = { url: address, service: serviceOf(address), mayBePrivate: true }
  const late = new AbortController()
  const isLate = setTimeout(
    () => late.abort(new OutboundFailure('timeout', target.service, 'no answer in time')),
    limits.wholeMs,
  )
  try {
    const question = {
      method: 'POST',
      body: Buffer.from(body),
      contentType: 'text/plain; charset=utf-8',
      isAnyStatusTaken: true,
      maxBytes: noteLimits.bytes,
    } as const
    return await attempt(
      target,
      question,
      async (pieces, status) => ({ status, body: await collect(pieces) }),
      { connectMs: limits.connectMs, signal: late.signal, resolve: resolveName },
    )
  } finally {
    clearTimeout(isLate)
  }
}

/** Signs a head with everything that is committed, and has it co-signed by the witnesses that respond. */
export async function witnessHead(
  database: Database,
  log: Log,
  witnessing: Witnessing,
  now: Date,
): Promise<KeptCheckpoint> {
  const checkpoint = await signCheckpoint(database, log, now)
  await Promise.all(
    witnessing.witnesses.map(async (witness) => {
      const { line, at, failure } = await cosignature(database, witnessing.submit, witness, checkpoint, now)
      await database.write((tx) =>
        noteWitness(tx, { name: witness.key.name, size: checkpoint.size, line, at, failure, now }),
      )
    }),
  )
  return (await findCheckpoint(database.db, checkpoint.size))!
}

export function namesOf({ witnesses }: Witnessing): string[] {
  return witnesses.map(({ key }) => key.name)
}

type Cosigning = { line: string; at: Date; failure: null } | { line: null; at: null; failure: WitnessFailure }

async function cosignature(
  { db }: Database,
  submit: Witnessing['submit'],
  witness: Witness,
  { size, note }: KeptCheckpoint,
  now: Date,
): Promise<Cosigning> {
  const failed = (failure: WitnessFailure): Cosigning => ({ line: null, at: null, failure })
  const ask = async (old: number) =>
    submit(witness, writeSubmission(old, old === 0 ? [] : await consistencyProof(db, old, size), note))
  try {
    let answer = await ask(await findCosignedSize(db, witness.key.name))
    if (answer.status === 409) {
      // The witness has seen another size than is known here: another process asked it, or it forgot.
      const told = Number(Buffer.from(answer.body).toString())
      if (!Number.isSafeInteger(told) || told < 0) return failed('bad-answer')
      if (told > size) return failed('knows-more')
      answer = await ask(told)
    }
    if (answer.status === 409 || answer.status === 422) return failed('contradicts')
    if (answer.status !== 200) return failed(answer.status === 404 ? 'knows-no-such-log' : 'bad-answer')
    return (await lineIn(answer.body, witness.key, note, now)) ?? failed('bad-answer')
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return failed('unreachable')
  }
}

/** No clock is ahead by more than this. */
const furthestAhead = 365 * day

/** Finds the co-signature of this witness over exactly this head; other signatures are ignored. */
async function lineIn(
  body: Uint8Array,
  key: VerifierKey,
  note: string,
  now: Date,
): Promise<Extract<Cosigning, { failure: null }> | null> {
  const { text } = readNote(Buffer.from(note))!
  const signatures = readSignatureLines(Buffer.from(body).toString()) ?? []
  for (const signature of signatures.filter((one) => isBy(one, key))) {
    const verified = await verifyNoteSignature(text, signature, key)
    if (!verified?.isRight || verified.time === null) continue
    const at = new Date(Number(verified.time) * 1000)
    // An impossible time could not be stored, and would delay all other witnesses.
    if (!(at.getTime() < now.getTime() + furthestAhead)) continue
    return { line: signatureLine(signature), at, failure: null }
  }
  return null
}

/**
 * The head that proves the events of a request: the newest witnessed one that contains all of them, else a new one,
 * for which the witnesses are asked at once. `witnessedBy` is empty unless as many witnesses as the quorum have
 * co-signed the head.
 */
export async function provingHead(
  database: Database,
  log: Log,
  witnessing: Witnessing,
  requestId: string,
  now: Date,
): Promise<{ head: SignedHead; note: string; witnessedBy: string[] }> {
  const { db } = database
  await sequence(database)
  const { quorum } = witnessing
  const witnessedFrom = async (size: number) =>
    quorum > 0 ? await findWitnessed(db, namesOf(witnessing), quorum, size) : undefined
  const known = await witnessedFrom(await findSizeWith(db, requestId))
  const before = known && (await findHead(db, known.size))
  // A head signed with a former key would not belong to the log that the bundle names.
  const isOurs = before?.keyId.equals(keyIdOf(log.key))
  const checkpoint = known && isOurs ? known : await witnessHead(database, log, witnessing, now)
  const isWitnessed = (await witnessedFrom(checkpoint.size))?.size === checkpoint.size
  return {
    head: (await findHead(db, checkpoint.size))!,
    note: wholeNote(checkpoint),
    witnessedBy: isWitnessed ? signersOf(checkpoint, witnessing) : [],
  }
}

function signersOf({ lines }: KeptCheckpoint, witnessing: Witnessing): string[] {
  const names = (readSignatureLines(lines.join('')) ?? []).map(({ name }) => name)
  return namesOf(witnessing).filter((name) => names.includes(name))
}
