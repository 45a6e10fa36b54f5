/** Several documents signed at once, each with its state. */
import { useTexts } from '../../i18n/use-texts.ts'
import { CheckIcon, HistoryIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { useResultText } from './signing-result.tsx'
import classes from './signing.module.css'
import { isSettled, type Candidate } from './use-signing.ts'

export function Documents(props: { candidates: readonly Candidate[]; isFinished: boolean }) {
  const { t } = useTexts('requests')
  const { candidates, isFinished } = props
  const done = candidates.filter(({ result }) => isSettled(result)).length
  const hasAny = candidates.some(({ task }) => task !== null)
  return (
    <>
      <ul className={classes.documents} aria-label={t('signing.many.list')}>
        {candidates.map((candidate) => (
          <Line key={candidate.id} candidate={candidate} />
        ))}
      </ul>
      {!hasAny && candidates.length > 0 && <p>{t('signing.many.none')}</p>}
      {isFinished && (
        <p role="status">
          <b>{t('signing.many.result', { done, total: candidates.length })}</b>
        </p>
      )}
    </>
  )
}

function Line({ candidate }: { candidate: Candidate }) {
  const { t, find } = useTexts('requests')
  const resultText = useResultText()
  const { name, task, error, result, id } = candidate
  const isBad = error !== null || (result !== null && !isSettled(result))
  const said = error
    ? (find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message)
    : result
      ? resultText(result)
      : t(task ? 'signing.many.ready' : 'signing.many.notMine')
  return (
    <li data-bad={isBad || undefined} data-done={isSettled(result) || undefined}>
      {isSettled(result) ? (
        <CheckIcon size={18} />
      ) : isBad ? (
        <WarningIcon size={18} />
      ) : (
        <HistoryIcon size={18} />
      )}
      <span>
        {name || id}
        <small>{said}</small>
      </span>
    </li>
  )
}
