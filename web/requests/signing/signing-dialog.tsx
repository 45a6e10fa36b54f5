/**
 * The dialog for signing with a digital signature: requirements, progress in steps, and what to do after each
 * failure. For one document from its page, or for several from a list with a single key prompt.
 */
import { useEffect, useRef, useState } from 'react'
import { Alert, Anchor, Button, Group, Modal, SegmentedControl, Textarea } from '@mantine/core'
import { longestComment } from '@kelisim/domain/requests/contract.ts'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import { dropDraft, keepDraft, readDraft } from '../../ui/form/drafts.ts'
import { RestoredDraft } from '../../ui/form/form.tsx'
import { typedText, useLimitNote } from '../../ui/form/typed-text.ts'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { isEdsApproval, isSignedInside, isSignedInXml, processOfRequest } from '../shared/request-view.ts'
import { NextDocument } from './next-document.tsx'
import { PhoneSigning } from './phone-signing.tsx'
import type { Progress } from './run-signing.ts'
import { Documents } from './signing-documents.tsx'
import { ProblemView, Result } from './signing-result.tsx'
import { SigningSteps } from './signing-steps.tsx'
import classes from './signing.module.css'
import { isSettled, useSigning, type Candidate } from './use-signing.ts'
import { Changes } from '../shared/changes.tsx'
import { NeededKey } from '../shared/needed-key.tsx'

export type SigningDialogProps = {
  isOpen: boolean
  /** The organisation, or the empty identifier for the person's own numbers. */
  organizationId: string
  requestIds: readonly string[]
  /** For one request: at which of the points that wait for this person they sign. */
  pointId?: string | undefined
  /** For one request: the revision of its document that the person sees. */
  seenRevision?: number | undefined
  /** Called after something was signed, by this person or by somebody else. */
  onChanged: () => void
  onClose: () => void
}

/** Mounted at each opening; the lock is released when it is closed. */
export function SigningDialog(props: SigningDialogProps) {
  const [round, setRound] = useState(0)
  return props.isOpen && <OpenDialog key={round} {...props} onAgain={() => setRound(round + 1)} />
}

/** `onAgain` starts over and checks everything again, because the obstacle may be gone. */
type OpenProps = SigningDialogProps & { onAgain: () => void }

function OpenDialog(props: OpenProps) {
  const { t } = useTexts('requests')
  const signing = useSigning(props, props.onChanged)
  const { phase, progress } = signing
  const isSent = phase === 'running' && (progress.stage === 'send' || progress.stage === 'process')
  const close = () => {
    if (phase === 'running' && !isSent) return signing.cancel()
    return props.onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={useTitle(signing.candidates, props.requestIds.length)}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      closeOnClickOutside={false}
      size={620}
    >
      <Content {...props} signing={signing} isSent={isSent} />
    </Modal>
  )
}

function useTitle(candidates: readonly Candidate[], count: number): string {
  const { t } = useTexts('requests')
  if (count > 1) return t('signing.titleMany', { count })
  const task = candidates[0]?.task
  if (!task) return t('signing.title')
  if (processOfRequest(task.request) === 'terminating') return t('signing.titleTermination')
  return isEdsApproval({ act: 'sign', point: task.point }) ? t('signing.titleEds') : t('signing.title')
}

type Signing = ReturnType<typeof useSigning>

function Content(props: OpenProps & { signing: Signing; isSent: boolean }) {
  const { t } = useTexts('requests')
  const { signing, requestIds } = props
  const { phase, candidates, problem } = signing
  const { signer } = pageConfig
  const draft = `signing:${requestIds.join()}`
  const [comment, setComment] = useState(() => commentIn(readDraft(draft)))
  const [isRestored, setRestored] = useState(comment !== '')
  const [way, setWay] = useState<SigningWay>(
    deviceOf(navigator.userAgent) === 'Desktop' ? 'computer' : 'phone',
  )
  const open = candidates.filter(({ task, result }) => task !== null && !isSettled(result))
  const isDone = phase === 'finished' && open.length === 0
  const hasRun = phase === 'running' || phase === 'finished' || problem !== null
  if (phase === 'preparing' && candidates.length === 0) return <LoadingLines count={4} />

  const close = () => {
    dropDraft(draft)
    props.onClose()
  }
  const part = { ...props, comment, open, isDone, hasRun, onClose: close }
  const isMany = requestIds.length > 1
  /** One code of the phone can only hold documents of the same sender, because the app names one. */
  const [first, ...rest] = open
  const isForPhone = first !== undefined && rest.every(({ task }) => senderOf(task) === senderOf(first.task))
  return (
    <div className={classes.content}>
      {isMany ? (
        <>
          <p>{t('signing.many.lead')}</p>
          <Documents candidates={candidates} isFinished={phase === 'finished'} />
        </>
      ) : (
        <One candidate={candidates[0]} hasRun={hasRun} />
      )}
      {isForPhone && phase !== 'running' && (
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t('signing.way')}
          data={[
            { value: 'computer', label: t('signing.computer') },
            { value: 'phone', label: t('signing.phone') },
          ]}
          value={way}
          onChange={(chosen) => {
            setWay(chosen === 'phone' ? 'phone' : 'computer')
            signing.setOnPhone(false)
          }}
        />
      )}
      {open.length > 0 && !hasRun && isRestored && !signing.isOnPhone && (
        <RestoredDraft
          onClear={() => {
            setComment('')
            dropDraft(draft)
            setRestored(false)
          }}
        />
      )}
      {open.length > 0 && !hasRun && (
        <Comment
          value={comment}
          // The comment is part of the QR code, so later changes would be lost.
          isFixed={signing.isOnPhone}
          onChange={(typed) => {
            setComment(typed)
            setRestored(false)
            keepDraft(draft, { comment: typed })
          }}
        />
      )}
      {isForPhone && way === 'phone' && phase !== 'running' ? (
        <>
          {phase === 'finished' && <Result candidates={candidates} />}
          <PhoneSigning
            organizationId={props.organizationId}
            tasks={open.map(({ task }) => task!)}
            comment={comment.trim()}
            onShown={() => signing.setOnPhone(true)}
            onDone={signing.settle}
          />
        </>
      ) : signer || isDone ? (
        <OnComputer {...part} showsSteps={hasRun && way === 'computer'} onPhone={() => setWay('phone')} />
      ) : (
        <Alert role="alert">{t('signing.unavailable')}</Alert>
      )}
    </div>
  )
}

function senderOf(task: Candidate['task']): string | undefined {
  return task?.request.organization.id
}

type SigningWay = 'computer' | 'phone'

function Comment(props: { value: string; isFixed: boolean; onChange: (typed: string) => void }) {
  const { value, onChange } = props
  const { t } = useTexts('requests')
  const limitNote = useLimitNote()
  return (
    <Textarea
      label={t('dialogs.comment')}
      description={limitNote(value, longestComment, t('dialogs.commentHelp'))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      minRows={2}
      disabled={props.isFixed}
      value={value}
      onChange={(event) => onChange(typedText(event).slice(0, longestComment))}
    />
  )
}

/** The steps, the result and the next action. */
function OnComputer(
  props: OpenProps & {
    signing: Signing
    isSent: boolean
    comment: string
    open: readonly Candidate[]
    isDone: boolean
    showsSteps: boolean
    onPhone: () => void
  },
) {
  const { t } = useTexts('requests')
  const { signing, isSent, open, isDone, onClose, requestIds } = props
  const { phase, candidates, problem, progress } = signing
  const { signer } = pageConfig
  const beginWord = useBeginWord(candidates, problem !== null)
  const begin = () => {
    if (signer) signing.begin(signer, props.comment.trim())
  }
  const isRunning = phase === 'running'
  const back = useRef<HTMLButtonElement>(null)
  // The button that started it is gone: move the focus to the one that stays.
  useEffect(() => {
    if (isRunning) back.current?.focus()
  }, [isRunning])
  const sentSoFar = ({ stage, documents }: Progress) => {
    if (documents && documents.total > 1) return t('signing.many.sending', documents)
    return stage === 'process' ? t('signing.sentAlready') : t('signing.sending')
  }
  const isHeldUp = open.length === 0 && phase === 'ready' && candidates.some(({ error }) => error !== null)
  return (
    <>
      {problem && phase === 'ready' && <ProblemView problem={problem} onPhone={props.onPhone} />}
      {phase === 'finished' && <Result candidates={candidates} />}
      {props.showsSteps && (
        <SigningSteps
          progress={progress}
          isDone={isDone}
          isStopped={!isRunning && !isDone}
          needsStamp={candidates.some(({ task }) => task?.request.isTimestampRequired)}
        />
      )}
      {!isRunning && open.some(({ task }) => task?.request.isTimestampRequired) && (
        <p className={classes.quiet}>{t('signing.twice')}</p>
      )}
      {isSent && <p className={classes.quiet}>{sentSoFar(progress)}</p>}
      {isRunning && signer?.windowUrl && (
        <p className={classes.quiet}>
          {t('signing.demoWindow')}{' '}
          <Anchor href={signer.windowUrl} target="_blank" rel="noreferrer" underline="always" inherit>
            {t('signing.openWindow')}
          </Anchor>
        </p>
      )}
      <Group justify="flex-end">
        {isRunning ? (
          <Button ref={back} variant="default" onClick={isSent ? onClose : signing.cancel}>
            {isSent ? t('signing.closeSent') : t('signing.cancel')}
          </Button>
        ) : (
          <Button ref={back} variant="default" onClick={onClose}>
            {isDone ? t('signing.close') : t('common:actions.cancel')}
          </Button>
        )}
        {isDone && (
          <NextDocument organizationId={props.organizationId} signedIds={requestIds} onLeave={onClose} />
        )}
        {open.length > 0 && !isRunning && <Button onClick={begin}>{beginWord}</Button>}
        {isHeldUp && <Button onClick={props.onAgain}>{t('signing.again')}</Button>}
      </Group>
    </>
  )
}

function useBeginWord(candidates: readonly Candidate[], hasProblem: boolean): string {
  const { t } = useTexts('requests')
  const isWrongKey = candidates.some(
    ({ result }) => result?.kind === 'wrong-key' || result?.kind === 'other-key',
  )
  if (isWrongKey) return t('signing.otherKey')
  const isRefused = candidates.some(({ result }) => result !== null && !isSettled(result))
  return hasProblem || isRefused ? t('signing.again') : t('signing.start')
}

/** The document to sign, and the key that it needs. */
function One({ candidate, hasRun }: { candidate: Candidate | undefined; hasRun: boolean }) {
  const { t, find } = useTexts('requests')
  if (!candidate) return null
  const { task, changes, error, result, name } = candidate
  if (error) {
    const reason = find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message
    return (
      <Alert color="yellow" variant="light" role="alert">
        {reason}
      </Alert>
    )
  }
  if (!task) {
    return (
      result === null && (
        <Alert role="alert">
          <p>{t('signing.many.notMine')}</p>
          <Changes changes={changes} />
        </Alert>
      )
    )
  }
  return (
    <div className={classes.what}>
      <p>
        <b>{name}</b>
      </p>
      {!hasRun && <NeededKey point={task.point} />}
      {!hasRun && isSignedInside(task) && <p>{t('about.inside')}</p>}
      {!hasRun && isSignedInXml(task) && <p>{t('about.inXml')}</p>}
      {!hasRun && task.request.isTimestampRequired && !isSignedInXml(task) && <p>{t('about.stamp')}</p>}
    </div>
  )
}

function commentIn(draft: object | null): string {
  return draft && 'comment' in draft && typeof draft.comment === 'string' ? draft.comment : ''
}
