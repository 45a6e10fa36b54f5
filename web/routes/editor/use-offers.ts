/** What the picker offers for the typed text: existing points, points published by a counterparty, and new ones. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { inGroups, isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { findPublishedPoints, getPoints } from '@kelisim/domain/points/contract.ts'
import { maskOf, selectableMask } from '@kelisim/domain/points/point-types.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { KnownGroup } from '../../points/group-fields.tsx'
import { useWorkplace } from '../../shell/session/session.ts'
import { editorPoint, publishedPoint, type EditorPoint } from './editor-point.ts'
import { hasPoint, type Steps } from './steps.ts'

/** The known values of a point to be created. */
export type PointWish = { name: string; group?: KnownGroup; bin?: string }

/** A point to add, or one to create first. */
export type Offer = {
  key: string
  title: string
  note?: string
  whyNot?: string
  point?: EditorPoint
  wish?: PointWish
}

export function useOffers(typed: string, route: { steps: Steps<EditorPoint>; scope: VisibilityScope }) {
  const { t } = useTexts('routes')
  const { points, published, groups, number, mayMake, isCurrent } = useFound(typed.trim())

  function offer(point: EditorPoint): Offer {
    const { pointId: key, name: title, type, who } = point
    const note = [t(`points:types.${type}`), who].filter(Boolean).join(' · ')
    if (hasPoint(route.steps, key)) return { key, title, note, point, whyNot: t('picker.alreadyThere') }
    const isOutOfPlace = route.scope === 'common' && point.scope === 'personal'
    return { key, title, note, point, ...(isOutOfPlace && { whyNot: t('picker.personal') }) }
  }

  function toMake(): Offer[] {
    if (!mayMake) return []
    const name = typed.trim()
    if (number) {
      const title = t('picker.makeForNumber', { number: inGroups(number) })
      return [{ key: 'number', title, wish: { name: '', bin: number } }]
    }
    return [
      ...groups.map((group) => ({
        key: group.id,
        title: t('picker.makeForGroup', { name: group.name }),
        wish: { name: '', group },
      })),
      { key: 'new', title: name ? t('picker.makeNamed', { name }) : t('points:add'), wish: { name } },
    ]
  }

  const sections = [
    { title: t('picker.points'), offers: points.map(offer) },
    { title: t('picker.published', { name: published[0]?.who ?? '' }), offers: published.map(offer) },
    { title: t('picker.make'), offers: toMake() },
  ]
  return { sections: sections.filter(({ offers }) => offers.length > 0), isCurrent }
}

const delay = 200
const mostPoints = 12
const mostGroups = 3

/** The organisation's own published points are left out: its routes use the group directly. */
const ownKinds = (maskOf('internal') | maskOf('external')) & selectableMask

function useFound(typed: string) {
  const { organization, options } = useWorkplace()
  const organizationId = organization.Id
  const [asked] = useDebouncedValue(typed, delay)
  const digits = asked.replaceAll(/[\s-]/g, '')
  const number = isTwelveDigits(digits) ? digits : null
  const mayMake = options.allowed.editPoints
  const own = useQuery({
    ...query(getPoints, {
      organizationId,
      skip: 0,
      take: mostPoints,
      pointType: ownKinds,
      isActive: 'true',
      sort: 'name',
      ...(number ? { bin: number } : asked && { name: asked }),
    }),
    placeholderData: keepPreviousData,
  })
  const theirs = useQuery({
    ...query(findPublishedPoints, { bin: number ?? '', skip: 0, take: mostPoints }),
    enabled: number !== null && number !== organization.Bin,
    retry: false,
  })
  const groups = useQuery({
    ...query(getGroups, { organizationId, skip: 0, take: mostGroups, name: asked }),
    enabled: asked !== '' && number === null && mayMake,
  })
  const isCurrent = asked === typed && !own.isPlaceholderData && !theirs.isLoading
  const points = own.data?.items.map((point) => editorPoint(point, organizationId)) ?? []
  return {
    number,
    mayMake,
    isCurrent,
    // While the server searches, only those earlier results are offered that match the typed text.
    points: isCurrent || number ? points : points.filter(({ name }) => fits(name, typed)),
    published: number ? (theirs.data?.items.map(publishedPoint) ?? []) : [],
    groups: asked && !number ? (groups.data?.items ?? []) : [],
  }
}

function fits(name: string, typed: string): boolean {
  return name.toLowerCase().includes(typed.toLowerCase())
}
