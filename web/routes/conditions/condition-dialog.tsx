/** Edits the condition of a point: sentences made of selects, joined by "and" or "or". */
import { useState } from 'react'
import { ActionIcon, Button, Group, Modal, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cleanAmount, groupAmount } from '@kelisim/domain/amounts.ts'
import { joins, mostChoices, mostTerms, type Condition } from '@kelisim/domain/routes/condition.ts'
import { longestValue, longestVariableName } from '@kelisim/domain/rich-text/variables.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kindsQuery } from '../../registers/queries.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { CloseIcon, PlusIcon } from '../../ui/look/icons.tsx'
import classes from './conditions.module.css'
import { typedText } from '../../ui/form/typed-text.ts'
import {
  conditionOf,
  draftOf,
  newTerm,
  subjects,
  termOf,
  testsFor,
  withSubject,
  type ConditionDraft,
  type Subject,
  type TermDraft,
  type Test,
} from './draft.ts'

type Side = { bin: string; name: string }

export function ConditionDialog(props: {
  isOpen: boolean
  point: { name: string; condition: Condition | null }
  /** The other sides of the route, which a condition about counterparties may name. */
  sides: readonly Side[]
  onSave: (condition: Condition | null) => void
  onClose: () => void
}) {
  const { t } = useTexts('routes')
  const { point, sides } = props
  const [draft, setDraft] = useState<ConditionDraft>(() => draftOf(point.condition))
  const [isChecked, setChecked] = useState(false)
  const { terms, join } = draft
  const change = (index: number, term: TermDraft) => setDraft({ join, terms: terms.with(index, term) })

  function save(): void {
    const condition = conditionOf(draft)
    setChecked(true)
    if (condition === null) return
    props.onSave(condition)
    props.onClose()
  }

  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('conditions.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={640}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className={classes.lead}>{t('conditions.lead', { name: point.name })}</p>
        {terms.map((term, i) => (
          <fieldset key={i} className={classes.term}>
            <legend>{t('conditions.term', { number: i + 1 })}</legend>
            <TermFields
              term={term}
              sides={sides}
              isWrong={isChecked && termOf(term) === null}
              onChange={(next) => change(i, next)}
            />
            {terms.length > 1 && (
              <ActionIcon
                className={classes.removeTerm ?? ''}
                variant="subtle"
                color="var(--ink-2)"
                size={32}
                aria-label={t('conditions.removeTerm', { number: i + 1 })}
                onClick={() => setDraft({ join, terms: terms.toSpliced(i, 1) })}
              >
                <CloseIcon size={16} />
              </ActionIcon>
            )}
          </fieldset>
        ))}
        {terms.length > 1 && (
          <NativeSelect
            mt={12}
            label={t('conditions.joinLabel')}
            value={join}
            data={joins.map((value) => ({ value, label: t(`conditions.joinChoice.${value}`) }))}
            onChange={(event) => setDraft({ terms, join: event.currentTarget.value === 'or' ? 'or' : 'and' })}
          />
        )}
        {terms.length < mostTerms && (
          <Button
            mt={12}
            variant="subtle"
            size="compact-md"
            leftSection={<PlusIcon size={16} />}
            onClick={() => setDraft({ join, terms: [...terms, newTerm] })}
          >
            {t('conditions.another')}
          </Button>
        )}
        <Group mt={24} justify="flex-end">
          {point.condition && (
            <Button
              variant="default"
              onClick={() => {
                props.onSave(null)
                props.onClose()
              }}
            >
              {t('conditions.remove')}
            </Button>
          )}
          <Button type="submit">{t('conditions.save')}</Button>
        </Group>
      </form>
    </Modal>
  )
}

type FieldsProps = {
  term: TermDraft
  sides: readonly Side[]
  isWrong: boolean
  onChange: (term: TermDraft) => void
}

function TermFields(props: FieldsProps) {
  const { t } = useTexts('routes')
  const { term, onChange } = props
  return (
    <div className={classes.fields}>
      <NativeSelect
        size="md"
        data-autofocus
        aria-label={t('conditions.subject')}
        value={term.subject}
        data={subjects.map((value) => ({ value, label: t(`conditions.subjects.${value}`) }))}
        onChange={(event) => onChange(withSubject(term, event.currentTarget.value as Subject))}
      />
      {term.subject === 'variable' && (
        <TextInput
          size="md"
          aria-label={t('conditions.name')}
          placeholder={t('conditions.name')}
          maxLength={longestVariableName}
          value={term.name}
          error={props.isWrong && term.name.trim() === ''}
          onChange={(event) => onChange({ ...term, name: typedText(event) })}
        />
      )}
      <NativeSelect
        size="md"
        aria-label={t('conditions.test')}
        value={term.test}
        data={testsFor(term.subject).map((value) => ({ value, label: t(`conditions.tests.${value}`) }))}
        onChange={(event) => onChange({ ...term, test: event.currentTarget.value as Test })}
      />
      <ValueField {...props} />
    </div>
  )
}

function ValueField({ term, sides, isWrong, onChange }: FieldsProps) {
  const { t } = useTexts('routes')
  const error = isWrong && t('conditions.unfinished')
  switch (term.subject) {
    case 'amount':
      return (
        <TextInput
          size="md"
          inputMode="decimal"
          aria-label={t('conditions.amount')}
          placeholder={t('conditions.amount')}
          rightSection="₸"
          error={error}
          value={term.amount}
          onChange={(event) =>
            onChange({ ...term, amount: groupAmount(cleanAmount(event.currentTarget.value)) })
          }
        />
      )
    case 'variable':
      return (
        <TextInput
          size="md"
          aria-label={t('conditions.value')}
          placeholder={t('conditions.value')}
          maxLength={longestValue}
          error={error}
          value={term.value}
          onChange={(event) => onChange({ ...term, value: typedText(event) })}
        />
      )
    case 'kind':
      return (
        <KindChoices chosen={term.kinds} error={error} onChange={(kinds) => onChange({ ...term, kinds })} />
      )
    case 'counterparty':
      return (
        <Choices
          label={t('conditions.counterparties')}
          none={t('conditions.counterpartiesNone')}
          error={error}
          offered={sides.map(({ bin, name }) => ({ id: bin, name: name || bin }))}
          chosen={term.counterparties.map(({ bin, name }) => ({ id: bin, name: name || bin }))}
          onChange={(all) =>
            onChange({ ...term, counterparties: all.map(({ id, name }) => ({ bin: id, name })) })
          }
        />
      )
  }
}

type Choice = { id: string; name: string }

function KindChoices(props: {
  chosen: Choice[]
  error: string | false
  onChange: (kinds: Choice[]) => void
}) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const { data } = useQuery(kindsQuery(organization.Id))
  const offered = data?.items.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name })) ?? []
  return (
    <Choices
      {...props}
      label={t('conditions.kinds')}
      none={data ? t('conditions.kindsNone') : t('common:loading')}
      offered={offered}
    />
  )
}

/** Earlier choices stay selected, even if they are no longer offered. */
function Choices(props: {
  label: string
  none: string
  error: string | false
  offered: readonly Choice[]
  chosen: readonly Choice[]
  onChange: (chosen: Choice[]) => void
}) {
  const { label, none, error, offered, chosen } = props
  const all = [...offered, ...chosen.filter(({ id }) => !offered.some((one) => one.id === id))]
  return (
    <MultiSelect
      size="md"
      classNames={{ inputField: classes.chosenField ?? '' }}
      aria-label={label}
      {...(chosen.length === 0 && { placeholder: label })}
      nothingFoundMessage={none}
      error={error}
      searchable
      hidePickedOptions
      maxValues={mostChoices}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.map(({ id }) => id)}
      onChange={(ids) => props.onChange(ids.flatMap((id) => all.find((one) => one.id === id) ?? []))}
    />
  )
}
