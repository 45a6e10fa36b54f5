/** The variables beside a text: those of a template, or those that a document still needs. */
import { useState, type ReactNode } from 'react'
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import {
  longestValue,
  whyNotValue,
  type ValueProblem,
  type VariableKind,
} from '@kelisim/domain/rich-text/variables.ts'
import { caretIn, cleanAmount, groupAmount } from '@kelisim/domain/amounts.ts'
import { wordsAfter } from '@kelisim/domain/rich-text/amount-words.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Fields } from '../ui/form/fields.tsx'
import { beforeCaret, useKeptCaret } from '../ui/form/kept-caret.ts'
import { maskDate } from '../ui/format/dates.ts'
import { EditIcon, PlusIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import { changeChips, chipsIn, insertChip, type ChipAttributes } from './editor/variables-in.ts'
import classes from './rich-text.module.css'

export function useChips(editor: Editor): ChipAttributes[] {
  return useEditorState({ editor, selector: () => chipsIn(editor), equalityFn: isSame })
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function TemplateVariables(props: {
  editor: Editor
  onNew: () => void
  onEdit: (chip: ChipAttributes) => void
}) {
  const { t } = useTexts('rich-text')
  const chips = useChips(props.editor)
  return (
    <Card title={t('variables.title')}>
      <p className={classes.help}>{t('variables.help')}</p>
      <ul className={classes.variables}>
        {chips.map((chip) => (
          <li key={chip.name}>
            <span>
              {chip.name}
              <small>
                {chip.usual === '' ? t(`kinds.${chip.type}`) : `${t(`kinds.${chip.type}`)}: ${chip.usual}`}
              </small>
            </span>
            <Act
              label={t('variables.insert', { name: chip.name })}
              onClick={() => insertChip(props.editor, chip)}
            >
              <PlusIcon size={18} />
            </Act>
            <Act label={t('variables.edit', { name: chip.name })} onClick={() => props.onEdit(chip)}>
              <EditIcon size={18} />
            </Act>
          </li>
        ))}
      </ul>
      <Button variant="default" leftSection={<PlusIcon size={18} />} onClick={props.onNew}>
        {t('variable.new')}
      </Button>
    </Card>
  )
}

function Act(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="subtle"
        size={36}
        color="var(--ink-2)"
        aria-label={props.label}
        onClick={props.onClick}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  )
}

/** The field of a variable, to focus it when the variable is clicked in the text. */
export function fieldOf(name: string): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`[data-variable-field="${CSS.escape(name)}"]`)
}

export function FillVariables(props: { editor: Editor; isTried: boolean }) {
  const { t } = useTexts('rich-text')
  const chips = useChips(props.editor)
  if (chips.length === 0) return null
  const left = chips.filter(({ type, value }) => whyNotValue(type, value) !== null).length
  return (
    <Card title={t('variables.fill')}>
      <p className={left === 0 ? classes.done : classes.left} role="status">
        {left === 0 ? t('variables.allFilled') : t('variables.left', { count: left })}
      </p>
      <Fields>
        {chips.map((chip) => (
          <ValueField key={chip.name} chip={chip} editor={props.editor} isTried={props.isTried} />
        ))}
      </Fields>
    </Card>
  )
}

/** The problem of a value as text. */
export function useValueProblem(): (code: ValueProblem) => string {
  const { t } = useTexts('rich-text')
  return (code) => {
    switch (code) {
      case 'number-incorrect':
      case 'date-incorrect':
        return t(`problems.${code}`)
      case 'required':
      case 'too-long':
      case 'twelve-digits':
      case 'check-digit':
        return t(`common:field.${code}`, { max: longestValue })
    }
  }
}

function ValueField({ chip, editor, isTried }: { chip: ChipAttributes; editor: Editor; isTried: boolean }) {
  const { t } = useTexts('rich-text')
  const problemText = useValueProblem()
  const [isLeft, setLeft] = useState(false)
  const { name, type, value } = chip
  const { input, keep } = useKeptCaret()
  const code = whyNotValue(type, value)
  return (
    <TextInput
      ref={input}
      label={name}
      description={type === 'text' ? undefined : t(`kindHint.${type}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      aria-required
      data-variable-field={name}
      inputMode={isNumeric(type) ? 'numeric' : 'text'}
      maxLength={longestValue}
      value={value}
      error={code && (isTried || isLeft) ? problemText(code) : undefined}
      onChange={({ currentTarget }) => {
        const next = shaped(type, currentTarget.value)
        keep(
          type === 'number'
            ? caretIn(next, beforeCaret(currentTarget))
            : shaped(type, beforeCaret(currentTarget)).length,
        )
        const followers = wordsAfter(chipsIn(editor), { name, value: next })
        changeChips(editor, name, { value: next })
        for (const follower of followers) changeChips(editor, follower.name, { value: follower.value })
      }}
      onBlur={() => setLeft(true)}
    />
  )
}

/** More decimal places than money has, because numbers may also be quantities, such as weights to the gram. */
const mostAfterComma = 6

function isNumeric(type: VariableKind): boolean {
  return (
    type === 'number' || type === 'date' || type === 'today' || type === 'bin' || type === 'organizationBin'
  )
}

/** Masks dates, keeps only the digits of BINs and IINs, and groups numbers. */
function shaped(type: VariableKind, typed: string): string {
  switch (type) {
    case 'date':
    case 'today':
      return maskDate(typed)
    case 'bin':
    case 'organizationBin':
      return typed.replaceAll(/\D/g, '').slice(0, 12)
    case 'number':
      return groupAmount(cleanAmount(typed, mostAfterComma))
    case 'text':
    case 'organization':
    case 'author':
      return typed.trimStart()
  }
}
