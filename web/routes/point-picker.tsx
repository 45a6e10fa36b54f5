/** Adding a point by typing: a name, a group of one's own, or a BIN/IIN. What is not there yet can be made at once. */
import { useState } from 'react'
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { inGroups, isTwelveDigits } from '@kelisim/domain/identity/numbers.ts'
import { getGroups } from '@kelisim/domain/identity/portal-contract.ts'
import { findPublishedPoints, getPoints } from '@kelisim/domain/points/contract.ts'
import { maskOf, selectableMask } from '@kelisim/domain/points/point-types.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { query } from '../api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { KnownGroup } from '../points/group-fields.tsx'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { editorPoint, publishedPoint, type EditorPoint } from './editor-point.ts'
import classes from './routes.module.css'
import { hasPoint, type Steps } from './steps.ts'

/** What is known of a point that has to be made. */
export type PointWish = { name: string; group?: KnownGroup; bin?: string }

export function PointPicker(props: {
  label: string
  isLabelShown?: boolean
  steps: Steps<EditorPoint>
  scope: VisibilityScope
  problem?: string | undefined
  isFocused?: boolean
  onPick: (point: EditorPoint) => void
  onMake: (wish: PointWish) => void
  onClose?: () => void
}) {
  const { t } = useTexts('routes')
  const [typed, setTyped] = useState('')
  const { points, published, groups, number, mayMake } = useFound(typed)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  /** What each of the options shown does. */
  const choices = new Map<string, () => void>()
  const whyNot = (point: EditorPoint) => {
    if (hasPoint(props.steps, point.pointId)) return t('picker.alreadyThere')
    return props.scope === 'common' && point.scope === 'personal' ? t('picker.personal') : null
  }
  const option = (point: EditorPoint) => {
    choices.set(point.pointId, () => props.onPick(point))
    return <PointOption key={point.pointId} point={point} whyNot={whyNot(point)} />
  }
  const make = (key: string, text: string, wish: PointWish) => {
    choices.set(key, () => props.onMake(wish))
    return (
      <Combobox.Option key={key} value={key} className={classes.makeOption}>
        <PlusIcon size={16} />
        {text}
      </Combobox.Option>
    )
  }
  const name = typed.trim()
  const isEmpty = points.length + published.length === 0
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        choices.get(key)?.()
        setTyped('')
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          size="md"
          className={classes.picker ?? ''}
          data-field={props.isLabelShown ? 'points' : undefined}
          {...(props.isLabelShown ? { label: props.label } : { 'aria-label': props.label })}
          placeholder={t('picker.placeholder')}
          error={props.problem}
          autoComplete="off"
          maxLength={250}
          value={typed}
          ref={(input) => {
            if (props.isFocused && input && input.dataset['wasFocused'] === undefined) {
              input.dataset['wasFocused'] = ''
              input.focus()
            }
          }}
          onChange={(event) => {
            setTyped(event.currentTarget.value.trimStart())
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            if (typed === '') props.onClose?.()
          }}
          onKeyDown={(event) => {
            // The picker is not the form's last field: Enter chooses, it does not save.
            if (event.key === 'Enter') event.preventDefault()
            if (event.key === 'Escape' && !combobox.dropdownOpened) props.onClose?.()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options className={classes.found ?? ''} aria-label={props.label}>
          {points.length > 0 && (
            <Combobox.Group label={t('picker.points')}>{points.map(option)}</Combobox.Group>
          )}
          {published.length > 0 && (
            <Combobox.Group label={t('picker.published', { name: published[0]!.who })}>
              {published.map(option)}
            </Combobox.Group>
          )}
          {isEmpty && <Combobox.Empty>{name ? t('picker.nothing') : t('picker.noPoints')}</Combobox.Empty>}
          {mayMake && (
            <Combobox.Group label={t('picker.make')}>
              {groups.map((group) =>
                make(`group:${group.id}`, t('picker.makeForGroup', { name: group.name }), {
                  name: '',
                  group,
                }),
              )}
              {number
                ? make('number', t('picker.makeForNumber', { number: inGroups(number) }), {
                    name: '',
                    bin: number,
                  })
                : make('new', name ? t('picker.makeNamed', { name }) : t('points:add'), { name })}
            </Combobox.Group>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function PointOption({ point, whyNot }: { point: EditorPoint; whyNot: string | null }) {
  const { t } = useTexts('points')
  return (
    <Combobox.Option value={point.pointId} disabled={whyNot !== null} className={classes.option}>
      <b>{point.name}</b>
      <small>{whyNot ?? [t(`types.${point.type}`), point.who].filter(Boolean).join(' · ')}</small>
    </Combobox.Option>
  )
}

const delay = 200
const mostPoints = 12
const mostGroups = 3

/** Published points of one's own are for others: a route of one's own leads to the group directly. */
const ownKinds = (maskOf('internal') | maskOf('external')) & selectableMask

function useFound(typed: string) {
  const { organization, options } = useWorkplace()
  const organizationId = organization.Id
  const [asked] = useDebouncedValue(typed.trim(), delay)
  const digits = asked.replaceAll(/[\s-]/g, '')
  const number = isTwelveDigits(digits) ? digits : null
  const mayMake = options.allowed.editPoints
  const own = useQuery({
    ...query(getPoints, {
      ...{ organizationId, skip: 0, take: mostPoints, pointType: ownKinds },
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
  return {
    number,
    mayMake,
    points: own.data?.items.map((point) => editorPoint(point, organizationId)) ?? [],
    published: number ? (theirs.data?.items.map(publishedPoint) ?? []) : [],
    groups: asked && !number ? (groups.data?.items ?? []) : [],
  }
}
