/** For tests: a witness in this process, with the rules of the real one. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { ed25519KeyIn } from '@kelisim/signature/algorithms/ed25519.ts'
import {
  cosignatureBytes,
  cosignedText,
  keyTypes,
  signatureLine,
  verifierKey,
  type VerifierKey,
} from '@kelisim/signature/transparency/note.ts'
import { answerSubmission, type SeenHead } from '@kelisim/signature/transparency/witness-protocol.ts'
import type { Witness, WitnessAnswer } from './witnesses.ts'

export type TestWitness = Witness & {
  answer: (body: string) => Promise<WitnessAnswer>
  /** The head that it has seen last. */
  seen: () => SeenHead | undefined
}

export function testWitness(name: string, log: VerifierKey, clock: () => Date): TestWitness {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const key = verifierKey(name, keyTypes.cosignature, new Uint8Array(ed25519KeyIn(spki)))
  let seen: SeenHead | undefined
  return {
    key,
    url: new URL(`http://${name}.invalid/`),
    seen: () => seen,
    async answer(body) {
      const answer = await answerSubmission(Buffer.from(body), {
        keysOf: (origin) => (origin === log.name ? [log] : undefined),
        seenOf: () => seen,
      })
      if (answer.status !== 200) {
        return { status: answer.status, body: Buffer.from('size' in answer ? `${answer.size}\n` : '') }
      }
      seen = answer.head
      const time = BigInt(Math.floor(clock().getTime() / 1000))
      const signed = sign(null, Buffer.from(cosignedText(answer.text, time)), privateKey)
      const bytes = cosignatureBytes(time, signed)
      return { status: 200, body: Buffer.from(signatureLine({ name, keyId: key.keyId, bytes })) }
    },
  }
}

export function submitToTest(witness: Witness, body: string): Promise<WitnessAnswer> {
  return (witness as TestWitness).answer(body)
}
