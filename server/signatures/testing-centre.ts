/**
 * For tests: a certification centre whose services answer, are slow, are down or lie, in place of the network.
 * Everything behind the network is the real product: the requests, the verification of responses, and the engine.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { isSame } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import type { EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { certIdOf } from '@kelisim/signature/revocation/ocsp.ts'
import { answerOcsp, readOcspRequest } from '@kelisim/signature/signer/ocsp-responder.ts'
import { withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import {
  stamp,
  readTimestampRequest,
  timestampResponse,
} from '@kelisim/signature/signer/timestamp-authority.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'
import type { Nation } from '@kelisim/signature/testing/nation.ts'
import { day, hour } from '@kelisim/domain/durations.ts'
import type { SignatureChecks } from './check.ts'
import type { CrlAnswer, OcspAnswer, Question } from './check-job.ts'
import { checkedSigner } from './checked-signer.ts'
import { evidenceFromServices } from './evidence.ts'

export const conditions = ['answers', 'slow', 'down', 'lies'] as const
export type Condition = (typeof conditions)[number]

/**
 * Each lie is signed by the wrong key, about something else, too old, or not a response at all; some of them say
 * "revoked".
 */
export const lies = {
  ocsp: ['by a stranger: good', 'by a stranger: revoked', 'about another', 'old', 'replayed', 'garbage'],
  crl: ['by a stranger: good', 'by a stranger: revoked', 'old', 'garbage'],
  tsp: ['by a stranger', 'on something else'],
} as const
type Lies = { [S in keyof typeof lies]: (typeof lies)[S][number] }

export type TestCentre = ReturnType<typeof openTestCentre>

export function openTestCentre(nation: Nation, stranger: Nation, clock: () => Date) {
  const state: Record<keyof Lies, Condition> = { ocsp: 'answers', crl: 'answers', tsp: 'answers' }
  const lie: Lies = { ocsp: 'by a stranger: good', crl: 'by a stranger: good', tsp: 'by a stranger' }
  let folder = temporaryFolder()
  let slow = Promise.withResolvers<void>()
  let held = Promise.withResolvers<void>()
  const sources = () => ({
    ofRoot: evidenceFromServices(askRoot),
    ofCentre: evidenceFromServices(ask),
  })
  let evidence = sources()

  /** Waits while the service is slow, then returns how it behaves. */
  async function passed(service: keyof Lies): Promise<Exclude<Condition, 'slow'>> {
    const condition = state[service]
    if (condition !== 'slow') return condition
    held.resolve()
    await slow.promise
    return 'answers'
  }

  async function ask(question: Question): Promise<OcspAnswer | CrlAnswer> {
    if (question.kind === 'ocsp') {
      const condition = await passed('ocsp')
      return condition === 'down'
        ? { isUnreachable: true }
        : { response: await ocsp(question.request, condition) }
    }
    const condition = await passed('crl')
    if (condition === 'down') return { paths: [], isUnreachable: true }
    const path = join(folder, 'centre.crl')
    writeFileSync(path, await list(condition))
    return { paths: [path], isUnreachable: false }
  }

  /** The root's list is valid for months and is already on disk; the root has no OCSP. */
  async function askRoot(question: Question): Promise<OcspAnswer | CrlAnswer> {
    if (question.kind === 'ocsp') return { isUnasked: true }
    const path = join(folder, 'root.crl')
    const published = new Date(clock().getTime() - 30 * day)
    writeFileSync(path, (await nation.crl([], published, nation.rootParty, 365 * day)).der)
    return { paths: [path], isUnreachable: false }
  }

  async function ocsp(request: Uint8Array, condition: 'answers' | 'lies'): Promise<Uint8Array> {
    const { questions, nonce } = readOcspRequest(request)
    const told = condition === 'lies' ? lie.ocsp : null
    if (told === 'garbage') return Buffer.from('<html>502 Bad Gateway</html>')
    const at = told === 'old' ? new Date(clock().getTime() - 30 * day) : clock()
    const by = told?.startsWith('by a stranger') ? stranger.responder : nation.responder
    const another = certIdOf(nation.person.certificate.serial, nation.centre, 'sha-256')
    return answerOcsp({
      responder: { subject: nation.responder.certificate.subject, keys: by.key },
      producedAt: at,
      answers: questions.map(({ der }) => ({
        question: told === 'about another' ? another : der,
        status: told === 'by a stranger: revoked' ? { revokedAt: new Date(at.getTime() - hour) } : 'good',
        thisUpdate: at,
        nextUpdate: new Date(at.getTime() + hour),
      })),
      nonce: told === 'replayed' ? null : nonce,
      certificates: [by.certificate.der],
    })
  }

  async function list(condition: 'answers' | 'lies'): Promise<Uint8Array> {
    const told = condition === 'lies' ? lie.crl : null
    if (told === 'garbage') return Buffer.from('<html>502 Bad Gateway</html>')
    const at = told === 'old' ? new Date(clock().getTime() - 30 * day) : clock()
    const isByStranger = told?.startsWith('by a stranger') ?? false
    const revoked =
      told === 'by a stranger: revoked' ? known.map((certificate) => ({ certificate, revokedAt: at })) : []
    const issuer = isByStranger ? { ...nation.centreParty, keys: stranger.person.key } : nation.centreParty
    return (await nation.crl(revoked, at, issuer)).der
  }

  /** The certificates that a lie calls revoked. */
  const known: Certificate[] = []

  const source: EvidenceSource = (certificate, issuer, isProvedGood) => {
    if (!known.includes(certificate)) known.push(certificate)
    const of = isSame(certificate.der, nation.centre.der) ? evidence.ofRoot : evidence.ofCentre
    return of(clock())(certificate, issuer, isProvedGood)
  }

  const check: SignatureChecks['check'] = async ({ signature, document, at, receivedAt = at, policy }) => {
    if (!(signature instanceof Uint8Array) || document === null)
      throw new TypeError('A signature of something')
    const content = document instanceof Uint8Array ? document : readFileSync(document.path)
    const setting = { trust: nation.trust, evidence: source, policy, at, receivedAt, clockAllowance }
    const { findings, signers } = await examineSignature(signature, [content], setting)
    return { faults: findings, signers: signers.map(checkedSigner) }
  }

  return {
    check,
    /** Resolves when a slow service keeps somebody waiting. */
    verdictTimeout: () => held.promise,
    /** What a signing program gets for this signature; null: no timestamp, so that it signs nothing. */
    async stamped(cms: Uint8Array): Promise<Uint8Array | null> {
      if (state.tsp === 'slow' || state.tsp === 'down') return null
      if (state.tsp === 'answers') return withTimestamp(cms, 0, (value) => nation.stamp(value, clock()))
      return lie.tsp === 'by a stranger'
        ? withTimestamp(cms, 0, (value) => stranger.stamp(value, clock()))
        : withTimestamp(cms, 0, (value) => nation.stamp(value.toReversed(), clock()))
    },
    /** What the product gets when it asks for a timestamp itself. */
    async askTimestamp(request: Uint8Array): Promise<Uint8Array> {
      if ((await passed('tsp')) === 'down') throw new Error('the timestamp service is down')
      const by = state.tsp === 'lies' ? stranger.clock : nation.clock
      const asked = readTimestampRequest(request)
      const serial = crypto.getRandomValues(new Uint8Array(8))
      return timestampResponse(
        await stamp({ authority: by, request: asked, policy: asked.policy!, serial, genTime: clock() }),
      )
    },
    /** Sets the conditions from now on; slow services that were asked before stay slow. */
    become(next: Record<keyof Lies, Condition>, told: Partial<Lies> = {}): void {
      Object.assign(state, next)
      Object.assign(lie, told)
      slow = Promise.withResolvers()
      held = Promise.withResolvers()
      // A new folder, so that no list of another test is remembered.
      folder = temporaryFolder()
      evidence = sources()
    },
    /** Lets those who waited for a slow service get their responses. */
    release: () => slow.resolve(),
  }
}
