/** The route of a request: steps below each other, points of one step side by side, with who did what and when. */
import { useState } from 'react'
import { Collapse, UnstyledButton } from '@mantine/core'
import { inGroups, isPersonNumber } from '@kelisim/domain/numbers.ts'
import { actOf, isSigningType } from '@kelisim/domain/points/point-types.ts'
import { pointStatusOf, pointStatusWord } from '@kelisim/domain/requests/point-status-word.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { CheckIcon, ChevronDownIcon, CloseIcon, WarningIcon } from '../../ui/look/icons.tsx'
import {
  participantName,
  kindOfPoint,
  stepsOf,
  type PointView,
  type SignatureOf,
  type StepState,
} from '../shared/request-view.ts'
import { useKeyFacts } from '../shared/needed-key.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { SignatureDetails } from './signature-details.tsx'
import classes from '../shared/stepper.module.css'
import type { RequestKey } from '../shared/queries.ts'

type Shown = {
  requestKey: RequestKey
  fileName: string
  /** The request has ended. */
  isOver: boolean
  changed: readonly string[]
}

export function Stepper({
  points,
  label,
  ...shown
}: Shown & { points: readonly PointView[]; label: string }) {
  const { t } = useTexts('requests')
  return (
    <ol className={classes.steps} aria-label={label}>
      {stepsOf(points).map((step, i) => {
        const types = [...new Set(step.points.map((point) => t(`points:types.${kindOfPoint(point)}`)))]
        const isMixed = types.length > 1
        const said = [...(isMixed ? [] : types), ...(step.points.length > 1 ? [t('route.together')] : [])]
        const state = shown.isOver && step.state === 'now' ? 'queue' : step.state
        return (
          <li key={step.order} className={classes.step} data-state={state}>
            <span className={classes.dot} aria-hidden="true">
              <Dot state={state} number={i + 1} />
            </span>
            <p className={classes.what}>
              <span className="only-heard">{t('route.step', { number: i + 1 })}. </span>
              {said.join(' · ')}
            </p>
            <ul className={classes.points}>
              {step.points.map((point) => (
                <Point key={point.pointId} point={point} saysType={isMixed} {...shown} />
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

function Dot({ state, number }: { state: StepState; number: number }) {
  if (state === 'done') return <CheckIcon size={16} />
  if (state === 'bad') return <CloseIcon size={14} />
  return number
}

function Point(props: Shown & { point: PointView; saysType: boolean }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const { point, requestKey, fileName, isOver, changed } = props
  const status = pointStatusOf(point)
  const isWaiting = status === 'Waiting' || status === 'Validation' || status === 'ValidationError'
  const isChanged = changed.includes(point.pointId)
  return (
    <li
      className={classes.point}
      data-status={status}
      {...(isWaiting && !isOver && { 'data-now': true })}
      {...(isChanged && { 'data-changed': true })}
    >
      <p className={classes.who}>
        {participantName(point)}
        {isChanged && <span className={classes.changed}>{t('route.changed')}</span>}
      </p>
      {props.saysType && <p className={classes.whose}>{t(`points:types.${kindOfPoint(point)}`)}</p>}
      <Whose point={point} />
      <Status point={point} isOver={isOver} />
      {point.acts.map((act, i) => (
        <div key={i} className={classes.act}>
          <p>
            {actorName(act)} {t(`did.${act.act}`)}, {formatMoment(act.at)}
          </p>
          {act.comment && <blockquote>{t('route.said', { comment: act.comment })}</blockquote>}
        </div>
      ))}
      {point.signatures.map((signature) => (
        <Signature key={signature.id} signature={signature} requestKey={requestKey} fileName={fileName} />
      ))}
    </li>
  )
}

function Whose({ point }: { point: PointView }) {
  const { t } = useTexts('requests')
  const { bin, organizationName, groupName, participants, pointType, name, doneAt } = point
  const isOutside = pointType !== 0
  const people =
    participants.length > 3
      ? t('route.participants', { count: participants.length })
      : participants.map(({ fullName }) => fullName).join(', ')
  const lines = [
    name !== participantName(point) && name,
    isOutside && bin && `${t('common:binOrIin')} ${inGroups(bin).replaceAll(' ', '\u00a0')}`,
    isOutside && groupName && organizationName,
    people,
    point.agreementCondition === 'all' && participants.length > 1 && t('route.condition'),
    point.isEdsPresentationRequired && actOf(kindOfPoint(point)) === 'approve' && t('route.eds'),
    isOutside &&
      doneAt === null &&
      isSigningType(kindOfPoint(point)) &&
      !isPersonNumber(bin) &&
      t(`route.key.${point.keyHolder}`),
  ].filter((line) => typeof line === 'string' && line !== '')
  return lines.map((line, i) => (
    <p key={i} className={classes.whose}>
      {line}
    </p>
  ))
}

/** The status of the point, its time, and the reason if there is one. */
function Status({ point, isOver }: { point: PointView; isOver: boolean }) {
  const { t, find } = useTexts('requests')
  const word = t(`pointStatus.${pointStatusWord(point, isOver)}`)
  const { turnCameAt, doneAt, statusDescriptionData: why } = point
  const code = why?.parameters['code']
  const reason = typeof code === 'string' ? find(`signatures:codes.${code}`) : undefined
  const isFailed = pointStatusOf(point) === 'ValidationError'
  const keyFacts = useKeyFacts(why?.parameters)
  const said =
    doneAt === null
      ? turnCameAt === null || isOver
        ? word
        : t('route.since', { status: word, date: formatMoment(turnCameAt) })
      : t('route.at', { status: word, date: formatMoment(doneAt) })
  return (
    <>
      <p className={classes.status}>{said}</p>
      {isFailed && reason && (
        <p className={classes.why}>
          <WarningIcon size={16} />
          <span>
            {reason} ({String(code)}). {keyFacts}
          </span>
        </p>
      )}
    </>
  )
}

function Signature(props: { signature: SignatureOf; requestKey: RequestKey; fileName: string }) {
  const { t } = useTexts('requests')
  const [isOpen, setOpen] = useState(false)
  const { signature } = props
  return (
    <div className={classes.signature}>
      <UnstyledButton
        className={classes.opener}
        aria-expanded={isOpen}
        data-state={signature.state}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          {t('signature.details', { name: signature.certificate?.fullName || signature.by.fullName })}
        </span>
        <ChevronDownIcon size={16} />
      </UnstyledButton>
      <Collapse expanded={isOpen}>{isOpen && <SignatureDetails {...props} />}</Collapse>
    </div>
  )
}
