/** The state of the route editor: values, problems, and the version they are based on. */
import { useEffect, useState, type FormEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { callsByKind, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import type { FoundFault, RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import { personalPoints, routeFaults } from '@kelisim/domain/routes/route.ts'
import { query, type ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useApiForm, useProblemText } from '../../ui/form/form.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import type { EditorPoint } from './editor-point.ts'
import { useRehearsal } from './rehearsal.tsx'
import {
  inputOf,
  newRoute,
  scopeNameOf,
  valuesOf,
  type RouteValues,
  type RouteView,
  type WireScope,
} from './route-view.ts'
import { pointsOf, withoutPoints } from './steps.ts'

export function useRouteEditor(props: {
  kind: RouteKind
  route: RouteView | null
  inDialog?: boolean
  onSaved?: (saved: RouteView) => void | Promise<void>
}) {
  const { t } = useTexts('routes')
  const { kind, route } = props
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const calls = callsByKind[kind]
  const client = useQueryClient()
  const problemText = useProblemText()
  const personal = useDialog<EditorPoint[]>()
  const outdated = useDialog<null>()
  const [refused, setRefused] = useState<{ steps: RouteValues['steps']; faults: FoundFault[] } | null>(null)
  const keyOf = (routeId: string) => query(calls.get, { organizationId, routeId }).queryKey
  const form = useApiForm<RouteValues, 'member', typeof calls.save.input, typeof calls.save.result>({
    id: `${kind}:${organizationId}:${route?.id ?? 'new'}`,
    guardsPage: !props.inDialog,
    // The cast is safe: creating and saving differ only in the id and the version.
    endpoint: (route ? calls.save : calls.add) as typeof calls.save,
    fixed: { organizationId, ...(route && { id: route.id }) },
    initial: route ? valuesOf(route, organizationId) : newRoute,
    inputOf,
    onRefusal,
    onDone: async (saved) => {
      adopt(saved)
      void client.invalidateQueries({ queryKey: [calls.list.path] })
      toast(route ? t('common:saved') : t(`created.${kind}`))
      await props.onSaved?.(saved)
    },
  })
  const { rehearsal, missing } = useRehearsal(form.values)
  const { steps, visibilityScope } = form.values
  const scope = scopeNameOf(visibilityScope)
  const faults = faultsOf()

  function faultsOf(): FoundFault[] {
    const points = pointsOf(steps)
    const own = routeFaults({ organizationId, scope, points }).filter(({ pointIds }) => pointIds.length > 0)
    const there = new Set(points.map(({ pointId }) => pointId))
    const ofRefusal = refused?.steps === steps ? refused.faults : []
    const told = [...(rehearsal?.faults ?? missing), ...ofRefusal]
      // Problems reported before the last change may be solved.
      .filter(({ fault }) => !judgedHere.has(fault))
      .map(({ fault, pointIds }) => ({ fault, pointIds: pointIds.filter((id) => there.has(id)) }))
      .filter(({ pointIds }) => pointIds.length > 0)
    return [...own, ...told]
  }

  function adopt(saved: RouteView): void {
    client.setQueryData(keyOf(saved.id), saved)
    if (route) form.reset(valuesOf(saved, organizationId)) // the server trims what was typed
  }

  function onRefusal(error: ApiError): boolean {
    if (error.alias === 'outdated-route') {
      outdated.open(null)
      return true
    }
    if (error.alias === 'common-route-with-personal-points') {
      const named = error.parameters['pointIds'] as string[] | undefined
      personal.open(pointsOf(steps).filter(({ pointId }) => named?.includes(pointId)))
      return true
    }
    const found = error.parameters['faults'] as FoundFault[] | undefined
    if (!found?.some(({ pointIds }) => pointIds.length > 0)) return false
    setRefused({ steps, faults: found })
    return true
  }

  const since = form.values.seenVersion ?? 0
  const isOutdated = route !== null && route.currentVersion > since
  useEffect(() => {
    // Without changes of one's own the newer version is simply shown.
    if (isOutdated && !form.isDirty) form.reset(valuesOf(route, organizationId))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each newer version
  }, [isOutdated, form.isDirty])

  return {
    form,
    faults,
    rehearsal,
    pointsProblem: steps.length === 0 ? problemText(form.problems['points']) : undefined,
    isOutdated,
    submit: async (event?: FormEvent) => {
      event?.preventDefault()
      const wrong = document.querySelector<HTMLElement>('[data-wrong] button, [data-unpicked]')
      if (wrong) return wrong.focus()
      await form.submit()
    },
    chooseScope: (chosen: WireScope) => {
      const found = scopeNameOf(chosen) === 'common' ? personalPoints(steps.flat()) : []
      if (found.length > 0) personal.open(found)
      else form.set('visibilityScope', chosen)
    },
    personal: {
      ...personal,
      remove: () => {
        const gone = personal.subject?.map(({ pointId }) => pointId) ?? []
        form.change({ visibilityScope: newRoute.visibilityScope, steps: withoutPoints(steps, gone) })
        personal.close()
      },
    },
    outdated: {
      isOpen: outdated.isOpen,
      close: outdated.close,
      show: () => outdated.open(null),
      since,
      // The dialog stays open until the version is loaded, so that saving right afterwards does not open it again.
      takeTheirs: async () => {
        adopt(await fresh())
        outdated.close()
      },
      /** Overwrites the newer version deliberately. */
      keepMine: async () => {
        const theirs = await fresh()
        client.setQueryData(keyOf(theirs.id), theirs)
        form.set('seenVersion', theirs.currentVersion)
        outdated.close()
      },
    },
  }

  async function fresh(): Promise<RouteView> {
    return client.fetchQuery({ ...query(calls.get, { organizationId, routeId: route!.id }), staleTime: 0 })
  }
}

/**
 * The browser finds faults of the points alone at once; the server finds those that depend on the people behind the
 * points.
 */
const judgedHere: ReadonlySet<string> = new Set<RouteFaultName>([
  'private_point_in_public_route',
  'order-not-positive',
  'no-signing-point',
])
