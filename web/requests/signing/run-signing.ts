/**
 * Signs one document or several: load, sign, timestamp, send, wait for the check. The network, the signing program
 * and the certificate reader are passed in, so that tests cover every course. One key prompt serves all documents.
 * Documents that cannot be signed with the chosen key are skipped and reported; if none is left, nothing is sent.
 */
import { givenKeyOf, type GivenKey } from '@kelisim/domain/points/key-holder.ts'
import { demandOf, signerFaults, type Demand } from '@kelisim/domain/requests/signer.ts'
import { fullNameOf, type CertificateOwner } from '@kelisim/domain/signatures/owner.ts'
import { verdictOf } from '@kelisim/domain/signatures/verdict.ts'
import type { ApiError } from '../../api/api.ts'
import { toBase64 } from '@kelisim/signature/asn1/values.ts'
import { cutSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { SigningError, type DesktopSigner } from '../../signatures/desktop-signer.ts'
import { kindOfPoint, processOfRequest, type PointView, type RequestView } from '../shared/request-view.ts'
import type { SignerRead } from './read-signer.ts'

export type Stage = 'load' | 'sign' | 'stamp' | 'send' | 'process' | 'done'
export const stages: readonly Stage[] = ['load', 'sign', 'stamp', 'send', 'process', 'done']

export type SigningTask = { request: RequestView; point: PointView }

export type WrongKey = {
  kind: 'wrong-key'
  demand: Demand
  chosen: { fullName: string; iin: string | null; bin: string | null; given: GivenKey }
  code: string
}

export type SigningResult =
  /** Accepted, or kept until the certification centre can be reached. */
  | { kind: 'accepted' | 'checking' }
  | { kind: 'refused'; code: string | null }
  | WrongKey
  /** The second signature was made with another key than the first. */
  | { kind: 'other-key' }
  | { kind: 'error'; error: ApiError }

export type Progress = {
  stage: Stage
  /** Bytes of all documents together, in the stages that transfer them. */
  done?: number
  total?: number
  /** Of signatures that are sent one after another: how many have arrived, and how many there are. */
  documents?: { done: number; total: number }
  isIntact?: boolean
  signedBy?: { fullName: string; number: string }
}

/**
 * The content to sign: the document; for a signature inside a PDF the prepared revision; or the text of an XML
 * document.
 */
export type LoadedContent = { base64: string; prepared?: { at: string; sha256: string } } | { xml: string }

export type SignedContent = {
  signature: string
  timestampedSignature?: string
  prepared?: { at: string; sha256: string }
}

export type SignedTask = { task: SigningTask; signed: SignedContent }

export type SigningDependencies = {
  connect: () => Promise<DesktopSigner>
  /** The bytes to sign, after their hash was compared with that of the request. */
  load: (task: SigningTask, onBytes: (count: number) => void) => Promise<LoadedContent>
  readSigner: () => Promise<(signature: string) => SignerRead | null>
  /** Returns a failure as a result instead of throwing, so that the signatures of other documents are still sent. */
  send: (
    task: SigningTask,
    signed: SignedContent,
    onBytes: (count: number, total: number) => void,
  ) => Promise<SigningResult>
  /** For a package that is decided together: sends all signatures in one call; a refusal applies to all of them. */
  sendTogether: (signed: readonly SignedTask[]) => Promise<SigningResult[]>
  locale: string
  /** The IIN of the signer. */
  iin: string | null
}

export type SigningRun = {
  tasks: readonly SigningTask[]
  dependencies: SigningDependencies
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Returns one result for each task, in their order. */
export async function runSigning({
  tasks,
  dependencies,
  onProgress,
  signal,
}: SigningRun): Promise<SigningResult[]> {
  const { connect, load, locale } = dependencies
  onProgress({ stage: 'load' })
  // First, because the person has to fix it: they should not wait for a long download to learn that the
  // program is not running.
  const program = await unlessAborted(connect(), signal)
  const stop = () => program.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const loaded = await loadAll(tasks, load, onProgress, signal)
    onProgress({ stage: 'sign', isIntact: true })
    const plain = await unlessAborted(signAll(program, loaded, locale), signal)
    const readSigner = await dependencies.readSigner()
    const signers = plain.map(readSigner)
    const wrong = tasks.map((task, i) => wrongKey(task, signers[i] ?? null, dependencies.iin))
    const signedBy = signers.find((signer) => signer !== null)?.owner
    const isToStamp = (task: SigningTask, i: number) =>
      wrong[i] === null && task.request.isTimestampRequired && 'base64' in loaded[i]!
    const toStamp = tasks.flatMap((task, i) => (isToStamp(task, i) ? [i] : []))
    let stamped = new Map<number, string>()
    if (toStamp.length > 0) {
      onProgress({ stage: 'stamp', ...(signedBy && { signedBy: shortly(signedBy) }) })
      const again = await unlessAborted(
        program.signDetached(
          toStamp.map((i) => contentOf(loaded[i]!)),
          { withTimestamp: true, locale },
        ),
        signal,
      )
      stamped = new Map(toStamp.map((i, place) => [i, again[place]!]))
    }
    const results = new Map<number, SigningResult>()
    const toSend = tasks.flatMap((task, i) => {
      const timestampedSignature = stamped.get(i)
      const isOther =
        timestampedSignature !== undefined &&
        readSigner(timestampedSignature)?.certificate !== signers[i]?.certificate
      const unfit = wrong[i] ?? (isOther ? ({ kind: 'other-key' } as const) : null)
      if (unfit) {
        results.set(i, unfit)
        return []
      }
      const content = loaded[i]!
      const prepared = 'base64' in content ? content.prepared : undefined
      const signed = {
        signature: plain[i]!,
        ...(timestampedSignature !== undefined && { timestampedSignature }),
        ...(prepared && { prepared }),
      }
      return [{ i, task, signed }]
    })
    signal.throwIfAborted()
    // No cancelling from here on: once people see that signatures are being sent, they may close the dialog.
    for (const group of sentAtOnce(toSend)) {
      const sent = await sendAll(group)
      for (const [place, { i }] of group.entries()) results.set(i, sent[place]!)
    }
    return tasks.map((_, i) => results.get(i)!)

    async function sendAll(group: readonly SignedTask[]): Promise<SigningResult[]> {
      const documents = { done: results.size - (tasks.length - toSend.length), total: toSend.length }
      const by = signedBy ? { documents, signedBy: shortly(signedBy) } : { documents }
      onProgress({ stage: 'send', ...by })
      const [{ task, signed }] = group as [SignedTask]
      if (isDecidedTogether(task)) return dependencies.sendTogether(group)
      const result = await dependencies.send(task, signed, (done, total) =>
        onProgress({ stage: done < total ? 'send' : 'process', done, total, ...by }),
      )
      return [result]
    }
  } finally {
    signal.removeEventListener('abort', stop)
    program.close()
  }
}

/** One prompt for all detached and PDF signatures, and one for all XML documents, which are signed inside. */
async function signAll(
  program: DesktopSigner,
  loaded: readonly LoadedContent[],
  locale: string,
): Promise<string[]> {
  const texts = loaded.flatMap((one) => ('xml' in one ? [one.xml] : []))
  const contents = loaded.filter((one) => 'base64' in one).map(contentOf)
  const beside =
    contents.length > 0 ? await program.signDetached(contents, { withTimestamp: false, locale }) : []
  const inside = texts.length > 0 ? (await program.signXml(texts, { locale })).map(signatureIn) : []
  return loaded.map((one) => ('xml' in one ? inside : beside).shift()!)
}

/** Cuts the signature out of the signed XML: the server has the document and puts both together. */
function signatureIn(signed: string): string {
  const signature = cutSignature(signed)
  if (signature === null) throw new SigningError('program-failed')
  return toBase64(new TextEncoder().encode(signature))
}

function contentOf(content: LoadedContent): string {
  return 'base64' in content ? content.base64 : content.xml
}

function isDecidedTogether({ request }: SigningTask): boolean {
  return request.package?.isTogether === true && processOfRequest(request) === 'signing'
}

/** The groups sent in one call: the documents of a package that is decided together; every other document alone. */
function sentAtOnce<S extends SignedTask>(signed: readonly S[]): S[][] {
  const groups = Map.groupBy(signed, ({ task }) =>
    isDecidedTogether(task) ? `${task.request.package!.id} ${task.point.pointId}` : task.request.id,
  )
  return [...groups.values()]
}

async function loadAll(
  tasks: readonly SigningTask[],
  load: SigningDependencies['load'],
  onProgress: SigningRun['onProgress'],
  signal: AbortSignal,
): Promise<LoadedContent[]> {
  // A terminating document is a small file, whose size is not known beforehand.
  const sizes = tasks.map(({ request }) =>
    processOfRequest(request) === 'signing' ? request.document.size : 0,
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const contents: LoadedContent[] = []
  let before = 0
  for (const task of tasks) {
    let own = 0
    const content = await unlessAborted(
      load(task, (count) => {
        own = count
        onProgress({ stage: 'load', done: before + own, total: Math.max(total, before + own) })
      }),
      signal,
    )
    before += own
    contents.push(content)
  }
  return contents
}

/** The required number and the number of the chosen key; null if the key fits or only the server can decide. */
function wrongKey({ point }: SigningTask, signer: SignerRead | null, iin: string | null): WrongKey | null {
  if (!signer) return null
  const demand = demandOf({ ...point, type: kindOfPoint(point) }, { iin })
  const [fault] = signerFaults(signer.owner, demand, { verdict: point.hasPower ? 'valid' : 'none' })
  if (!fault) return null
  const { owner } = signer
  return {
    kind: 'wrong-key',
    demand,
    chosen: { fullName: fullNameOf(owner), iin: owner.iin, bin: owner.bin, given: givenKeyOf(owner) },
    code: verdictOf(fault).code!,
  }
}

function shortly(owner: CertificateOwner): { fullName: string; number: string } {
  return { fullName: fullNameOf(owner), number: owner.bin ?? owner.iin ?? '' }
}

/** The program cannot be cancelled: its response is ignored. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
