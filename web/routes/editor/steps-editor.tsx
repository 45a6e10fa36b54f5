/** Edits the steps of a route: points are added by typing, moved by dragging or by the keyboard, and removed. */
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { Button } from '@mantine/core'
import type { FoundFault, RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PlusIcon } from '../../ui/look/icons.tsx'
import type { EditorPoint } from './editor-point.ts'
import { PointCard, PointSummary, type CardAct, type PointLimits, type PointSetting } from './point-card.tsx'
import { PointPicker } from './point-picker.tsx'
import { actsOf } from './route-view.ts'
import classes from './routes.module.css'
import {
  lastGap,
  placeBeyond,
  whereIs,
  withMoved,
  withoutPoints,
  withPoint,
  type StepPlace,
  type Steps,
} from './steps.ts'
import { useDrag } from './use-drag.ts'
import type { PointWish } from './use-offers.ts'

type RouteSteps = Steps<EditorPoint>

export function StepsEditor(props: {
  steps: RouteSteps
  scope: VisibilityScope
  faults: FoundFault[]
  problem?: string | undefined
  onChange: (steps: RouteSteps) => void
  /** Called to create a missing point and put it at the place. */
  onMake: (wish: PointWish, place: StepPlace) => void
  /** Called to set the condition or the term of a point. */
  onSetting: (pointId: string, setting: PointSetting) => void
  /** Steps before the edited ones; the numbering continues after them, and their points cannot be added again. */
  begun?: RouteSteps
  /** Restricts what may be done with a point; without it everything is allowed. */
  limitsOf?: (point: EditorPoint) => PointLimits
}) {
  const { t } = useTexts('routes')
  const { steps, scope, begun = [] } = props
  const list = useRef<HTMLOListElement>(null)
  const editing = useEditing(steps, props.onChange, list)
  const { drag, handle } = useDrag(list, editing.move)
  const [beside, setBeside] = useState<number | null>(null)
  const faults = byPoint(props.faults)
  const picker = (place: StepPlace) => ({
    steps: [...begun, ...steps],
    scope,
    onPick: (point: EditorPoint) => editing.add(point, place),
    onMake: (wish: PointWish) => props.onMake(wish, place),
  })
  return (
    <>
      <p id="how-to-move" className="only-heard">
        {t('editor.howToMove')}
      </p>
      <ol ref={list} className={classes.steps}>
        {steps.map((step, i) => (
          <li
            key={i}
            data-step
            className={classes.step}
            aria-label={t('editor.step', { step: begun.length + i + 1, of: begun.length + steps.length })}
            data-drop={drag ? dropMark(drag.place, i, steps.length) : undefined}
          >
            <StepHead index={begun.length + i} step={step} />
            <ul className={classes.together}>
              {step.map((point) => (
                <PointCard
                  key={point.pointId}
                  point={point}
                  steps={steps}
                  limits={props.limitsOf?.(point)}
                  faults={faults.get(point.pointId) ?? []}
                  beyond={{
                    up: placeBeyond(steps, point.pointId, 'up'),
                    down: placeBeyond(steps, point.pointId, 'down'),
                  }}
                  handle={handle(point.pointId)}
                  drag={drag?.pointId === point.pointId ? drag : null}
                  onAct={(act) =>
                    act === 'condition' || act === 'term'
                      ? props.onSetting(point.pointId, act)
                      : editing.act(point.pointId, act)
                  }
                />
              ))}
            </ul>
            {beside === i ? (
              <PointPicker
                {...picker({ into: 'step', index: i })}
                label={t('editor.addBeside', { step: begun.length + i + 1 })}
                onClose={() => setBeside(null)}
              />
            ) : (
              <Button
                variant="subtle"
                size="compact-sm"
                className={classes.beside ?? ''}
                leftSection={<PlusIcon size={16} />}
                aria-label={t('editor.addBeside', { step: begun.length + i + 1 })}
                onClick={() => setBeside(i)}
              >
                {t('editor.beside')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="only-heard">
        {editing.said}
      </p>
      {editing.removed && (
        <div className={classes.removed}>
          <span>{t('editor.removed', { name: editing.removed.name })}</span>
          <Button variant="subtle" size="compact-md" data-undo onClick={editing.removed.undo}>
            {t('editor.undo')}
          </Button>
        </div>
      )}
      <div className={classes.next}>
        <span className={classes.number} aria-hidden="true">
          {begun.length + steps.length + 1}
        </span>
        <PointPicker
          {...picker(lastGap(steps))}
          label={t(begun.length + steps.length === 0 ? 'editor.addFirst' : 'editor.addNext')}
          isLast
          problem={props.problem}
        />
      </div>
    </>
  )
}

/** The same steps read-only. */
export function StepsList({ steps, faults }: { steps: RouteSteps; faults: FoundFault[] }) {
  const { t } = useTexts('routes')
  const wrong = byPoint(faults)
  return (
    <ol className={classes.steps}>
      {steps.map((step, i) => (
        <li key={i} className={classes.step} aria-label={t('editor.step', { step: i + 1, of: steps.length })}>
          <StepHead index={i} step={step} />
          <ul className={classes.together}>
            {step.map((point) => (
              <li key={point.pointId} className={classes.card}>
                <PointSummary point={point} faults={wrong.get(point.pointId) ?? []} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function StepHead({ index, step }: { index: number; step: readonly EditorPoint[] }) {
  const { t } = useTexts('routes')
  const acts = actsOf(step.map(({ type }) => type)).map((act) => t(`acts.${act}`))
  return (
    <>
      <span className={classes.number} aria-hidden="true">
        {index + 1}
      </span>
      <p className={classes.stepHead}>
        {acts.join(', ')}
        {step.length > 1 && ` · ${t('editor.together')}`}
      </p>
    </>
  )
}

/** Edits the steps, announces each change to screen readers and keeps the focus. */
function useEditing(
  steps: RouteSteps,
  onChange: (steps: RouteSteps) => void,
  list: RefObject<HTMLElement | null>,
) {
  const { t } = useTexts('routes')
  const [said, setSaid] = useState('')
  const [removed, setRemoved] = useState<{ before: RouteSteps; after: RouteSteps; name: string } | null>(null)
  // A point that changes its step is mounted anew, so the focus has to be set again.
  const focusNext = useRef<(() => HTMLElement | null | undefined) | null>(null)
  useLayoutEffect(() => {
    focusNext.current?.()?.focus()
    focusNext.current = null
  })

  function change(next: RouteSteps, about: string): void {
    onChange(next)
    const where = whereIs(next, about)
    if (!where) return
    const { point, step, of, beside } = where
    const names = beside.map(({ name }) => name).join(', ')
    setSaid(
      names
        ? t('editor.standsBeside', { name: point.name, step, of, names })
        : t('editor.stands', { name: point.name, step, of }),
    )
  }

  function move(pointId: string, place: StepPlace): void {
    change(withMoved(steps, pointId, place), pointId)
    focusOn(pointId)
  }

  function focusOn(pointId: string): void {
    focusNext.current = () =>
      list.current?.querySelector<HTMLElement>(`[data-point="${pointId}"] .${classes.handle}`)
  }

  function remove(pointId: string): void {
    const name = whereIs(steps, pointId)?.point.name ?? ''
    const after = withoutPoints(steps, [pointId])
    setRemoved({ before: steps, after, name })
    setSaid(t('editor.removed', { name }))
    focusNext.current = () => list.current?.parentElement?.querySelector<HTMLElement>('[data-undo]')
    onChange(after)
  }

  return {
    said,
    move,
    add(point: EditorPoint, place: StepPlace) {
      change(withPoint(steps, point, place), point.pointId)
      // The field inside a step closes; the field below the last step stays for the next point.
      if (place.into === 'step') focusOn(point.pointId)
    },
    act(pointId: string, act: Exclude<CardAct, PointSetting>) {
      if (act === 'remove') return remove(pointId)
      const place = placeBeyond(steps, pointId, act)
      if (place) move(pointId, place)
    },
    // Offered only until the next change, because undo would revert that change too.
    removed:
      removed?.after === steps
        ? {
            name: removed.name,
            undo: () => {
              setSaid(t('editor.undone', { name: removed.name }))
              setRemoved(null)
              onChange(removed.before)
            },
          }
        : null,
  }
}

/** Where the dragged point would go: into the step, above it, or after the last one. */
function dropMark(
  { into, index }: StepPlace,
  step: number,
  count: number,
): 'into' | 'before' | 'after' | undefined {
  if (into === 'step') return index === step ? 'into' : undefined
  if (index === step) return 'before'
  return index === count && step === count - 1 ? 'after' : undefined
}

function byPoint(found: FoundFault[]): Map<string, RouteFaultName[]> {
  const faults = new Map<string, RouteFaultName[]>()
  for (const { fault, pointIds } of found) {
    for (const id of pointIds) faults.set(id, [...new Set([...(faults.get(id) ?? []), fault])])
  }
  return faults
}
