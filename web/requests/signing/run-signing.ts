/**
 * Signing one document or several: load, sign, stamp, send, wait for the check. The outside (the network, the program,
 * the reader of certificates) comes in, so that every way it can go is tried in tests.
 *
 * One key prompt serves all documents. What cannot be signed with the chosen key is left out and said; where nothing is
 * left, nothing is sent.
 */
import { demandOf, signerFaults, type Demand } from '@kelisim/domain/requests/signer.ts'
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import { verdictOf } from '@kelisim/domain/signatures/verdict.ts'
import type { ApiError } from '../../api/api.ts'
import type { DesktopSigner } from '../../signatures/desktop-signer.ts'
import { kindOfPoint, type PointView, type RequestView } from '../shared/request-view.ts'
import type { SignerRead } from './read-signer.ts'

export type Stage = 'load' | 'sign' | 'stamp' | 'send' | 'process' | 'done'
export const stages: readonly Stage[] = ['load', 'sign', 'stamp', 'send', 'process', 'done']

export type SigningTask = { request: RequestView; point: PointView }

export type WrongKey = {
  kind: 'wrong-key'
  demand: Demand
  chosen: { fullName: string; iin: string | null; bin: string | null }
  code: string
}

export type Outcome =
  /** Accepted, or kept while the centre is away. */
  | { kind: 'accepted' | 'checking' }
  | { kind: 'refused'; code: string | null }
  | WrongKey
  /** The second signature is by another key than the first. */
  | { kind: 'other-key' }
  | { kind: 'error'; error: ApiError }

export type Progress = {
  stage: Stage
  /** Bytes, in the stages that move them; of all documents together. */
  done?: number
  total?: number
  isIntact?: boolean
  signedBy?: { fullName: string; number: string }
}

export type Outside = {
  connect: () => Promise<DesktopSigner>
  /** The bytes to sign as base64, compared with what the request says they are. */
  load: (task: SigningTask, onBytes: (count: number) => void) => Promise<string>
  readSigner: () => Promise<(signature: string) => SignerRead | null>
  send: (
    task: SigningTask,
    signed: { signature: string; timestampedSignature?: string },
    onBytes: (count: number, total: number) => void,
  ) => Promise<Outcome>
  locale: string
  /** Of whoever signs. */
  iin: string | null
}

export type SigningRun = {
  tasks: readonly SigningTask[]
  outside: Outside
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** One outcome for each task, in their order. */
export async function runSigning({ tasks, outside, onProgress, signal }: SigningRun): Promise<Outcome[]> {
  const { connect, load, locale } = outside
  onProgress({ stage: 'load' })
  // First, for it takes a person to mend: nobody waits for a long file to hear that the program is not running.
  const program = await unlessAborted(connect(), signal)
  const stop = () => program.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const contents = await loadAll(tasks, load, onProgress, signal)
    onProgress({ stage: 'sign', isIntact: true })
    const plain = await unlessAborted(
      program.signDetached(contents, { withTimestamp: false, locale }),
      signal,
    )
    const readSigner = await outside.readSigner()
    const signers = plain.map(readSigner)
    const wrong = tasks.map((task, i) => wrongKey(task, signers[i] ?? null, outside.iin))
    const signedBy = signers.find((signer) => signer !== null)?.owner
    const isToStamp = (task: SigningTask, i: number) => wrong[i] === null && task.request.isTimestampRequired
    const toStamp = tasks.flatMap((task, i) => (isToStamp(task, i) ? [i] : []))
    let stamped = new Map<number, string>()
    if (toStamp.length > 0) {
      onProgress({ stage: 'stamp', ...(signedBy && { signedBy: shortly(signedBy) }) })
      const again = await unlessAborted(
        program.signDetached(
          toStamp.map((i) => contents[i]!),
          { withTimestamp: true, locale },
        ),
        signal,
      )
      stamped = new Map(toStamp.map((i, place) => [i, again[place]!]))
    }
    const outcomes: Outcome[] = []
    for (const [i, task] of tasks.entries()) {
      const timestampedSignature = stamped.get(i)
      const isOther =
        timestampedSignature !== undefined &&
        readSigner(timestampedSignature)?.certificate !== signers[i]?.certificate
      if (wrong[i]) outcomes.push(wrong[i])
      else if (isOther) outcomes.push({ kind: 'other-key' })
      else {
        signal.throwIfAborted()
        outcomes.push(await sendOne(task, plain[i]!, timestampedSignature))
      }
    }
    return outcomes

    async function sendOne(task: SigningTask, signature: string, timestampedSignature: string | undefined) {
      const by = signedBy && { signedBy: shortly(signedBy) }
      onProgress({ stage: 'send', ...by })
      return outside.send(
        task,
        { signature, ...(timestampedSignature !== undefined && { timestampedSignature }) },
        (done, total) => onProgress({ stage: done < total ? 'send' : 'process', done, total, ...by }),
      )
    }
  } finally {
    signal.removeEventListener('abort', stop)
    program.close()
  }
}

async function loadAll(
  tasks: readonly SigningTask[],
  load: Outside['load'],
  onProgress: SigningRun['onProgress'],
  signal: AbortSignal,
): Promise<string[]> {
  const total = tasks.reduce((sum, { request }) => sum + request.document.size, 0)
  const contents: string[] = []
  let before = 0
  for (const task of tasks) {
    let own = 0
    const content = await unlessAborted(
      load(task, (count) => {
        own = count
        onProgress({ stage: 'load', done: before + own, total })
      }),
      signal,
    )
    before += own
    contents.push(content)
  }
  return contents
}

/** Which number is needed and which was chosen; null where the key fits, or only the server can tell. */
function wrongKey({ point }: SigningTask, signer: SignerRead | null, iin: string | null): WrongKey | null {
  if (!signer) return null
  const demand = demandOf({ type: kindOfPoint(point), bin: point.bin }, { iin })
  const [fault] = signerFaults(signer.owner, demand)
  if (!fault) return null
  const { owner } = signer
  return {
    kind: 'wrong-key',
    demand,
    chosen: { fullName: fullNameOf(owner), iin: owner.iin, bin: owner.bin },
    code: verdictOf(fault).code!,
  }
}

function shortly(owner: CertificateOwner): { fullName: string; number: string } {
  return { fullName: fullNameOf(owner), number: owner.bin ?? owner.iin ?? '' }
}

/** The program has no way to be told to stop: its answer is no longer waited for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
