/** A point in the editor: who does what, its problems, and the buttons to move or remove it. */
import type { HTMLAttributes, KeyboardEvent } from 'react'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { actOf } from '@kelisim/domain/points/point-types.ts'
import type { RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  CloseIcon,
  DotsIcon,
  GripIcon,
  PlusIcon,
  WarningIcon,
} from '../../ui/look/icons.tsx'
import conditionClasses from '../conditions/conditions.module.css'
import { useEscalationText } from '../conditions/use-escalation-text.ts'
import { useConditionText } from '../conditions/use-condition-text.ts'
import type { EditorPoint } from './editor-point.ts'
import { useFaultText } from './point-faults.tsx'
import classes from './routes.module.css'
import type { StepPlace, Steps } from './steps.ts'
import type { Drag } from './use-drag.ts'

/** What can be set for a point in this route. */
export type PointSetting = 'condition' | 'term'
export type PointLimits = { settings: readonly PointSetting[]; mayRemove: boolean }
const noLimits: PointLimits = { settings: ['condition', 'term'], mayRemove: true }
export type CardAct = 'up' | 'down' | 'remove' | PointSetting

export function PointCard(props: {
  point: EditorPoint
  steps: Steps<EditorPoint>
  faults: RouteFaultName[]
  /** Where the arrow keys would move the point; null: nowhere. */
  beyond: Record<'up' | 'down', StepPlace | null>
  handle: HTMLAttributes<HTMLElement>
  drag: Drag | null
  limits?: PointLimits | undefined
  onAct: (act: CardAct) => void
}) {
  const { t } = useTexts('routes')
  const { point, faults, drag, onAct, limits = noLimits } = props
  const { name } = point
  const onKey = (event: KeyboardEvent) => {
    const act = ({ ArrowUp: 'up', ArrowDown: 'down', Delete: 'remove' } as const)[event.key]
    if (!act || (act === 'remove' && !limits.mayRemove)) return
    event.preventDefault()
    onAct(act)
  }
  return (
    <li
      className={classes.card}
      data-point={point.pointId}
      {...(faults.length > 0 && { 'data-wrong': true })}
      {...(drag && { 'data-dragged': true, style: { transform: `translate(${drag.x}px, ${drag.y}px)` } })}
    >
      <button
        type="button"
        className={classes.handle}
        aria-label={t('editor.move', { name })}
        aria-describedby="how-to-move"
        onKeyDown={onKey}
        {...props.handle}
      >
        <GripIcon size={18} />
      </button>
      <PointSummary point={point} faults={faults} settings={limits.settings} onSetting={onAct} />
      <span className={classes.cardActs}>
        {limits.mayRemove && (
          <ActionIcon
            variant="subtle"
            color="var(--ink-2)"
            size={32}
            aria-label={t('editor.remove', { name })}
            onClick={() => onAct('remove')}
          >
            <CloseIcon size={16} />
          </ActionIcon>
        )}
        <Menu position="bottom-end" returnFocus={false}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="var(--ink-2)"
              size={32}
              aria-label={t('editor.acts', { name })}
            >
              <DotsIcon size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <MoveItem {...props} towards="up" />
            <MoveItem {...props} towards="down" />
          </Menu.Dropdown>
        </Menu>
      </span>
    </li>
  )
}

/** A menu item that names the place to which the point would move, instead of only "up" or "down". */
function MoveItem(props: {
  towards: 'up' | 'down'
  steps: Steps<EditorPoint>
  beyond: Record<'up' | 'down', StepPlace | null>
  onAct: (act: CardAct) => void
}) {
  const { t } = useTexts('routes')
  const place = props.beyond[props.towards]
  const Icon = props.towards === 'up' ? ArrowUpIcon : ArrowDownIcon
  const beside = place?.into === 'step' ? props.steps[place.index] : undefined
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      disabled={place === null}
      onClick={() => props.onAct(props.towards)}
    >
      {beside
        ? t('editor.join', { step: place!.index + 1, names: beside.map(({ name }) => name).join(', ') })
        : t(place ? `editor.apart.${props.towards}` : `editor.nowhere.${props.towards}`)}
    </Menu.Item>
  )
}

/** The description of a point, the same in the editor and on read-only pages. */
export function PointSummary({
  point,
  faults,
  settings = noLimits.settings,
  onSetting,
}: {
  point: EditorPoint
  faults: RouteFaultName[]
  settings?: readonly PointSetting[]
  /** Left out where the route is only read. */
  onSetting?: (setting: PointSetting) => void
}) {
  const { t } = useTexts('routes')
  const faultText = useFaultText()
  return (
    <div className={classes.summary}>
      <b>
        {point.name}
        {point.scope === 'personal' && <small className={classes.tag}>{t('points:scopes.personal')}</small>}
      </b>
      <span>{t(`points:types.${point.type}`)}</span>
      {point.who && <span className={classes.who}>{point.who}</span>}
      <Settings point={point} settings={settings} onSetting={onSetting} />
      {faults.map((fault) => (
        <span key={fault} className={classes.wrong}>
          <WarningIcon size={16} />
          {faultText(fault)}
        </span>
      ))}
    </div>
  )
}

/** The condition and the term of a point, as sentences with buttons that change them. */
function Settings(props: {
  point: EditorPoint
  settings: readonly PointSetting[]
  onSetting: ((setting: PointSetting) => void) | undefined
}) {
  const { t } = useTexts('routes')
  const conditionText = useConditionText()
  const escalationText = useEscalationText()
  const { name, condition, termDays, escalation, type } = props.point
  const button = (setting: PointSetting, isSet: boolean, label: string, text: string) =>
    props.onSetting &&
    props.settings.includes(setting) && (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={label}
        {...(!isSet && { leftSection: <PlusIcon size={16} /> })}
        onClick={() => props.onSetting?.(setting)}
      >
        {text}
      </Button>
    )
  const isConditional = condition !== null
  const hasTerm = termDays !== null
  return (
    <>
      {isConditional && <span>{t('conditions.onlyIf', { what: conditionText(condition) })}</span>}
      {hasTerm && <span>{t('term.within', { count: termDays })}</span>}
      {escalation && <span>{escalationText(escalation)}</span>}
      <span className={conditionClasses.settings}>
        {button(
          'condition',
          isConditional,
          t(isConditional ? 'conditions.changeOf' : 'conditions.addTo', { name }),
          t(isConditional ? 'conditions.change' : 'conditions.add'),
        )}
        {/* No term for people who are only informed: they have nothing to do. */}
        {actOf(type) !== 'inform' &&
          button(
            'term',
            hasTerm,
            t(hasTerm ? 'term.changeOf' : 'term.addTo', { name }),
            t(hasTerm ? 'term.change' : 'term.add'),
          )}
      </span>
    </>
  )
}
