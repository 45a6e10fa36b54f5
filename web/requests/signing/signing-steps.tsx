/** The steps of signing with their details: the transferred bytes, the key, what the person has to wait for. */
import { Loader, Progress as Bar } from '@mantine/core'
import { formatSize } from '../../documents/shared/size.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { CheckIcon, CloseIcon } from '../../ui/look/icons.tsx'
import { stages, type Progress, type Stage } from './run-signing.ts'
import classes from './signing.module.css'
import { unbroken } from '@kelisim/domain/numbers.ts'

type StepState = 'done' | 'now' | 'stopped' | 'ahead'

export function SigningSteps(props: {
  progress: Progress
  isDone: boolean
  isStopped: boolean
  needsStamp: boolean
}) {
  const { t } = useTexts('requests')
  const shown = stages.filter((stage) => stage !== 'stamp' || props.needsStamp)
  const at = props.isDone ? shown.length : shown.indexOf(props.progress.stage)
  const stateOf = (i: number): StepState => {
    if (i < at) return 'done'
    if (i > at) return 'ahead'
    return props.isStopped ? 'stopped' : 'now'
  }
  return (
    <ol className={classes.steps} aria-label={t('signing.steps.title')}>
      {shown.map((stage, i) => {
        const state = stateOf(i)
        return (
          <li key={stage} data-state={state} {...(state === 'now' && { 'aria-current': 'step' })}>
            <span className={classes.dot} aria-hidden="true">
              <Dot state={state} number={i + 1} />
            </span>
            <span>
              {t(`signing.steps.${stage}`)}
              <Note stage={stage} state={state} progress={props.progress} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Dot({ state, number }: { state: StepState; number: number }) {
  if (state === 'done') return <CheckIcon size={16} />
  if (state === 'stopped') return <CloseIcon size={14} />
  if (state === 'now') return <Loader size={14} color="currentColor" />
  return number
}

function Note({ stage, state, progress }: { stage: Stage; state: StepState; progress: Progress }) {
  const { t } = useTexts('requests')
  const { t: ofDocuments } = useTexts('documents')
  const { done, total, signedBy } = progress
  const size = (bytes: number) => formatSize(bytes, ofDocuments)
  if (state === 'done' && stage === 'load') return <small>{t('signing.notes.intact')}</small>
  if (state === 'done' && stage === 'sign' && signedBy) {
    const number = unbroken(signedBy.number)
    return <small>{t('signing.notes.signedBy', { name: signedBy.fullName, number })}</small>
  }
  if (state !== 'now') return null
  switch (stage) {
    case 'load':
    case 'send':
      return done === undefined || !total ? (
        stage === 'load' && <small role="status">{t('signing.notes.connecting')}</small>
      ) : (
        <small>
          {t('signing.notes.loaded', { done: size(done), total: size(total) })}
          <Bar value={(done / total) * 100} size="sm" mt={4} aria-label={t(`signing.steps.${stage}`)} />
        </small>
      )
    case 'sign':
      return <small role="status">{t('signing.notes.choose')}</small>
    case 'stamp':
      return <small role="status">{t('signing.notes.again')}</small>
    case 'process':
      return <small role="status">{t('signing.notes.checking')}</small>
    case 'done':
      return null
  }
}
