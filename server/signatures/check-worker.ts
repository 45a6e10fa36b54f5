/** The worker that checks signatures. It reads documents and CRLs itself, by their paths. */
import { parentPort, workerData } from 'node:worker_threads'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import type { Trust } from '@kelisim/signature/examination/policy.ts'
import { warmUp } from '@kelisim/signature/warm-up.ts'
import type { CheckJob, CheckResult, CheckSetup } from './check-job.ts'
import { checkedSigner } from './checked-signer.ts'
import { evidenceFromServices } from './evidence.ts'
import { filePieces, readWhole } from './file-pieces.ts'
import type { FromWorker, ToWorker } from '../workers/pool.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'

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

warmUp()
