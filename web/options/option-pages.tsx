/**
 * All options on one page, by who sees them (docs/product/portal-and-options.md). Each address leads to its section.
 */
import { useEffect, useState, type ComponentType } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { Substitution } from '../substitutions/substitution.tsx'
import { substitutionsQuery } from '../substitutions/queries.ts'
import { useAddress } from '../ui/browser/address.ts'
import { useListSearch } from '../ui/list/list-search.ts'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { CounterPartyOptions } from './counter-party-options.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import {
  DocumentFormat,
  DocumentPrinting,
  QuickSend,
  RolePermissions,
  SigningReport,
} from './organization-options.tsx'
import { notificationSettingsQuery } from './queries.ts'
import { PersonalData } from './personal-data.tsx'
import { QuickSendGroup } from './quick-send-group.tsx'
import { headingOf } from './shared/option-section.tsx'
import classes from './shared/options.module.css'
import { myGroupsQuery, userOptionsQuery } from './shared/queries.ts'

/** The sections by the last part of their addresses, in lower case. */
const personal: Record<string, ComponentType> = {
  notificationsettings: NotificationSettings,
  groups: QuickSendGroup,
  substitution: Substitution,
  personaldata: PersonalData,
}
const ofOrganization: Record<string, ComponentType> = {
  quicksend: QuickSend,
  pointsandroutesrolespermissions: RolePermissions,
  documentprintingoptions: DocumentPrinting,
  documentextensionpermissions: DocumentFormat,
  counterpartypointoptions: CounterPartyOptions,
  documentgenerationreportoptions: SigningReport,
}

export function OptionsPage() {
  const { organization } = useWorkplace()
  // An address without a section leads to the first one.
  const wanted = (useAddress().params.name ?? Object.keys(personal)[0]!).toLowerCase()
  const isKnown = Object.hasOwn(personal, wanted) || Object.hasOwn(ofOrganization, wanted)
  if (!isKnown) return <PageNotFound />
  // The key resets the page when the organisation changes.
  return <AllOptions key={organization.Id} wanted={wanted} />
}

function AllOptions({ wanted }: { wanted: string }) {
  const { t } = useTexts('options')
  const { options } = useWorkplace()
  const isReady = useIsReady()
  useSection(wanted, isReady)
  return (
    <Page title={t('page.title')} lead={t('page.lead')}>
      {!isReady && <LoadingLines count={12} />}
      {isReady && <OptionGroup title={t('page.personal')} sections={personal} />}
      {isReady && options.allowed.manageOrganization && (
        <OptionGroup title={t('page.organization')} sections={ofOrganization} />
      )}
    </Page>
  )
}

function OptionGroup({ title, sections }: { title: string; sections: Record<string, ComponentType> }) {
  return (
    <section className={classes.group}>
      <h2>{title}</h2>
      {Object.entries(sections).map(([name, Section]) => (
        <Section key={name} />
      ))}
    </section>
  )
}

/** Waits until all sections can be shown: a section that grew later would move the wanted one out of view. */
function useIsReady(): boolean {
  const { organization } = useWorkplace()
  const queries = [
    useQuery(notificationSettingsQuery(organization.Id)),
    useQuery(myGroupsQuery(organization.Id)),
    useQuery(userOptionsQuery(organization.Id)),
    useQuery(substitutionsQuery(organization.Id, useListSearch())),
  ]
  const isReady = queries.every(({ data, isError }) => data !== undefined || isError)
  // Once true, it stays true: a section whose query failed asks again when it is shown, which must not hide it.
  const [wasReady, setReady] = useState(isReady)
  if (isReady && !wasReady) setReady(true)
  return isReady || wasReady
}

/**
 * Scrolls to the section that the address names and focuses its heading for screen readers, after the router has
 * scrolled to the top of a new page.
 */
function useSection(wanted: string, isReady: boolean): void {
  const shownAddress = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    const isHere = shownAddress?.toLowerCase().endsWith(`/${wanted}`)
    if (!isReady || !isHere) return
    const heading = document.getElementById(headingOf(wanted))
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  }, [wanted, isReady, shownAddress])
}
