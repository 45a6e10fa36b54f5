/** The options of every sending along a route, and the dialog for a route that was changed meanwhile. */
import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { WhatChanged } from '../../routes/outdated-dialog.tsx'
import { useWorkplace } from '../../shell/session/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { SwitchOption } from '../../ui/form/choices.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { useFormContext } from '../../ui/form/form.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card } from '../../ui/page/page.tsx'
import { AccessCodeFields, type AccessCode } from '../shared/access-code.tsx'
import { RouteDialog, type RouteToEdit } from './send-route.tsx'
import classes from './send.module.css'

export function OptionsCard() {
  const { t } = useTexts('requests-sending')
  const form = useFormContext()
  const code = form.values['generationSetting'] as AccessCode
  return (
    <Card title={t('options.title')}>
      <Fields>
        <SwitchOption
          size="md"
          label={t('options.timestamp')}
          description={t('options.timestampHelp')}
          checked={form.values['isTimestampRequired'] === true}
          onChange={(event) => form.set('isTimestampRequired', event.currentTarget.checked)}
        />
        <fieldset className={classes.set}>
          <legend>{t('options.code')}</legend>
          <p className={classes.quiet}>{t('options.codeHelp')}</p>
          <AccessCodeFields
            value={code}
            onChange={(next) =>
              form.change({ isCodeWrong: next === null, ...(next && { generationSetting: next }) })
            }
          />
        </fieldset>
      </Fields>
    </Card>
  )
}

type DialogOf<S> = ReturnType<typeof useDialog<S>>
type Chosen = { id: string; currentVersion: number }

/** The editor of the route, and what has changed in it since it was chosen. */
export function RouteDialogs(props: {
  editing: DialogOf<RouteToEdit>
  /** Its subject is the version of the route that was chosen. */
  outdated: DialogOf<number>
  routeId: string
  onChosen: (route: Chosen) => void
}) {
  const { editing, outdated, routeId, onChosen } = props
  return (
    <>
      <RouteDialog
        isOpen={editing.isOpen}
        edited={editing.subject}
        onSaved={onChosen}
        onClose={editing.close}
      />
      {outdated.subject !== null && (
        <OutdatedRoute
          isOpen={outdated.isOpen}
          routeId={routeId}
          since={outdated.subject}
          onTake={onChosen}
          onClose={outdated.close}
        />
      )}
    </>
  )
}

/** The route was changed meanwhile: shows the changes before the document is sent. */
function OutdatedRoute(props: {
  isOpen: boolean
  routeId: string
  since: number
  onTake: (route: Chosen) => void
  onClose: () => void
}) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const { routeId, since } = props
  const { data } = useQuery({
    ...query(routeCalls.changes, { organizationId: organization.Id, routeId, since }),
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
      <p>{t('outdated.lead')}</p>
      {data ? <WhatChanged changes={data} /> : <LoadingLines />}
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button
          disabled={!data}
          onClick={() => {
            props.onTake({ id: routeId, currentVersion: data!.after.version })
            props.onClose()
          }}
        >
          {t('outdated.take')}
        </Button>
      </Group>
    </Modal>
  )
}
