/** The number of a request in the journal of the organisation; people with the permission register it here. */
import { useState } from 'react'
import { Button, Group, Modal, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getJournalEntries, getJournals } from '@kelisim/domain/registers/contract.ts'
import { directionFor } from '@kelisim/domain/registers/permissions.ts'
import { registerRequest } from '@kelisim/domain/requests/sending/registration-contract.ts'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { journalsQuery } from '../../registers/queries.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { Card } from '../../ui/page/page.tsx'
import type { RequestKey } from '../shared/queries.ts'
import classes from '../shared/request-page.module.css'
import type { RequestView } from '../shared/request-view.ts'

type RegistrationProps = {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}

export function RegistrationCard(props: RegistrationProps) {
  const { t } = useTexts('registers')
  const { kind, ownRegistration: own, canRegister } = props.request
  const registering = useDialog<null>()
  if (!own && !canRegister && !kind) return null
  return (
    <Card title={t('request.title')}>
      {own && (
        <>
          <strong className={classes.number}>{t('request.number', { number: own.number })}</strong>
          <p className={classes.quiet}>
            {t('request.where', {
              journal: own.journal.name,
              date: formatMoment(own.registeredAt),
              name: own.registeredBy,
            })}
          </p>
        </>
      )}
      {!own && <p className={classes.quiet}>{t('request.none')}</p>}
      {kind && <p className={classes.quiet}>{t('request.kind', { name: kind.name })}</p>}
      {canRegister && (
        <Button variant="default" onClick={() => registering.open(null)}>
          {t('request.register')}
        </Button>
      )}
      <RegisterDialog {...props} isOpen={registering.isOpen} onClose={registering.close} />
    </Card>
  )
}

function RegisterDialog(props: RegistrationProps & { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('registers')
  const { request, requestKey, onClose } = props
  const client = useQueryClient()
  const { data } = useQuery({
    ...journalsQuery(requestKey.organizationId),
    enabled: props.isOpen,
    staleTime: 0,
  })
  const direction = directionFor({ organizationId: request.organization.id }, requestKey.organizationId)
  const offered = data?.items.filter((one) => one.isActive && one.direction === direction)
  const [chosen, setChosen] = useState<string | null>(null)
  const only = offered?.length === 1 ? offered[0] : undefined
  const journal =
    offered?.find(({ id }) => id === (chosen ?? request.kind?.journalId)) ??
    (chosen === null ? only : undefined)
  const registration = useMutation({
    mutationFn: (journalId: string) => call(registerRequest, { ...requestKey, journalId }),
    onSuccess: (saved) => {
      toast(t('request.done', { number: saved.ownRegistration?.number ?? '' }))
      props.onKept(saved)
      onClose()
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [getJournals.path] })
      void client.invalidateQueries({ queryKey: [getJournalEntries.path] })
    },
  })
  return (
    <Modal
      opened={props.isOpen}
      onClose={onClose}
      title={t('request.dialog')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={520}
    >
      {offered?.length === 0 ? (
        <p>{t(`request.noJournals.${direction}`)}</p>
      ) : (
        <Select
          size="md"
          label={t('request.journal')}
          placeholder={t('request.journalRequired')}
          description={journal && t('request.next', { number: journal.nextNumber })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          searchable
          data={(offered ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={journal?.id ?? null}
          onChange={setChosen}
        />
      )}
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button
          disabled={!journal}
          loading={registration.isPending}
          onClick={() => journal && registration.mutate(journal.id)}
        >
          {t('request.register')}
        </Button>
      </Group>
    </Modal>
  )
}
