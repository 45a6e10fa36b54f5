/** The route was saved by somebody else meanwhile: shows their changes and lets the person choose a version. */
import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { callsByKind, type RouteChanges, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { LoadingLines } from '../ui/page/loading.tsx'
import { useConditionText } from './conditions/use-condition-text.ts'
import { scopeNameOf } from './editor/route-view.ts'
import classes from './editor/routes.module.css'

type Changes = z.output<typeof RouteChanges>

export function OutdatedDialog(props: {
  isOpen: boolean
  kind: RouteKind
  routeId: string
  /** The version on which the person's own changes are based. */
  since: number
  onTakeTheirs: () => void
  onKeepMine: () => void
  onClose: () => void
}) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const { kind, routeId, since } = props
  const { data } = useQuery({
    ...query(callsByKind[kind].changes, { organizationId: organization.Id, routeId, since }),
    enabled: props.isOpen,
    staleTime: 0,
  })
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('outdated.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={560}
    >
      {data ? <WhatChanged changes={data} /> : <LoadingLines />}
      <p className={classes.quiet}>{t('outdated.choice')}</p>
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={props.onKeepMine}>
          {t('outdated.keepMine')}
        </Button>
        <Button data-autofocus onClick={props.onTakeTheirs}>
          {t('outdated.takeTheirs')}
        </Button>
      </Group>
    </Modal>
  )
}

export function WhatChanged({ changes }: { changes: Changes }) {
  const { t } = useTexts('routes')
  const { before, after, fields, points } = changes
  const conditionText = useConditionText()
  const needed = (condition: Condition | null) =>
    condition ? t('conditions.onlyIf', { what: conditionText(condition) }) : t('outdated.always')
  const term = (days: number | null) =>
    days === null ? t('outdated.noTerm') : t('term.within', { count: days })
  function changeText(point: Changes['points'][number]): string {
    const { name } = point
    switch (point.change) {
      case 'moved':
        return t('outdated.moved', { name, from: point.from, to: point.to })
      case 'condition':
        return t('outdated.condition', { name, before: needed(point.before), after: needed(point.after) })
      case 'term':
        return t('outdated.term', { name, before: term(point.before), after: term(point.after) })
      case 'escalation':
        return t('outdated.escalation', { name })
      case 'added':
      case 'removed':
        return t(`outdated.${point.change}`, { name, step: point.order })
    }
  }
  const shown = { before: shownFields(before), after: shownFields(after) }
  function shownFields(version: Changes['before']) {
    return {
      name: version.name,
      description: version.description || t('outdated.none'),
      visibilityScope: t(`scopes.${scopeNameOf(version.visibilityScope)}`),
      isActive: t(version.isActive ? 'outdated.active' : 'outdated.inactive'),
    }
  }
  return (
    <>
      <p>{t('outdated.who', { name: after.savedBy.fullName, when: formatMoment(after.savedAt) })}</p>
      <ul className={classes.changes} aria-label={t('outdated.list')}>
        {fields.map((field) => (
          <li key={field}>
            {t(`outdated.fields.${field}`)}: <del>{shown.before[field]}</del> <ins>{shown.after[field]}</ins>
          </li>
        ))}
        {points.map((point) => (
          <li key={`${point.change}:${point.pointId}`}>{changeText(point)}</li>
        ))}
      </ul>
    </>
  )
}
