/** The results for the typed text: places of the application at once, results of the server when they arrive. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { search, type SearchKind } from '@kelisim/domain/search/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { isElsewhere } from '../shell/menu/menu.ts'
import { useMenu } from '../shell/menu/side-menu.tsx'
import { useSwitch } from '../shell/session/organization-switch.ts'
import { portalAddress } from '../shell/session/portal-address.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { addressOf } from './addresses.ts'

export type Item = z.output<typeof search.result>['groups'][number]['items'][number]
export type GroupKind = SearchKind | 'section' | 'organization' | 'help'

export type Option = {
  key: string
  title: Item['title']
  note: string
  item: Item | null
  /** Null: `act` is called instead. */
  href: string | null
  act: (() => void) | null
}

export type FoundGroup = { kind: GroupKind; options: Option[]; hasMore: boolean }

export type SearchResults = {
  groups: FoundGroup[]
  /** The results belong to the text before the last change. */
  isStale: boolean
  isFailed: boolean
  /** The text that was searched for instead, because nothing contains the typed words. */
  corrected: string | null
}

/** Long enough for the next letter of a fast typist, short enough not to be noticed. */
const pauseMs = 120
const mostPlaces = { empty: 6, typed: 4 }
const takenOfOneKind = 50

export function useFound(typed: string, kind: SearchKind | null): SearchResults {
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const [q] = useDebouncedValue(typed.trim(), pauseMs)
  const { data, isPlaceholderData, isError } = useQuery({
    ...query(search, { organizationId, q, ...(kind && { kind, take: takenOfOneKind }) }),
    placeholderData: keepPreviousData,
    // Recent results are shown at once when the same text is typed again.
    staleTime: 10_000,
  })
  const places = usePlaces(typed)
  const things = (data?.groups ?? []).map((group): FoundGroup => ({
    ...group,
    options: group.items.map((item) => optionOf(group.kind, item, organizationId)),
  }))
  const isEmpty = typed.trim() === ''
  return {
    groups: kind ? things : isEmpty ? [...things, ...places] : around(things, places),
    isStale: q !== typed.trim() || isPlaceholderData || (data === undefined && !isError),
    isFailed: isError,
    corrected: data?.corrected ?? null,
  }
}

/** Puts sections before the results, because their names are usually meant, and pages of the help after them. */
function around(things: FoundGroup[], places: FoundGroup[]): FoundGroup[] {
  const isHelp = ({ kind }: FoundGroup) => kind === 'help'
  return [...places.filter((group) => !isHelp(group)), ...things, ...places.filter(isHelp)]
}

function optionOf(kind: SearchKind, item: Item, organizationId: string): Option {
  const title = item.title.map(({ text }) => text).join('')
  return {
    key: `${kind}-${item.id}`,
    title: item.title,
    note: kind === 'counterparty' ? inGroups(item.note) : item.note,
    item,
    href: addressOf(kind, { id: item.id, title }, organizationId),
    act: null,
  }
}

/** Sections of the menu and the person's organisations, which are known without a call. */
function usePlaces(typed: string): FoundGroup[] {
  const { t } = useTexts('shell')
  const { session, organization } = useWorkplace()
  const { ask } = useSwitch()
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const most = words.length === 0 ? mostPlaces.empty : mostPlaces.typed
  const has = (text: string) => words.every((word) => text.toLocaleLowerCase().includes(word))
  const plain = (text: string) => [{ text, isFound: false }]
  const here = (page: string) => inOrganization(page, organization.Id)
  const entries = useMenu().flatMap((section) =>
    section.groups.flatMap((group) =>
      group.entries
        .filter((entry) => !isElsewhere(entry))
        .map((entry) => ({
          kind: section.name === 'help' ? ('help' as const) : ('section' as const),
          name: t(entry.text),
          note: [t(section.text), group.text && t(group.text)].filter(Boolean).join(' · '),
          href: here(entry.to),
        })),
    ),
  )
  const home = { kind: 'section' as const, name: t('menu.today'), note: '', href: here(pages.today) }
  const waits = { kind: 'section' as const, name: t('menu.insight'), note: '', href: here(pages.insight) }
  const portal = {
    kind: 'section' as const,
    name: t('systems.portal'),
    note: t('header.systems'),
    href: portalAddress(organization.Id),
  }
  const ofKind = (kind: 'section' | 'help') =>
    [home, waits, ...entries, portal]
      .filter((entry) => entry.kind === kind && has(`${entry.name} ${entry.note}`))
      .slice(0, most)
      .map(({ name, note, href }): Option => ({
        key: `section-${href}`,
        title: plain(name),
        note,
        item: null,
        href,
        act: null,
      }))
  const others = session.organizations
    .filter(({ Id }) => Id !== organization.Id)
    .filter(({ ShortName, Bin }) => words.length > 0 && has(`${ShortName} ${Bin}`))
    .slice(0, most)
    .map((other): Option => ({
      key: `organization-${other.Id}`,
      title: plain(other.ShortName),
      note: inGroups(other.Bin),
      item: null,
      href: null,
      act: () => ask(other),
    }))
  return [
    { kind: 'section' as const, options: ofKind('section'), hasMore: false },
    { kind: 'organization' as const, options: others, hasMore: false },
    { kind: 'help' as const, options: words.length === 0 ? [] : ofKind('help'), hasMore: false },
  ].filter(({ options }) => options.length > 0)
}
