/** Shows before sending why it would be refused, with a remedy for each problem, and who will receive what. */
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { helpPage } from '@kelisim/domain/help/documents.ts'
import type { tryRequest } from '@kelisim/domain/requests/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { RehearsalCard } from '../../routes/editor/rehearsal.tsx'
import { portalAddress } from '../../shell/session/portal-address.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { CheckIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { trialDelay, trialQuery } from './queries.ts'
import { factsOf, type TypedFacts } from './route-facts.tsx'
import classes from './send.module.css'

type Trial = z.output<typeof tryRequest.result>

export function useSendCheck({
  documentId,
  routeId,
  kindId,
  facts: typed,
}: {
  documentId: string
  routeId: string
  kindId: string
  facts: TypedFacts
}) {
  const { organization } = useWorkplace()
  const isAsked = documentId !== '' && routeId !== ''
  const [facts] = useDebouncedValue(typed, trialDelay)
  const asked = useQuery({
    ...trialQuery(organization.Id, { documentId, routeId, kindId, facts: factsOf(facts) }),
    enabled: isAsked,
  })
  return { ...asked, isAsked, trial: isAsked ? asked.data : undefined }
}

export type Remedy = 'document' | 'route' | 'other-route'

/** Refusals grouped by what causes them, on which the remedy depends. */
const ofDocument = new Set(['document-not-found', 'outdated-document', 'file-not-found'])
const ofOtherRoute = new Set(['route-not-found', 'unavailable-route'])

/** The result of the trial, for one document or for several. */
export type SendCheck = Pick<ReturnType<typeof useSendCheck>, 'isAsked' | 'trial' | 'error'> & {
  refetch: () => Promise<unknown>
}

export function SendCheckAside(props: {
  asked: SendCheck
  mayEditRoute: boolean
  onRemedy: (remedy: Remedy) => void
}) {
  const { t, find } = useTexts('requests-sending')
  const { trial, isAsked, error, refetch } = props.asked
  if (!isAsked) {
    return (
      <Card title={t('trial.title')}>
        <p className={classes.quiet}>{t('trial.empty')}</p>
      </Card>
    )
  }
  if (error) {
    return (
      <Card title={t('trial.failed')}>
        <p>{find(`errors:${error.alias}.text`, error.parameters) ?? error.message}</p>
        <Button mt={12} variant="default" onClick={() => void refetch()}>
          {t('trial.again')}
        </Button>
      </Card>
    )
  }
  if (!trial) return null
  return (
    <>
      <div role="status">
        {trial.refusals.length === 0 ? (
          <p className={classes.good}>
            <CheckIcon size={18} />
            {t('trial.ok')}
          </p>
        ) : (
          <Card title={t('trial.wrong')}>
            <ul className={classes.refusals}>
              {trial.refusals.map((refusal) => (
                <Refusal key={refusal.alias} refusal={refusal} {...props} />
              ))}
            </ul>
          </Card>
        )}
      </div>
      {trial.rehearsal && <RehearsalCard rehearsal={trial.rehearsal} />}
    </>
  )
}

function Refusal(props: {
  refusal: Trial['refusals'][number]
  mayEditRoute: boolean
  onRemedy: (remedy: Remedy) => void
}) {
  const { t, find } = useTexts('requests-sending')
  const { alias, parameters } = props.refusal
  const { organization } = useWorkplace()
  return (
    <li>
      <WarningIcon size={18} />
      <div>
        <p>{find(`errors:${alias}.text`, parameters) ?? alias}</p>
        <div className={classes.ways}>{remedy()}</div>
      </div>
    </li>
  )

  function remedy() {
    if (alias === 'organization-restricted') {
      return (
        <>
          <Button component="a" href={helpPage('price-list')} target="_blank" size="compact-md">
            {t('trial.priceList')}
          </Button>
          <Button component="a" href="/#contacts" target="_blank" size="compact-md" variant="default">
            {t('trial.manager')}
          </Button>
        </>
      )
    }
    if (alias === 'organization-not-confirmed') {
      return (
        <Button component="a" href={portalAddress(organization.Id)} size="compact-md">
          {t('trial.confirm')}
        </Button>
      )
    }
    const [kind, text]: [Remedy, string] = ofDocument.has(alias)
      ? ['document', t('trial.otherDocument')]
      : ofOtherRoute.has(alias) || !props.mayEditRoute
        ? ['other-route', t('trial.otherRoute')]
        : ['route', t('trial.editRoute')]
    return (
      <Button size="compact-md" variant="default" onClick={() => props.onRemedy(kind)}>
        {text}
      </Button>
    )
  }
}
