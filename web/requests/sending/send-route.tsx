/** The route to send along: chosen, edited or created here. */
import { lazy, useState } from 'react'
import { Button, Modal, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { RouteView } from '../../routes/editor/route-view.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useFormContext } from '../../ui/form/form.tsx'
import { EditIcon, PlusIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { fittingOptions } from '../../ui/form/searched-options.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { routeChoicesQuery } from './queries.ts'
import classes from './send.module.css'

const RouteForm = lazy(() => import('../../routes/route-form.tsx').then((m) => ({ default: m.RouteForm })))

const delay = 250

/** Null: a new route. */
export type RouteToEdit = { route: RouteView | null }

export function useChosenRoute(routeId: string) {
  const { organization } = useWorkplace()
  return useQuery({
    ...query(routeCalls.get, { organizationId: organization.Id, routeId }),
    enabled: routeId !== '',
    // Always reloaded, because the document will be sent along exactly this route.
    staleTime: 0,
  })
}

export function RouteCard(props: {
  onChosen: (route: { id: string; currentVersion: number }) => void
  onEdit: (edited: RouteToEdit) => void
}) {
  const { t } = useTexts('requests-sending')
  const { organization, options } = useWorkplace()
  const form = useFormContext()
  const routeId = String(form.values['routeId'])
  const [typed, setTyped] = useState('')
  const { data: route } = useChosenRoute(routeId)
  const wanted = typed === route?.name ? '' : typed.trim()
  const [asked] = useDebouncedValue(wanted, delay)
  const { data, isPlaceholderData } = useQuery({
    ...routeChoicesQuery(organization.Id, asked),
    placeholderData: keepPreviousData,
  })
  const isSearching = data === undefined || isPlaceholderData || asked !== wanted
  const found = data?.items ?? []
  const isFound = route && found.some(({ id }) => id === route.id)
  const offered = route && !isFound ? [route, ...found] : found
  return (
    <Card title={t('route.title')}>
      <Select
        size="md"
        data-field="routeId"
        label={t('route.choose')}
        placeholder={t('route.placeholder')}
        nothingFoundMessage={isSearching ? t('common:loading') : t('route.none')}
        {...(route?.description && { description: route.description })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        error={form.problems['routeId'] && t('route.required')}
        searchable
        data={offered.map(({ id, name, turnsCount }) => ({
          value: id,
          label: name,
          steps: t('route.steps', { count: turnsCount }),
        }))}
        filter={({ options: all }) => fittingOptions(all, wanted, isSearching)}
        renderOption={({ option }) => (
          <span className={classes.option}>
            {option.label}
            <small>{'steps' in option && String(option.steps)}</small>
          </span>
        )}
        searchValue={typed}
        onSearchChange={setTyped}
        value={routeId || null}
        onChange={(id) => {
          const chosen = offered.find((one) => one.id === id)
          if (chosen) props.onChosen(chosen)
        }}
        onBlur={() => form.leave('routeId')}
      />
      <div className={classes.ways}>
        {route?.allowed.edit && (
          <Button
            variant="default"
            leftSection={<EditIcon size={18} />}
            onClick={() => props.onEdit({ route })}
          >
            {t('route.edit')}
          </Button>
        )}
        {options.allowed.editRoutes && (
          <Button
            variant="default"
            leftSection={<PlusIcon size={18} />}
            onClick={() => props.onEdit({ route: null })}
          >
            {t('route.make')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** The route editor in a dialog. It is rendered outside the sending form, because forms cannot be nested. */
export function RouteDialog(props: {
  isOpen: boolean
  edited: RouteToEdit | null
  onSaved: (route: RouteView) => void
  onClose: () => void
}) {
  const { t } = useTexts('requests-sending')
  const { edited } = props
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t(edited?.route ? 'route.editTitle' : 'route.makeTitle')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      closeOnClickOutside={false}
      size={1120}
    >
      <MountOnOpen isOpen={props.isOpen}>
        {edited && (
          <RouteForm
            key={edited.route?.id ?? 'new'}
            kind="route"
            route={edited.route}
            inDialog
            onSaved={(saved) => {
              props.onSaved(saved)
              props.onClose()
            }}
          />
        )}
      </MountOnOpen>
    </Modal>
  )
}
