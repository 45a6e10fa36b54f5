/**
 * The route of a request: steps below each other, two lines for each point; points of one step stand in a bracket.
 */
import { useTexts } from '../../i18n/use-texts.ts'
import { useConditionText } from '../../routes/conditions/use-condition-text.ts'
import { CheckIcon, CloseIcon } from '../../ui/look/icons.tsx'
import { stepsOf, type JudgedPoint, type PointView, type StepState } from '../shared/request-view.ts'
import { StepPoint, type ShownPoints } from './step-point.tsx'
import classes from '../shared/stepper.module.css'

export function Stepper({
  points,
  label,
  judged,
  ...shown
}: ShownPoints & {
  points: readonly PointView[]
  label: string
  /** The points of the route that have a condition. */
  judged?: readonly JudgedPoint[] | undefined
}) {
  const { t } = useTexts('requests')
  return (
    <ol className={classes.steps} aria-label={label}>
      {stepsOf(points, judged).map((step, i) => {
        const state = shown.isOver && step.state === 'now' ? 'queue' : step.state
        const isParallel = step.points.length > 1
        return (
          <li key={step.order} className={classes.step} data-state={state}>
            <span className={classes.dot} aria-hidden="true">
              <Dot state={state} number={i + 1} />
            </span>
            <span className="only-heard">{t('route.step', { number: i + 1 })}. </span>
            {isParallel && <p className={classes.together}>{t('route.together')}</p>}
            <ul className={classes.points} {...(isParallel && { 'data-parallel': true })}>
              {step.points.map((point) => (
                <StepPoint
                  key={point.pointId}
                  point={point}
                  judged={judged?.find(({ pointId }) => pointId === point.pointId)}
                  {...shown}
                />
              ))}
              {step.passed.map((point) => (
                <PassedPoint key={point.pointId} point={point} />
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

function PassedPoint({ point }: { point: JudgedPoint }) {
  const { t } = useTexts('requests')
  const conditionText = useConditionText()
  return (
    <li className={classes.point}>
      <p className={classes.what}>{point.name}</p>
      <p className={classes.status}>{t('route.passed', { what: conditionText(point.condition) })}</p>
    </li>
  )
}

function Dot({ state, number }: { state: StepState; number: number }) {
  if (state === 'done') return <CheckIcon size={16} />
  if (state === 'bad') return <CloseIcon size={14} />
  if (state === 'passed') return '–'
  return number
}
