/** Actions on a whole route or template, for its page and for the lists. */
import { useState } from 'react'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { addRouteFromTemplate, callsByKind, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import type { RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import { call, query, type ApiError } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ScopeField } from '../points/scope-field.tsx'
import { useWorkplace } from '../shell/session/session.ts'
import { DeleteDialog } from '../ui/dialogs/delete-dialog.tsx'
import { clearDirty, useIsDirty } from '../ui/form/dirty.ts'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm, useProblemText } from '../ui/form/form.tsx'
import { CopyIcon, PauseIcon, PlayIcon, PlusIcon, TrashIcon, WarningIcon } from '../ui/look/icons.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { PointFaults, pointFaultsIn } from './editor/point-faults.tsx'
import { addresses, type RouteRow, type RouteView } from './editor/route-view.ts'
import classes from './editor/routes.module.css'

export function RouteActs({ kind, route }: { kind: RouteKind; route: RouteView }) {
  const { t } = useTexts('routes')
  const { allowed, isActive } = route
  const making = useDialog<{ row: RouteRow; makes: RouteKind }>()
  const deleting = useDialog<RouteRow>()
  const navigate = useNavigate()
  const switching = useSwitching(kind)
  const isDirty = useIsDirty()
  return (
    <>
      {kind === 'template' && allowed.copy && isActive && (
        <Button
          leftSection={<PlusIcon size={18} />}
          onClick={() => making.open({ row: route, makes: 'route' })}
        >
          {t('buttons.createRoute')}
        </Button>
      )}
      {allowed.copy && (
        <Button
          variant="default"
          leftSection={<CopyIcon size={18} />}
          onClick={() => making.open({ row: route, makes: kind })}
        >
          {t('buttons.copy')}
        </Button>
      )}
      {allowed.edit && (
        <Button
          variant="default"
          leftSection={isActive ? <PauseIcon size={18} /> : <PlayIcon size={18} />}
          loading={switching.isPending}
          // Switching creates a new version, but unsaved changes are based on the previous one.
          disabled={isDirty}
          onClick={() => switching.mutate(route)}
        >
          {t(isActive ? 'buttons.deactivate' : 'buttons.activate')}
        </Button>
      )}
      {allowed.delete && (
        <Button
          variant="default"
          c="var(--bad)"
          leftSection={<TrashIcon size={18} />}
          onClick={() => deleting.open(route)}
        >
          {t('common:actions.remove')}
        </Button>
      )}
      <MakeDialog kind={kind} {...making} />
      <DeleteRouteDialog
        kind={kind}
        isOpen={deleting.isOpen}
        route={deleting.subject}
        onClose={deleting.close}
        onDeleted={() => {
          clearDirty()
          void navigate({ to: `${addresses[kind]}/$path`, params: { path: 'my' }, replace: true })
        }}
      />
    </>
  )
}

function useSwitching(kind: RouteKind) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const calls = callsByKind[kind]
  return useMutation({
    mutationFn: ({ id, isActive, currentVersion }: RouteRow) =>
      call(isActive ? calls.deactivate : calls.activate, {
        organizationId: organization.Id,
        routeId: id,
        currentVersion,
      }),
    onSuccess: (route) => {
      toast(t(route.isActive ? 'buttons.activated' : 'buttons.deactivated'))
      const { queryKey } = query(calls.get, { organizationId: organization.Id, routeId: route.id })
      client.setQueryData(queryKey, route)
      void client.invalidateQueries({ queryKey: [calls.list.path] })
    },
    onError: () => client.invalidateQueries({ queryKey: [calls.get.path] }),
  })
}

export function DeleteRouteDialog(props: {
  kind: RouteKind
  isOpen: boolean
  route: RouteRow | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const calls = callsByKind[props.kind]
  return (
    <DeleteDialog
      isOpen={props.isOpen}
      id={props.route?.id ?? null}
      texts={{
        title: t(`deleteTitle.${props.kind}`),
        text: t(`deleteText.${props.kind}`, { name: props.route?.name ?? '' }),
        yes: t('common:actions.remove'),
        done: t(`deleted.${props.kind}`),
      }}
      remove={(routeId) => call(calls.remove, { organizationId: organization.Id, routeId })}
      restore={(deletionId) => call(restoreDeleted, { organizationId: organization.Id, deletionId })}
      endpoints={{ one: calls.get, list: calls.list }}
      onClose={props.onClose}
      onDeleted={props.onDeleted}
    />
  )
}

type Making = { row: RouteRow; makes: RouteKind }

/** Creates a route or template with the same points: a copy, or a route from a template. */
export function MakeDialog(props: {
  kind: RouteKind
  isOpen: boolean
  subject: Making | null
  close: () => void
}) {
  const { t } = useTexts('routes')
  const { kind, subject } = props
  if (!subject) return null
  const isCopy = subject.makes === kind
  return (
    <FormDialog
      isOpen={props.isOpen}
      title={t(isCopy ? 'making.copyTitle' : 'making.createTitle')}
      draft={draftOf(subject)}
      onClose={props.close}
    >
      <MakeForm key={draftOf(subject)} {...subject} isCopy={isCopy} kind={kind} onClose={props.close} />
    </FormDialog>
  )
}

function draftOf({ row, makes }: Making): string {
  return `make:${makes}:${row.id}`
}

function MakeForm({
  row,
  makes,
  kind,
  isCopy,
  onClose,
}: Making & { kind: RouteKind; isCopy: boolean; onClose: () => void }) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [losesPersonal, setLosesPersonal] = useState(false)
  const [refused, setRefused] = useState<{ values: object; faults: RouteFaultName[] } | null>(null)
  const calls = callsByKind[makes]
  const organizationId = organization.Id
  const form = useApiForm({
    id: draftOf({ row, makes }),
    guardsPage: false,
    // Both calls have the same fields; they differ in the name of the source, which is passed as `fixed`.
    endpoint: (isCopy ? callsByKind[kind].copy : addRouteFromTemplate) as typeof addRouteFromTemplate,
    fixed: { organizationId, [isCopy ? 'routeId' : 'templateId']: row.id },
    initial: {
      name: isCopy ? t('making.copyName', { name: row.name }) : row.name,
      visibilityScope: row.visibilityScope,
      removePersonalPoints: false,
    },
    onRefusal: (error: ApiError) => {
      if (error.alias === 'common-route-with-personal-points') {
        form.set('removePersonalPoints', true)
        setLosesPersonal(true)
        return true
      }
      const faults = pointFaultsIn(error)
      if (faults.length === 0) return false
      setRefused({ values: form.values, faults })
      return true
    },
    onDone: async (made) => {
      client.setQueryData(query(calls.get, { organizationId, routeId: made.id }).queryKey, made)
      void client.invalidateQueries({ queryKey: [calls.list.path] })
      toast(t(`created.${makes}`))
      onClose()
      await navigate({ to: `${addresses[makes]}/$path/$id`, params: { path: 'my', id: made.id } })
    },
  })
  // Without its personal points the route may be empty.
  const problem = useProblemText()(form.problems['points'])
  return (
    <DialogForm
      form={form}
      yes={t(losesPersonal ? 'making.withoutPersonal' : isCopy ? 'buttons.copy' : 'buttons.createRoute')}
      onCancel={onClose}
    >
      <TextField name="name" label={t('form.name')} max={250} isRequired />
      <ScopeField
        of="routes"
        onChange={(visibilityScope) => {
          form.change({ visibilityScope, removePersonalPoints: false })
          setLosesPersonal(false)
        }}
      />
      {refused?.values === form.values && <PointFaults faults={refused.faults} />}
      {losesPersonal && (
        <p className={classes.note} role="alert">
          <WarningIcon size={16} />
          {problem ?? t('making.personal')}
        </p>
      )}
    </DialogForm>
  )
}
