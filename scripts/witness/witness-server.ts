/**
 * A witness of transparency logs (c2sp.org/tlog-witness): it co-signs a head of a log only if that head continues everything
 * that it has seen of this log before. Whoever rewrites a log cannot get the next head co-signed.
 */
import { sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  cosignatureBytes,
  cosignedText,
  noteLimits,
  signatureLine,
  writeNote,
  writeVerifierKey,
  type VerifierKey,
} from '@kelisim/signature/transparency/note.ts'
import { answerSubmission } from '@kelisim/signature/transparency/witness-protocol.ts'
import { idOf, type KeptHeads } from './kept-heads.ts'

export type WitnessSettings = {
  /** The public key of the witness, as it is published, and its private key. */
  key: VerifierKey
  privateKey: KeyObject
  /** The keys of the logs that are witnessed; the name of a key is that of its log. */
  logs: readonly VerifierKey[]
  heads: KeptHeads
  clock: () => Date
}

type WitnessResponse = { status: number; type?: string; body: string }

export function witnessServer(settings: WitnessSettings): Server {
  // Submissions run one at a time: no other one may come between comparing a head and remembering it.
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    const answered = answerTo(request, settings, (work) => {
      const turn = last.then(work, work)
      last = turn.catch(() => {})
      return turn
    })
    answered.then(
      (answer) => send(response, answer),
      () => send(response, { status: 500, body: 'the witness cannot read or write what it remembers\n' }),
    )
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 5_000
  return server
}

async function answerTo(
  request: IncomingMessage,
  settings: WitnessSettings,
  inTurn: (work: () => Promise<WitnessResponse>) => Promise<WitnessResponse>,
): Promise<WitnessResponse> {
  const { pathname } = new URL(request.url ?? '/', 'http://witness.invalid')
  const { heads, key, logs } = settings
  if (request.method === 'POST' && pathname === '/add-checkpoint') {
    const body = await bodyOf(request)
    return body ? inTurn(() => cosign(body, settings)) : { status: 413, body: '' }
  }
  if (request.method !== 'GET') return { status: 405, body: '' }
  if (pathname === '/') {
    const lines = [writeVerifierKey(key), ...logs.map(({ name }) => `${idOf(name)} ${name}`)]
    return { status: 200, body: lines.map((line) => `${line}\n`).join('') }
  }
  const note = heads.noteOf(pathname.replace(/^\/latest\//, ''))
  return note === undefined ? { status: 404, body: '' } : { status: 200, body: note }
}

async function cosign(body: Uint8Array, settings: WitnessSettings): Promise<WitnessResponse> {
  const { key, privateKey, logs, heads, clock } = settings
  const answer = await answerSubmission(body, {
    keysOf(origin) {
      const keys = logs.filter(({ name }) => name === origin)
      return keys.length > 0 ? keys : undefined
    },
    seenOf: (origin) => heads.seenOf(origin),
  })
  if ('refused' in answer) heads.keepRefused(answer.refused)
  switch (answer.status) {
    case 200: {
      const time = BigInt(Math.floor(clock().getTime() / 1000))
      const signed = sign(null, Buffer.from(cosignedText(answer.text, time)), privateKey)
      const own = { name: key.name, keyId: key.keyId, bytes: cosignatureBytes(time, signed) }
      const { text, ofLog, origin } = answer
      heads.remember(origin, writeNote({ text, signatures: [...ofLog, own] }))
      return { status: 200, body: signatureLine(own) }
    }
    case 409:
      return { status: 409, type: 'text/x.tlog.size', body: `${answer.size}\n` }
    case 400:
    case 403:
    case 404:
    case 422:
      return { status: answer.status, body: '' }
  }
}

/** Null: the body is longer than any submission. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > noteLimits.bytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function send(
  response: ServerResponse,
  { status, type = 'text/plain; charset=utf-8', body }: WitnessResponse,
): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(body)
}
