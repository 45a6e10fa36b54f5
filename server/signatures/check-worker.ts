/** The worker that checks signatures. It reads documents and lists of revoked certificates itself, by their paths. */
import { parentPort, workerData } from 'node:worker_threads'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature, type SignerExamination } from '@kelisim/signature/examination/examine.ts'
import type { Trust } from '@kelisim/signature/examination/policy.ts'
import type { Crl } from '@kelisim/signature/revocation/crl.ts'
import { warmUp } from '@kelisim/signature/warm-up.ts'
import type { CheckEvidence, CheckJob, CheckResult, CheckSetup, CheckedSigner } from './check-job.ts'
import { evidenceFromServices } from './evidence.ts'
import { filePieces, readWhole } from './file-pieces.ts'
import type { FromWorker, ToWorker } from '../workers/pool.ts'

/** Between the clocks of the services and ours. */
const clockAllowance = 5 * 60 * 1000

const port = parentPort!
const { roots, centres } = workerData as CheckSetup
const trust: Trust = { roots: roots.map(readCertificate), others: centres.map(readCertificate) }

const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>()
let questions = 0

function ask(question: unknown): Promise<unknown> {
  const id = ++questions
  port.postMessage({ question, id } satisfies FromWorker)
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

const evidence = evidenceFromServices(ask)

port.on('message', (message: ToWorker) => {
  if ('job' in message) {
    void work(message.job as CheckJob)
    return
  }
  const asked = waiting.get(message.answerTo)
  waiting.delete(message.answerTo)
  if ('answer' in message) asked?.resolve(message.answer)
  else asked?.reject(new Error(message.failure))
})

async function work(job: CheckJob): Promise<void> {
  try {
    port.postMessage({ result: await check(job) } satisfies FromWorker)
  } catch (error) {
    port.postMessage({ failure: String(error) } satisfies FromWorker)
  }
}

async function check({ signature, document, at, policy }: CheckJob): Promise<CheckResult> {
  const bytes = signature instanceof Uint8Array ? signature : readWhole(signature.path)
  const content = document instanceof Uint8Array ? [document] : document && filePieces(document.path)
  const { findings, signers } = await examineSignature(bytes, content, {
    trust,
    evidence,
    policy,
    at,
    clockAllowance,
  })
  return { faults: findings, signers: signers.map(checkedSigner) }
}

function checkedSigner(signer: SignerExamination): CheckedSigner {
  return {
    faults: signer.findings,
    certificate: signer.certificate && new Uint8Array(signer.certificate.der),
    owner: signer.owner,
    algorithm: signer.algorithm,
    signingTime: signer.signingTime,
    timestampTime: signer.timestampTime,
    evidence: evidenceOf(signer),
  }
}

function evidenceOf({ path, revocation, timestamps }: SignerExamination): CheckEvidence {
  const used = revocation.flatMap(({ by }) => by ?? [])
  const crls = used.filter((one): one is Crl => 'entries' in one)
  // copies: a view would be posted with all the bytes it is a view of
  const copy = (bytes: Uint8Array) => new Uint8Array(bytes)
  return {
    certificates: [...path, ...timestamps.flatMap((timestamp) => timestamp.path)].map(({ der }) => copy(der)),
    ocspResponses: used.filter((one) => !('entries' in one)).map(({ der }) => copy(der)),
    crls: crls.map(({ issuer, number, thisUpdate, nextUpdate }) => ({
      issuer: copy(issuer),
      number: number === null ? null : String(number),
      thisUpdate,
      nextUpdate,
    })),
  }
}

warmUp()
