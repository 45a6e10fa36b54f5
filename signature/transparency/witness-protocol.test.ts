import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { writeCheckpoint } from './checkpoint.ts'
import { consistencyRanges, emptyRoot, leafHash, nodeHash, type Range } from './merkle.ts'
import { keyTypes, verifierKey, writeNote } from './note.ts'
import { answerSubmission, readSubmission, writeSubmission, type SeenHead } from './witness-protocol.ts'

const origin = 'log.example'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(12))
const key = verifierKey(origin, keyTypes.ed25519, raw)

function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot()
  if (leaves.length === 1) return leaves[0]!
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}
const leaves = Array.from({ length: 20 }, (_, i) => leafHash(Uint8Array.of(i)))
const rootOf = (size: number) => treeHash(leaves.slice(0, size))
const proofOf = (first: number, second: number) =>
  consistencyRanges(first, second).map(({ start, end }: Range) => treeHash(leaves.slice(start, end)))
const seenAt = (size: number): SeenHead => ({ size, root: rootOf(size) })

function noteOf(size: number, root = rootOf(size), by = privateKey, name = origin): string {
  const text = writeCheckpoint({ origin: name, size: BigInt(size), root, extensions: [] })
  const bytes = new Uint8Array(sign(null, Buffer.from(text), by))
  return writeNote({ text, signatures: [{ name: key.name, keyId: key.keyId, bytes }] })
}

const answer = async (body: string, seen?: SeenHead) =>
  answerSubmission(Buffer.from(body), {
    keysOf: (name) => (name === origin ? [key] : undefined),
    seenOf: () => seen,
  })

describe('a witness', () => {
  test('co-signs a head that continues what it has seen, and the first head that it sees', async () => {
    for (let first = 1; first < 20; first++) {
      for (let second = first; second <= 20; second++) {
        const body = writeSubmission(first, proofOf(first, second), noteOf(second))
        expect(await answer(body, seenAt(first))).toMatchObject({ status: 200, head: { size: second } })
      }
    }
    expect(await answer(writeSubmission(0, [], noteOf(7)))).toMatchObject({ status: 200, origin })
  })

  test('tells its size to a log that does not know it', async () => {
    expect(await answer(writeSubmission(0, [], noteOf(7)), seenAt(5))).toEqual({ status: 409, size: 5 })
    expect(await answer(writeSubmission(3, proofOf(3, 7), noteOf(7)))).toEqual({ status: 409, size: 0 })
  })

  test('refuses a smaller tree', async () => {
    expect(await answer(writeSubmission(9, [], noteOf(7)), seenAt(9))).toEqual({ status: 400 })
  })

  test('calls another tree of the same size a conflict, whatever proof is sent with it', async () => {
    const root = rootOf(6)
    for (const proof of [[], [rootOf(1)]]) {
      const submission = writeSubmission(7, proof, noteOf(7, root))
      expect(await answer(submission, seenAt(7))).toEqual({
        status: 409,
        size: 7,
        refused: { kind: 'conflict', origin, size: 7, root, submission },
      })
    }
  })

  test('calls a larger tree unproven if the proof does not show that it continues what was seen', async () => {
    for (const [proof, root] of [
      [proofOf(5, 9), rootOf(8)],
      [[], rootOf(9)],
      [proofOf(4, 9), rootOf(9)],
    ] as const) {
      const submission = writeSubmission(5, proof, noteOf(9, root))
      expect(await answer(submission, seenAt(5))).toEqual({
        status: 422,
        size: 5,
        refused: { kind: 'unproven', origin, size: 9, root, submission },
      })
    }
  })

  test('keeps no signatures of others with a refused head', async () => {
    const submission = writeSubmission(5, [], noteOf(9))
    const varied = `${submission}— anybody.example AAAAAAE=\n`
    expect(await answer(varied, seenAt(5))).toMatchObject({ refused: { submission } })
  })

  test('holds nothing against a log whose head was sent with a proof that it does not need', async () => {
    expect(await answer(writeSubmission(0, [rootOf(1)], noteOf(7)))).toEqual({ status: 422 })
    expect(await answer(writeSubmission(7, [rootOf(1)], noteOf(7)), seenAt(7))).toEqual({ status: 422 })
  })

  test('refuses other logs and other keys', async () => {
    expect(await answer(writeSubmission(0, [], noteOf(7, rootOf(7), privateKey, 'other')))).toEqual({
      status: 404,
    })
    const stranger = generateKeyPairSync('ed25519').privateKey
    expect(await answer(writeSubmission(0, [], noteOf(7, rootOf(7), stranger)))).toEqual({ status: 403 })
  })

  test.each([
    '',
    'old 0\n',
    `old 00\n\n${noteOf(7)}`,
    `old -1\n\n${noteOf(7)}`,
    `new 0\n\n${noteOf(7)}`,
    `old 0\nAAAA\n\n${noteOf(7)}`,
    `old 0\n${'x'.repeat(44)}\n\n${noteOf(7)}`,
    `old 0\n\n${noteOf(7).slice(0, -1)}`,
    writeSubmission(
      1,
      Array.from({ length: 64 }, () => rootOf(1)),
      noteOf(7),
    ),
  ])('refuses %j as malformed', async (body) => {
    expect(readSubmission(Buffer.from(body))).toBeNull()
    expect(await answer(body)).toEqual({ status: 400 })
  })
})
