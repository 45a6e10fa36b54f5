/** Shows before sending who will receive what and do what, in order. */
import { useState } from 'react'
import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { inGroups, unbroken } from '@kelisim/domain/numbers.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { Verdict } from '@kelisim/domain/routes/condition.ts'
import { rehearse, type Rehearsal, type Step } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { CheckIcon, SendIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { casesOf, differentConditions, verdictIn, type Case } from '../conditions/cases.ts'
import { useConditionText } from '../conditions/use-condition-text.ts'
import { useEscalationText } from '../conditions/use-escalation-text.ts'
import { useFaultText } from './point-faults.tsx'
import { inputOf, type RouteValues } from './route-view.ts'
import classes from './routes.module.css'

type RehearsalView = z.output<typeof Rehearsal>
type StepView = z.output<typeof Step>

const delay = 300

/** The rehearsal of the route as it is in the editor now. */
export function useRehearsal(values: RouteValues) {
  const { organization } = useWorkplace()
  const { points, visibilityScope } = inputOf(values)
  const [asked] = useDebouncedValue({ points, visibilityScope }, delay)
  const { data, error } = useQuery({
    ...query(rehearse, { organizationId: organization.Id, ...asked }),
    enabled: asked.points.length > 0,
    placeholderData: keepPreviousData,
    // Always reloaded, because groups and recipients change independently.
    staleTime: 0,
  })
  const gone = error?.alias === 'points-not-found' ? (error.parameters['pointIds'] as string[]) : []
  return {
    rehearsal: points.length > 0 && !error ? data : undefined,
    /** Points that were deleted meanwhile: the route cannot be rehearsed with them. */
    missing: [{ fault: 'points-not-found' as const, pointIds: gone }],
  }
}

export function RehearsalCard({ rehearsal }: { rehearsal: RehearsalView | undefined }) {
  const { t } = useTexts('routes')
  return (
    <Card title={t('rehearsal.title')}>
      {rehearsal ? <Turns rehearsal={rehearsal} /> : <p className={classes.quiet}>{t('rehearsal.empty')}</p>}
    </Card>
  )
}

/** If there is a document, the server has judged the conditions; otherwise the person chooses a case. */
function Turns({ rehearsal: { turns } }: { rehearsal: RehearsalView }) {
  const { t } = useTexts('routes')
  const conditionText = useConditionText()
  const [chosen, setChosen] = useState<Case>('all')
  const all = turns.flatMap(({ steps }) => steps)
  const conditions = differentConditions(all)
  const isJudged = all.some(({ verdict }) => verdict !== null)
  const shown = casesOf(conditions).includes(chosen) ? chosen : 'all'
  const verdictOf = ({ verdict, condition }: StepView) =>
    isJudged ? verdict : verdictIn(shown, conditions, condition)
  const isSigned = all.some((step) => step.act === 'sign' && verdictOf(step) !== 'notMet')
  const caseText = (one: Case) =>
    typeof one === 'number'
      ? t('conditions.cases.only', { what: conditionText(conditions[one]!) })
      : t(`conditions.cases.${one}`)
  return (
    <>
      {conditions.length > 0 && !isJudged && (
        <NativeSelect
          mb={12}
          label={t('conditions.case')}
          value={String(shown)}
          data={casesOf(conditions).map((one) => ({ value: String(one), label: caseText(one) }))}
          onChange={({ currentTarget: { value } }) =>
            setChosen(value === 'all' || value === 'none' ? value : Number(value))
          }
        />
      )}
      <ol className={classes.rehearsal} aria-label={t('rehearsal.title')}>
        <li>
          <span className={classes.dot}>
            <SendIcon size={14} />
          </span>
          <p>{t('rehearsal.start')}</p>
        </li>
        {turns.map(({ order, steps }, i) => (
          <li key={order}>
            <span className={classes.dot} aria-hidden="true">
              {i + 1}
            </span>
            {steps.length > 1 && <p className={classes.quiet}>{t('rehearsal.together')}</p>}
            {steps.map((step) => (
              <WhoDoesWhat key={step.pointId} step={step} verdict={verdictOf(step)} />
            ))}
          </li>
        ))}
        <li>
          <span className={classes.dot} data-end>
            <CheckIcon size={14} />
          </span>
          <p>{t('rehearsal.end')}</p>
        </li>
      </ol>
      {!isSigned && (
        <p className={classes.note}>
          <WarningIcon size={16} />
          {t('rehearsal.nobodySigns')}
        </p>
      )}
    </>
  )
}

function WhoDoesWhat({ step, verdict }: { step: StepView; verdict: Verdict | null }) {
  const { t } = useTexts('routes')
  const conditionText = useConditionText()
  const escalationText = useEscalationText()
  const deed = useDeed(step)
  const faultText = useFaultText()
  const side = sideOf(typeOf(step.type)!)
  const isOwn = side === 'internal'
  const who = isOwn ? step.group?.name : step.organizationName || inGroups(step.bin)
  const names = step.addressed.map(({ fullName }) => fullName).join(', ')
  const addressees = isOwn ? names : step.emails.join(', ')
  const why = step.condition && verdict && whys[verdict]
  const because = why && <small>{t(`conditions.${why}`, { what: conditionText(step.condition!) })}</small>
  if (verdict === 'notMet') {
    return (
      <div className={classes.whoDoes} data-passed>
        <p>
          <del>{who || step.name}</del>
        </p>
        {because}
      </div>
    )
  }
  return (
    <div className={classes.whoDoes}>
      <p>
        <b>{who || step.name}</b> {deed}
      </p>
      {because}
      {step.termDays !== null && <small>{t('term.within', { count: step.termDays })}</small>}
      {step.escalation && <small>{escalationText(step.escalation)}</small>}
      {addressees && <small>{t('rehearsal.emails', { to: addressees })}</small>}
      {step.signatureForm === 'pades' && <small>{t('rehearsal.inside')}</small>}
      {step.signatureForm === 'xades' && <small>{t('rehearsal.inXml')}</small>}
      {side === 'counterParty' && <small>{t('rehearsal.theirGroup', { name: step.name })}</small>}
      {step.faults.map((fault) => (
        <small key={fault} className={classes.wrong}>
          {faultText(fault)}
        </small>
      ))}
    </div>
  )
}

/** The text keys for the verdict on a condition. */
const whys = { met: 'met', notMet: 'passed', unknown: 'unknown' } as const

/** What the people of a step do, as the rest of a sentence that starts with their names. */
function useDeed({ type, act, agreementCondition, quorum, certificate, bin }: StepView): string {
  const { t } = useTexts('routes')
  if (sideOf(typeOf(type)!) !== 'internal') return t(`deeds.outside.${act}`, { number: unbroken(bin) })
  if (act === 'inform') return t('deeds.inform')
  const action =
    quorum === null ? t(`deeds.${act}.${agreementCondition}`) : t(`deeds.${act}.quorum`, { quorum })
  if (!certificate) return action
  return act === 'sign' ? `${action} ${t(`deeds.by.${certificate}`)}` : `${action}, ${t('deeds.confirmed')}`
}
