/** The form for the steps ahead of a running request: the steps that have begun, the route editor, and a preview. */
import { useState } from 'react'
import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { longestComment } from '@kelisim/domain/requests/contract.ts'
import { changeSteps, trySteps } from '@kelisim/domain/requests/correcting/contract.ts'
import type { RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { PointView as PointOfList } from '../../points/point-view.ts'
import { TermDialog } from '../../routes/conditions/term-dialog.tsx'
import { editorPoint, type EditorPoint } from '../../routes/editor/editor-point.ts'
import { MakePointDialog } from '../../routes/editor/make-point-dialog.tsx'
import { PointFaults, pointFaultsIn } from '../../routes/editor/point-faults.tsx'
import { StepsEditor } from '../../routes/editor/steps-editor.tsx'
import { withChanged, withoutPoints, withPoint, type StepPlace } from '../../routes/editor/steps.ts'
import type { PointWish } from '../../routes/editor/use-offers.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { DialogForm } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { CheckIcon, WarningIcon } from '../../ui/look/icons.tsx'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'
import classes from './correcting.module.css'
import { areSame, inputOf, splitSteps, type RouteSteps } from './steps-ahead.ts'

type Props = {
  request: RequestView
  requestKey: RequestKey
  draft: string
  onKept: (request: RequestView) => void
  onClose: () => void
}

type Values = { comment: string; steps: RouteSteps }

export function StepsForm({ request, requestKey, draft, onKept, onClose }: Props) {
  const { t } = useTexts('requests')
  const { organization } = useWorkplace()
  const { begun, ahead } = splitSteps(request, organization.Id)
  // Somebody may act while the dialog is open: a step that begins meanwhile can no longer be changed.
  const stillAhead = (some: RouteSteps) =>
    withoutPoints(
      some,
      begun.flat().map(({ pointId }) => pointId),
    )
  // One key for each dialog, so that a retry after a lost response changes the steps once.
  const [key] = useState(() => crypto.randomUUID())
  const [refused, setRefused] = useState<{ steps: RouteSteps; faults: RouteFaultName[] } | null>(null)
  const form = useApiForm<Values, 'member', typeof changeSteps.input, typeof changeSteps.result>({
    id: draft,
    endpoint: changeSteps,
    fixed: { ...requestKey, key, currentVersion: request.currentVersion },
    initial: { comment: '', steps: ahead },
    inputOf: (values) => ({ comment: values.comment, points: inputOf(stillAhead(values.steps)) }),
    onRefusal: (error) => {
      const faults = pointFaultsIn(error)
      if (faults.length === 0) return false
      setRefused({ steps: form.values.steps, faults })
      return true
    },
    onDone: (saved) => {
      onKept(saved)
      toast(t('correcting.stepsDone'))
      onClose()
    },
    guardsPage: false,
  })
  const steps = stillAhead(form.values.steps)
  const set = (next: RouteSteps) => form.set('steps', next)
  const isSame = areSame(steps, ahead)
  const trial = useTrial(requestKey, steps, !isSame)
  const making = useDialog<{ wish: PointWish; place: StepPlace }>()
  const term = useDialog<string>()
  const ofTerm = steps.flat().find(({ pointId }) => pointId === term.subject)
  const put = (point: PointOfList, place: StepPlace) =>
    set(withPoint(steps, editorPoint(point, organization.Id), place))
  const isRefused = (trial?.refusals.length ?? 0) > 0
  const there = request.points
  const limitsOf = ({ pointId }: EditorPoint) => {
    const known = there.find((point) => point.pointId === pointId)
    return {
      settings: known ? [] : (['term'] as const),
      // A step whose turn came before the correction has had the document, so it cannot be removed.
      mayRemove: known === undefined || known.turnCameAt === null,
    }
  }
  return (
    <>
      <DialogForm form={form} yes={t('correcting.stepsYes')} isOff={isSame || isRefused} onCancel={onClose}>
        <p>{t('correcting.stepsText')}</p>
        <Begun steps={begun} />
        <section aria-label={t('correcting.ahead')}>
          <StepsEditor
            steps={steps}
            begun={begun}
            scope="personal"
            faults={[]}
            limitsOf={limitsOf}
            onChange={set}
            onMake={(wish, place) => making.open({ wish, place })}
            onSetting={(pointId) => term.open(pointId)}
          />
        </section>
        <TextField
          name="comment"
          label={t('correcting.why')}
          help={t('correcting.whyHelp')}
          max={longestComment}
          isRequired
          lines={2}
        />
        {refused?.steps === form.values.steps ? (
          <PointFaults faults={refused.faults} />
        ) : (
          <Effects trial={isSame ? undefined : trial} isSame={isSame} />
        )}
      </DialogForm>
      <MountOnOpen isOpen={making.isOpen}>
        {making.subject && (
          <MakePointDialog
            isOpen={making.isOpen}
            wish={making.subject.wish}
            onMade={(point) => put(point, making.subject!.place)}
            onClose={making.close}
          />
        )}
      </MountOnOpen>
      <MountOnOpen isOpen={term.isOpen}>
        {ofTerm && (
          <TermDialog
            key={ofTerm.pointId}
            isOpen={term.isOpen}
            point={ofTerm}
            onSave={(chosen) => set(withChanged(steps, ofTerm.pointId, chosen))}
            onClose={term.close}
          />
        )}
      </MountOnOpen>
    </>
  )
}

function Begun({ steps }: { steps: RouteSteps }) {
  const { t } = useTexts('requests')
  return (
    <div className={classes.begun}>
      <p>{t('correcting.begun')}</p>
      <ol aria-label={t('correcting.begun')}>
        {steps.map((step, i) => (
          <li key={i}>{step.map(({ name }) => name).join(', ')}</li>
        ))}
      </ol>
    </div>
  )
}

const delay = 300

function useTrial(requestKey: RequestKey, steps: RouteSteps, isAsked: boolean) {
  const [points] = useDebouncedValue(inputOf(steps), delay)
  const { data } = useQuery({
    ...query(trySteps, { ...requestKey, points }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    // Always reloaded, because groups and recipients change independently.
    staleTime: 0,
  })
  return data
}

function Effects({ trial, isSame }: { trial: ReturnType<typeof useTrial>; isSame: boolean }) {
  const { t, find } = useTexts('requests')
  if (isSame) return <p className={classes.quiet}>{t('correcting.unchanged')}</p>
  if (!trial) return null
  const [refusal] = trial.refusals
  if (refusal) {
    return (
      <Alert color="red" variant="light" icon={<WarningIcon size={20} />} role="status">
        {find(`errors:${refusal.alias}.text`, refusal.parameters) ?? t('common:field.incorrect')}
      </Alert>
    )
  }
  const named = (key: 'added' | 'removed' | 'leaving') =>
    trial[key].length > 0 ? [t(`correcting.${key}`, { names: trial[key].join(', ') })] : []
  const lines = [
    ...named('added'),
    ...named('removed'),
    ...(trial.isReordered ? [t('correcting.reordered')] : []),
    ...named('leaving'),
    ...(trial.isSigned ? [t('correcting.signedAtOnce')] : []),
  ]
  // There are no lines until the server has tried the edited steps.
  if (lines.length === 0) return null
  return (
    <Alert
      variant="light"
      icon={<CheckIcon size={20} />}
      title={t('correcting.effects')}
      role="status"
      className={classes.effects ?? ''}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  )
}
