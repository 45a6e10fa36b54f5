/** Opens a journal, or changes one; its numbering rule can be changed only before the first number. */
import { useState } from 'react'
import { Radio, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import {
  addJournal,
  getDocumentKinds,
  getJournals,
  longestJournalName,
  saveJournal,
  type Journal,
} from '@kelisim/domain/registers/contract.ts'
import {
  exampleNumber,
  longestPrefix,
  mostDigits,
  yearPlaces,
  type YearPlace,
} from '@kelisim/domain/registers/numbering.ts'
import { journalDirections } from '@kelisim/domain/registers/permissions.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { RadioColumns, RadioOption, SwitchField } from '../ui/form/choices.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm, useFormContext } from '../ui/form/form.tsx'
import type { JournalView } from './queries.ts'
import classes from './registers.module.css'

export function JournalDialog(props: { isOpen: boolean; journal: JournalView | null; onClose: () => void }) {
  const { t } = useTexts('registers')
  const { organization } = useWorkplace()
  const { journal, onClose } = props
  const draft = `journal:${organization.Id}:${journal?.id ?? 'new'}`
  const title = t(journal ? 'journals.editTitle' : 'journals.addTitle')
  return (
    <FormDialog isOpen={props.isOpen} title={title} draft={draft} onClose={onClose}>
      <JournalForm key={journal?.id ?? 'new'} draft={draft} journal={journal} onClose={onClose} />
    </FormDialog>
  )
}

function JournalForm(props: { draft: string; journal: JournalView | null; onClose: () => void }) {
  const { t } = useTexts('registers')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const { journal, onClose } = props
  const isRuleFixed = (journal?.count ?? 0) > 0
  const form = useApiForm({
    id: props.draft,
    // The cast is safe: both endpoints take the values of this form, and `fixed` has the further fields of each.
    endpoint: journal ? (saveJournal as Endpoint<'owner', z.ZodMiniType, typeof Journal>) : addJournal,
    fixed: {
      organizationId: organization.Id,
      ...(journal && { journalId: journal.id, currentVersion: journal.currentVersion }),
    },
    initial: {
      name: journal?.name ?? '',
      direction: journal?.direction ?? 'outgoing',
      prefix: journal?.prefix ?? '',
      yearPlace: journal?.yearPlace ?? 'after',
      width: journal?.width ?? 4,
      firstNumber: String(journal?.firstNumber ?? 1),
      isActive: journal?.isActive ?? true,
    },
    inputOf: ({ direction, firstNumber, isActive, ...same }) => ({
      ...same,
      firstNumber: Number(firstNumber),
      ...(journal ? { isActive } : { direction }),
    }),
    fieldOf: { 'journal-name-already-in-use': 'name' },
    guardsPage: false,
    onDone: () => {
      toast(t(journal ? 'common:saved' : 'journals.added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getJournals.path] })
      void client.invalidateQueries({ queryKey: [getDocumentKinds.path] })
    },
  })
  const yes = t(journal ? 'common:actions.save' : 'journals.create')
  return (
    <DialogForm form={form} yes={yes} onCancel={onClose}>
      <TextField
        name="name"
        label={t('journals.name')}
        help={t('journals.nameHelp')}
        max={longestJournalName}
        isRequired
      />
      {!journal && <DirectionField />}
      {isRuleFixed ? <p className={classes.quiet}>{t('journals.ruleFixed')}</p> : <RuleFields />}
      {journal && (
        <SwitchField name="isActive" label={t('journals.isActive')} help={t('journals.isActiveHelp')} />
      )}
    </DialogForm>
  )
}

function DirectionField() {
  const { t } = useTexts('registers')
  const form = useFormContext()
  return (
    <Radio.Group
      label={t('journals.direction')}
      value={String(form.values['direction'])}
      onChange={(value) => form.set('direction', value)}
    >
      <RadioColumns>
        {journalDirections.map((one) => (
          <RadioOption
            key={one}
            value={one}
            label={t(`journals.directions.${one}`)}
            description={t(`journals.directionsHelp.${one}`)}
          />
        ))}
      </RadioColumns>
    </Radio.Group>
  )
}

/** The fields of the numbering rule, with an example of the first number that follows the input. */
function RuleFields() {
  const { t } = useTexts('registers')
  const form = useFormContext()
  const [now] = useState(() => new Date())
  const yearPlace = form.values['yearPlace'] as YearPlace
  const width = Number(form.values['width'])
  const firstNumber = Number(form.values['firstNumber'])
  const rule = { prefix: String(form.values['prefix']), yearPlace, width, firstNumber: firstNumber || 1 }
  return (
    <>
      <TextField
        name="prefix"
        label={t('journals.prefix')}
        help={t('journals.prefixHelp')}
        max={longestPrefix}
      />
      <Select
        size="md"
        label={t('journals.yearPlace')}
        description={t('journals.yearHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={yearPlaces.map((place) => ({ value: place, label: t(`journals.yearPlaces.${place}`) }))}
        value={yearPlace}
        onChange={(place) => form.set('yearPlace', place)}
      />
      <div className={classes.pair}>
        <Select
          size="md"
          label={t('journals.width')}
          allowDeselect={false}
          data={Array.from({ length: mostDigits }, (_, i) => String(i + 1))}
          value={String(width)}
          onChange={(digits) => form.set('width', Number(digits))}
        />
        <TextField
          name="firstNumber"
          label={t('journals.firstNumber')}
          help={t('journals.firstNumberHelp')}
          inputMode="numeric"
          shape={(typed) => typed.replaceAll(/\D/g, '').slice(0, 7)}
        />
      </div>
      <p className={classes.example} role="status">
        {t('journals.example', { number: exampleNumber(rule, now) })}
      </p>
    </>
  )
}
