/** The state of the signing dialog: what is signed and locked, the progress, failures and the result. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { programCode, type ProgramFault } from '@kelisim/domain/signatures/signing-program.ts'
import { minute, second } from '@kelisim/domain/durations.ts'
import { ApiError, call, transportError } from '../../api/api.ts'
import { currentLanguage } from '../../i18n/language.ts'
import type { PageConfig } from '../../api/page-config.ts'
import { connectDesktopSigner, SigningError } from '../../signatures/desktop-signer.ts'
import { showError } from '../../ui/dialogs/error-store.ts'
import type { RequestView } from '../shared/request-view.ts'
import { changesSince, type Change } from '../shared/changes-since.ts'
import { currentPoints } from '../shared/request-view.ts'
import { openHolding } from './holding.ts'
import { runSigning, type SigningResult, type Progress, type SigningTask } from './run-signing.ts'
import {
  DamagedFileError,
  holdRequest,
  loadContent,
  resultOf,
  sendSignature,
  sendTogether,
} from './signing-calls.ts'

export type Candidate = {
  id: string
  name: string
  /** Null: this person has nothing to sign there. */
  task: SigningTask | null
  /** What others did, so that the request no longer waits for this person. */
  changes: readonly Change[]
  /** Why the document cannot be signed now. */
  error: ApiError | null
  result: SigningResult | null
}

export type Problem =
  | { kind: 'program'; fault: ProgramFault; code: string }
  | { kind: 'damaged' | 'canceled' }
  | { kind: 'error'; error: ApiError }

export type Phase = 'preparing' | 'ready' | 'running' | 'finished'

type SigningTarget = {
  organizationId: string
  requestIds: readonly string[]
  pointId?: string | undefined
  /**
   * The revision that the person sees, if there is one document: after a correction they must look at it again first.
   */
  seenRevision?: number | undefined
}

/** How often the request is read again: whether the signature is still awaited, later the state of its check. */
const followEvery = 2 * second

/** A lock lasts five minutes; it is renewed well before. */
const renewEvery = 2 * minute

export function useSigning(what: SigningTarget, onChanged: () => void) {
  const { organizationId } = what
  const [phase, setPhase] = useState<Phase>('preparing')
  const [candidates, setCandidates] = useState<Candidate[]>([])
  const [progress, setProgress] = useState<Progress>({ stage: 'load' })
  const [problem, setProblem] = useState<Problem | null>(null)
  /** Signing takes place on the phone: the panel for the phone follows the state. */
  const [isOnPhone, setOnPhone] = useState(false)
  const running = useRef<{ stopping: AbortController; ended: Promise<void> } | null>(null)
  const isClosed = useRef(false)
  const keys = useRef(new Map<string, string>())
  const known = useRef<readonly Candidate[]>([])
  const ids = what.requestIds.join()
  const { pointId, seenRevision } = what

  useEffect(() => {
    let isGone = false
    isClosed.current = false
    const holding = openHolding(organizationId, ids.split(','))
    void candidatesOf(organizationId, ids, { pointId, seenRevision }).then((found) => {
      holding.keep(found.flatMap(({ id, task }) => (task ? [id] : [])))
      known.current = found
      if (isGone) return
      setCandidates(found)
      setPhase('ready')
    })
    const renewing = setInterval(() => {
      for (const { id, task, result } of known.current) {
        if (task && !isSettled(result)) holdRequest(organizationId, id).catch(() => {})
      }
    }, renewEvery)
    return () => {
      isGone = true
      isClosed.current = true
      running.current?.stopping.abort()
      // Signatures that are being sent are not stopped; the lock is kept until they have arrived, so that nobody else
      // signs in their place.
      const release = () => {
        clearInterval(renewing)
        holding.end()
      }
      void Promise.resolve(running.current?.ended).then(release, release)
    }
  }, [organizationId, ids, pointId, seenRevision])

  useEffect(() => {
    known.current = candidates
  }, [candidates])

  // Others act meanwhile, and a check can take long, so the dialog is kept up to date until it is closed. Of several
  // documents only those being checked are read again: the server refuses a signature that is no longer awaited.
  const isAwaitedFollowed = phase === 'ready' && !isOnPhone && candidates.length === 1
  const isFollowed = isAwaitedFollowed || candidates.some(({ result }) => result?.kind === 'checking')
  const changed = useEffectEvent(onChanged)
  useEffect(() => {
    if (!isFollowed) return undefined
    let isGone = false
    const follow = async () => {
      const followed = known.current.filter(
        ({ task, result }) => task !== null && (result ? result.kind === 'checking' : isAwaitedFollowed),
      )
      for (const candidate of followed) {
        const now = await candidateNow(organizationId, candidate).catch(() => candidate)
        if (isGone || now === candidate) continue
        setCandidates((before) => before.map((one) => (one === candidate ? now : one)))
        changed()
      }
      // Scheduled only after the response, so that slow responses do not pile up.
      if (!isGone) following = setTimeout(() => void follow(), followEvery)
    }
    let following = setTimeout(() => void follow(), followEvery)
    return () => {
      isGone = true
      clearTimeout(following)
    }
  }, [organizationId, isFollowed, isAwaitedFollowed])

  function keyOf(id: string): string {
    const key = keys.current.get(id) ?? crypto.randomUUID()
    keys.current.set(id, key)
    return key
  }

  function begin(signer: NonNullable<PageConfig['signer']>, comment: string): void {
    const stopping = new AbortController()
    running.current = { stopping, ended: run(signer, comment, stopping) }
  }

  async function run(
    signer: NonNullable<PageConfig['signer']>,
    comment: string,
    stopping: AbortController,
  ): Promise<void> {
    setProblem(null)
    setPhase('running')
    setProgress({ stage: 'load' })
    const open = candidates.filter(({ task, result }) => task !== null && !isSettled(result))
    const tasks = open.map(({ task }) => task!)
    // Clear the result of the previous attempt.
    setCandidates((before) => before.map((one) => (open.includes(one) ? { ...one, result: null } : one)))
    try {
      const { iin } = await call(getRecipient, {})
      const results = await runSigning({
        tasks,
        dependencies: {
          iin,
          locale: currentLanguage(),
          connect: () => connectDesktopSigner(signer),
          load: (task, onBytes) => loadContent(organizationId, task, onBytes, stopping.signal),
          readSigner: async () => (await import('./read-signer.ts')).readSigner,
          send: (task, signed, onBytes) => {
            const key = keyOf(task.request.id)
            return sendSignature({ organizationId, task, comment, key, signed, onBytes })
          },
          sendTogether: (signed) => sendTogether({ organizationId, signed, comment, keyOf }),
        },
        onProgress: setProgress,
        signal: stopping.signal,
      })
      const byId = new Map(tasks.map(({ request }, i) => [request.id, results[i]!]))
      // A refused signature is stored under its key, so the next attempt needs a new key.
      for (const [id, { kind }] of byId) if (kind === 'refused') keys.current.delete(id)
      setCandidates((before) => before.map((one) => ({ ...one, result: byId.get(one.id) ?? one.result })))
      setPhase('finished')
      // If the dialog was closed meanwhile, the page reports what could not be sent.
      const failure = results.find((result) => result.kind === 'error')
      if (isClosed.current && failure) showError(failure.error)
    } catch (error) {
      setProblem(problemOf(error, stopping.signal))
      setPhase('ready')
    } finally {
      onChanged()
    }
  }

  return {
    phase,
    candidates,
    progress,
    problem,
    isOnPhone,
    setOnPhone,
    begin,
    /** Signed elsewhere: with the phone. */
    settle: (results: ReadonlyMap<string, SigningResult>) => {
      setCandidates((before) => before.map((one) => ({ ...one, result: results.get(one.id) ?? one.result })))
      setPhase('finished')
      onChanged()
    },
    cancel: () => running.current?.stopping.abort(),
  }
}

export function isSettled(result: SigningResult | null): boolean {
  return result?.kind === 'accepted' || result?.kind === 'checking'
}

async function candidatesOf(
  organizationId: string,
  ids: string,
  wanted: Pick<SigningTarget, 'pointId' | 'seenRevision'>,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const id of ids.split(',')) found.push(await candidateOf(organizationId, id, wanted))
  return found
}

/** Finds what the person can sign and locks it for them. */
async function candidateOf(
  organizationId: string,
  id: string,
  { pointId, seenRevision }: Pick<SigningTarget, 'pointId' | 'seenRevision'>,
): Promise<Candidate> {
  const nothing = { id, name: '', task: null, changes: [], error: null, result: null }
  let request: RequestView | null = null
  try {
    request = await call(getRequest, { organizationId, signingRequestId: id })
    if (seenRevision !== undefined && seenRevision !== request.revision)
      throw transportError('document-revised', 'ConcurrencyException')
    const task = taskOf(request, pointId)
    // Also tried when somebody else holds the lock: the refusal of the server says who.
    if (task || request.lock) await holdRequest(organizationId, id)
    return { ...nothing, name: request.name, task }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...nothing, name: request?.name ?? '', error }
  }
}

/** The candidate as it is now; the same object if nothing has changed. */
async function candidateNow(organizationId: string, candidate: Candidate): Promise<Candidate> {
  const { id, task, result } = candidate
  const request = await call(getRequest, { organizationId, signingRequestId: id })
  const { pointId } = task!.point
  if (result) {
    const settled = resultOf(request, pointId)
    return settled.kind === 'checking' ? candidate : { ...candidate, result: settled }
  }
  const isAsked =
    request.revision === task!.request.revision &&
    request.acts.some((one) => one.act === 'sign' && one.pointId === pointId)
  return isAsked ? candidate : { ...candidate, task: null, changes: changesSince(task!.request, request) }
}

function taskOf(request: RequestView, pointId: string | undefined): SigningTask | null {
  const signs = request.acts.filter(({ act }) => act === 'sign')
  const chosen = signs.find((one) => one.pointId === pointId) ?? signs[0]
  const point = chosen && currentPoints(request).find((one) => one.pointId === chosen.pointId)
  return point ? { request, point } : null
}

function problemOf(error: unknown, signal: AbortSignal): Problem {
  if (signal.aborted) return { kind: 'canceled' }
  if (error instanceof SigningError) {
    return error.fault === 'canceled-by-user'
      ? { kind: 'canceled' }
      : { kind: 'program', fault: error.fault, code: programCode(error.fault) }
  }
  if (error instanceof DamagedFileError) return { kind: 'damaged' }
  if (error instanceof ApiError) return { kind: 'error', error }
  throw error
}
