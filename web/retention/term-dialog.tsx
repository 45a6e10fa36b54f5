/** Adds a rule to the table of terms. */
import { useState } from 'react'
import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import {
  addRetentionTerm,
  getRetainedDocuments,
  getRetentionTerms,
} from '@kelisim/domain/retention/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { kindsQuery } from '../registers/queries.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { DateField, TextField, useApiForm, useFormContext } from '../ui/form/form.tsx'
import { dateOf, formatDate } from '../ui/format/dates.ts'

export function TermDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const draft = `term:${organization.Id}`
  return (
    <FormDialog isOpen={props.isOpen} title={t('form.title')} draft={draft} onClose={props.onClose}>
      <TermForm draft={draft} onClose={props.onClose} />
    </FormDialog>
  )
}

function TermForm({ draft, onClose }: { draft: string; onClose: () => void }) {
  const { t } = useTexts('retention')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const [today] = useState(() => formatDate(dateInAlmaty(new Date())))
  const form = useApiForm({
    id: draft,
    endpoint: addRetentionTerm,
    fixed: { organizationId: organization.Id },
    initial: { kindId: '', years: '', basis: '', validFrom: today },
    inputOf: ({ kindId, years, basis, validFrom }) => ({
      basis,
      kindId: kindId || null,
      years: years.trim() === '' ? null : Number(years),
      validFrom: dateOf(validFrom) ?? validFrom,
    }),
    fieldOf: { 'kind-not-found': 'kindId' },
    guardsPage: false,
    onDone: () => {
      toast(t('terms.added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getRetentionTerms.path] })
      void client.invalidateQueries({ queryKey: [getRetainedDocuments.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t('form.add')} onCancel={onClose}>
      <Fields>
        <KindChoice />
        <TextField
          name="years"
          label={t('form.years')}
          help={t('form.yearsHelp')}
          max={3}
          inputMode="numeric"
        />
        <TextField name="basis" label={t('form.basis')} help={t('form.basisHelp')} max={500} isRequired />
        <DateField name="validFrom" label={t('form.validFrom')} isRequired />
        <p>{t('form.note')}</p>
      </Fields>
    </DialogForm>
  )
}

function KindChoice() {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const form = useFormContext()
  const { data } = useQuery(kindsQuery(organization.Id))
  const kinds = data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Select
      size="md"
      data-field="kindId"
      label={t('form.kind')}
      searchable
      allowDeselect={false}
      data={[{ value: '', label: t('terms.others') }, ...kinds]}
      value={String(form.values['kindId'])}
      onChange={(id) => form.set('kindId', id ?? '')}
    />
  )
}
