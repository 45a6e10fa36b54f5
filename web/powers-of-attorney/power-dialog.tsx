/** Registers a power of attorney: its holder, scope and term, and the document that the head has signed here. */
import { useState } from 'react'
import { Radio } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { addPower, getPowers, mostCounterparties } from '@kelisim/domain/powers-of-attorney/contract.ts'
import { powerDirections } from '@kelisim/domain/powers-of-attorney/power.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { chipsIn, ChipsField, noChips } from '../ui/form/chips-field.tsx'
import { RadioColumns, RadioOption } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { DateField, NumberField, TextField, useApiForm } from '../ui/form/form.tsx'
import { SearchedSelect } from '../ui/form/searched-select.tsx'
import { dateOf, formatDate } from '../ui/format/dates.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { powerDocumentsQuery } from './queries.ts'

const separators = [',', ';', '\n', '\t']

export function PowerDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('powers-of-attorney')
  const { organization } = usePortalOrganization()
  const draft = `power:${organization.Id}`
  return (
    <FormDialog isOpen={props.isOpen} title={t('addTitle')} draft={draft} onClose={props.onClose}>
      <PowerForm draft={draft} onClose={props.onClose} />
    </FormDialog>
  )
}

function PowerForm({ draft, onClose }: { draft: string; onClose: () => void }) {
  const { t } = useTexts('powers-of-attorney')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const [today] = useState(() => formatDate(dateInAlmaty(new Date())))
  const form = useApiForm({
    id: draft,
    endpoint: addPower,
    fixed: { organizationId: organization.Id },
    initial: {
      signingRequestId: '',
      number: '',
      holderIin: '',
      holderName: '',
      direction: 'any',
      counterparties: noChips,
      note: '',
      validFrom: today,
      validUntil: '',
    },
    inputOf: ({ validFrom, validUntil, counterparties, ...same }) => ({
      ...same,
      counterparties: chipsIn(counterparties, separators),
      validFrom: dateOf(validFrom) ?? validFrom,
      validUntil: dateOf(validUntil) ?? validUntil,
    }),
    fieldOf: {
      'signing-request-not-found': 'signingRequestId',
      'power-document-not-signed': 'signingRequestId',
      'power-over-already': 'validUntil',
    },
    guardsPage: false,
    onDone: () => {
      toast(t('added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getPowers.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t('add')} onCancel={onClose}>
      <Fields>
        <DocumentField />
        <TextField name="number" label={t('number')} max={100} isRequired />
        <TextField name="holderName" label={t('holderName')} max={250} isRequired />
        <NumberField name="holderIin" label={t('holderIin')} isRequired />
        <Radio.Group
          label={t('direction')}
          value={form.values.direction}
          onChange={(value) => form.set('direction', value)}
        >
          <RadioColumns>
            {powerDirections.map((one) => (
              <RadioOption
                key={one}
                value={one}
                label={t(`directions.${one}`)}
                description={t(`directionsHelp.${one}`)}
              />
            ))}
          </RadioColumns>
        </Radio.Group>
        <ChipsField
          name="counterparties"
          label={t('counterparties')}
          help={t('counterpartiesHelp')}
          most={mostCounterparties}
          separators={separators}
          isNumeric
        />
        <DateField name="validFrom" label={t('validFrom')} isRequired />
        <DateField name="validUntil" label={t('validUntil')} isRequired />
        <TextField name="note" label={t('note')} max={1000} lines />
      </Fields>
    </DialogForm>
  )
}

/** Searches the documents that were signed with the organisation's own key. */
function DocumentField() {
  const { t } = useTexts('powers-of-attorney')
  const { organization } = usePortalOrganization()
  return (
    <SearchedSelect
      name="signingRequestId"
      label={t('document')}
      help={t('documentHelp')}
      nothingFound={t('nothingSigned')}
      search={(typed, take) => powerDocumentsQuery(organization.Id, typed, take)}
      optionsOf={(documents) =>
        documents.map(({ signingRequestId, name, signedAt }) => [
          signingRequestId,
          t('documentOption', { name, date: formatDate(signedAt) }),
        ])
      }
    />
  )
}
