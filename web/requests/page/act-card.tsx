/** The state of the request for this person, the main action, and the other actions. */
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { neededOf } from '@kelisim/domain/points/point.ts'
import { pointStatusOf } from '@kelisim/domain/requests/point-status-word.ts'
import { askedPointStatuses } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate, formatMoment, formatShortMoment } from '../../ui/format/dates.ts'
import { useActorName } from '../shared/actor-name.ts'
import { useDeadlineText } from '../shared/deadline.ts'
import classes from '../shared/request-page.module.css'
import { useStatusLook } from '../shared/request-status.tsx'
import {
  awaitedOf,
  awaitedSides,
  signatureBeingChecked,
  currentPoints,
  actionName,
  isOver,
  processOfRequest,
  sortedActions,
  type AwaitedSide,
  type RequestAction,
  type RequestView,
  type PointView,
} from '../shared/request-view.ts'
import { NeededKey, ReadOnlyKey, useKeyFacts } from '../shared/needed-key.tsx'
import { endingComments, OtherRequestLink } from '../shared/other-request.tsx'
import type { RequestKey } from '../shared/queries.ts'
import { CorrectButton } from '../correcting/correct-button.tsx'
import { answerOf } from '../packages/package-answer.ts'
import { Proposals } from '../proposing/proposals.tsx'
import { ProposeButton } from '../proposing/propose-button.tsx'
import { EndingsMenu } from './endings-menu.tsx'

export function ActCard(props: {
  request: RequestView
  requestKey: RequestKey
  onAct: (action: RequestAction) => void
  onKept: (request: RequestView) => void
}) {
  const { request, onAct } = props
  const { t } = useTexts('requests')
  const { main, others, endings } = sortedActions(request)
  const process = processOfRequest(request)
  const { tone, word } = useStatusLook({ status: request.status, awaited: awaitedOf(request) })
  const label = (action: RequestAction) => {
    const act = t(`acts.${actionName(action, process)}`)
    const isSecond = action.point !== null && main !== null && action.point.pointId !== main.point?.pointId
    return isSecond ? t('acts.at', { act, point: action.point!.name }) : act
  }
  return (
    <section className={classes.actCard} data-tone={tone} aria-labelledby="request-says">
      <header>
        <h2 id="request-says">{word}</h2>
        <EndingsMenu endings={endings} onAct={onAct} />
      </header>
      <About request={request} main={main} />
      <SentAgain {...props} />
      <Proposals request={request} requestKey={props.requestKey} onKept={props.onKept} />
      {main && (
        <Button fullWidth size="lg" onClick={() => onAct(main)}>
          {label(main)}
        </Button>
      )}
      {others.length > 0 && (
        <Group gap={8}>
          {others.map((action) => (
            <Button
              key={`${action.act}:${action.point?.pointId ?? ''}`}
              variant="default"
              className={classes.otherAct}
              {...(action.act === 'reject' && { c: 'var(--bad)' })}
              onClick={() => onAct(action)}
            >
              {label(action)}
            </Button>
          ))}
        </Group>
      )}
      <ProposeButton request={request} requestKey={props.requestKey} onKept={props.onKept} />
      <CorrectButton request={request} requestKey={props.requestKey} onKept={props.onKept} />
    </section>
  )
}

/**
 * For a request that ended without an agreement: offers to send it again, or links to the request that followed it.
 */
function SentAgain({ request, requestKey }: { request: RequestView; requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const { id, followedBy, canSendAgain, isQuick } = request
  if (followedBy) {
    return (
      <p className={classes.again}>
        {t('again.sent')} <OtherRequestLink other={followedBy} from={request} requestKey={requestKey} />
      </p>
    )
  }
  if (!canSendAgain) return null
  return (
    <Button
      fullWidth
      size="lg"
      renderRoot={(root) =>
        isQuick ? (
          <Link to="/signingRequests/addQuick/{-$id}" search={{ follows: id }} {...root} />
        ) : (
          <Link to="/signingRequests/add/{-$id}" search={{ follows: id }} {...root} />
        )
      }
    >
      {t('again.send')}
    </Button>
  )
}

/** What the action requires, who is awaited, and why the request does not proceed. */
function About({ request, main }: { request: RequestView; main: RequestAction | null }) {
  const { t, find } = useTexts('requests')
  const actorName = useActorName()
  const deadlineText = useDeadlineText()
  const { lock, isTimestampRequired } = request
  const checked = signatureBeingChecked(request)
  const lines = [
    ...(main?.point?.actsInsteadOf ? [t('youActInstead', { name: main.point.actsInsteadOf })] : []),
    ...(main?.act === 'sign' && isTimestampRequired ? [t('about.stamp')] : []),
    ...(request.package?.isTogether && main
      ? [t('about.together', { count: answerOf(request, main)?.requests.length ?? 1 })]
      : []),
    ...(main?.point && main.act !== 'sign' ? howMany(main.point, t) : []),
    ...(checked && !main ? [t('about.checking')] : []),
    ...(checked?.nextTryAt && checked.verdict?.code
      ? [t('about.nextTry', { time: formatMoment(checked.nextTryAt) })]
      : []),
    ...(main?.point?.dueOn ? [deadlineText(main.point.dueOn).text] : []),
    ...(request.expiredAt !== null && request.expiresOn !== null
      ? [t('deadline.expired', { date: formatDate(request.expiresOn) })]
      : []),
    ...endingComments(request).map(({ by, comment }) => t('about.said', { name: actorName(by), comment })),
    ...(lock ? [t('about.locked', { name: lock.fullName })] : []),
  ]
  const failed = main?.point && pointStatusOf(main.point) === 'ValidationError' ? main.point : null
  const code = failed?.statusDescriptionData?.parameters['code']
  const keyFacts = useKeyFacts(failed?.statusDescriptionData?.parameters)
  const unreadable = currentPoints(request).find(
    (point) => !point.takesMyKey && isWaiting(point) && !isOver(request),
  )
  return (
    <div className={classes.about}>
      {main?.act === 'sign' && main.point && <NeededKey point={main.point} />}
      {!main && unreadable && <ReadOnlyKey point={unreadable} />}
      {typeof code === 'string' && (
        <p className={classes.wrong}>
          {find(`signatures:codes.${code}`)} ({code}). {keyFacts && `${keyFacts} `}
          {t('about.refusedAgain')}
        </p>
      )}
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {!main && !isOver(request) && <Waiting sides={awaitedSides(request)} />}
    </div>
  )
}

/** The sides that still have to answer, and since when. */
function Waiting({ sides }: { sides: readonly AwaitedSide[] }) {
  const { t } = useTexts('requests')
  const people = useAwaitedPeople()
  if (sides.length === 0) return null
  return (
    <>
      <p id="request-waits">{t('about.waits')}</p>
      <ul className={classes.waiting} aria-labelledby="request-waits">
        {sides.slice(0, mostSides).map((side) => (
          <li key={side.pointId}>
            <b>{side.name}</b>
            {side.people.length > 0 && <span>{people(side)}</span>}
            {side.since && <small>{t('about.since', { date: formatShortMoment(side.since) })}</small>}
          </li>
        ))}
        {sides.length > mostSides && <li>{t('about.rest', { number: sides.length - mostSides })}</li>}
      </ul>
    </>
  )
}

/** The pinned card must fit the screen, so it names only some sides; the route below names all. */
const mostSides = 4
/** More people than this are given as a number instead of by name. */
const mostNames = 3

export function useAwaitedPeople(): (side: Pick<AwaitedSide, 'people' | 'needed'>) => string {
  const { t } = useTexts('requests')
  return ({ people, needed }) => {
    const isOneEnough = needed === 1 && people.length > 1
    const named =
      people.length > mostNames
        ? t('route.participants', { count: people.length })
        : people.join(isOneEnough ? ` ${t('about.or')} ` : ', ')
    if (needed > 1 && needed < people.length) return t('about.someOf', { people: named, needed })
    return isOneEnough && people.length > mostNames ? t('about.oneOf', { people: named }) : named
  }
}

function isWaiting(point: PointView): boolean {
  const status = pointStatusOf(point)
  return status !== null && askedPointStatuses.includes(status)
}

/** How many answers the point needs, unless one is enough. */
function howMany(point: PointView, t: ReturnType<typeof useTexts<'requests'>>['t']): string[] {
  const people = point.participants.length
  const needed = neededOf(point, people)
  if (needed < 2) return []
  return [needed === people ? t('about.all') : t('about.quorum', { needed, people })]
}
