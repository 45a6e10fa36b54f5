/** Creates a variable, or changes its name, type and default value. */
import { useState } from 'react'
import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core'
import {
  askedKinds,
  knownKinds,
  longestVariableName,
  whyNotValue,
  type VariableKind,
} from '@kelisim/domain/rich-text/variables.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { ChipAttributes } from './editor/variables-in.ts'
import { Fields } from '../ui/form/fields.tsx'
import { typedText } from '../ui/form/typed-text.ts'
import { useValueProblem } from './variables-panel.tsx'

const longestUsual = 250

export function VariableDialog(props: {
  isOpen: boolean
  /** Null: a new variable. */
  chip: ChipAttributes | null
  taken: readonly string[]
  onClose: () => void
  onDone: (chip: ChipAttributes) => void
}) {
  const { t } = useTexts('rich-text')
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.chip ? t('variable.edit') : t('variable.new')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={520}
    >
      {/* Mounted at each opening. */}
      <VariableForm key={props.chip?.name ?? ''} {...props} />
    </Modal>
  )
}

function VariableForm({ chip, taken, onClose, onDone }: Parameters<typeof VariableDialog>[0]) {
  const { t } = useTexts('rich-text')
  const problemText = useValueProblem()
  const [name, setName] = useState(chip?.name ?? '')
  const [type, setType] = useState<VariableKind>(chip?.type ?? 'text')
  const [usual, setUsual] = useState(chip?.usual ?? '')
  const [isTried, setTried] = useState(false)
  const isAsked = askedKinds.some((kind) => kind === type)
  const shown = name.trim()
  const isTaken = taken.includes(shown) && shown !== chip?.name
  const nameProblem = shown === '' ? problemText('required') : isTaken ? t('variable.taken') : undefined
  const usualCode = isAsked && usual.trim() !== '' ? whyNotValue(type, usual) : null
  const usualProblem = usualCode ? problemText(usualCode) : undefined
  const submit = () => {
    setTried(true)
    if (nameProblem || usualProblem) return
    onDone({ name: shown, type, usual: isAsked ? usual.trim() : '', value: chip?.value ?? '' })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The dialog is rendered inside the form of the page, which must not be submitted.
        event.stopPropagation()
        submit()
      }}
    >
      <Fields>
        <TextInput
          label={t('variable.name')}
          description={t('variable.nameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data-autofocus
          withAsterisk
          aria-required
          maxLength={longestVariableName}
          value={name}
          error={isTried ? nameProblem : undefined}
          onChange={(event) => setName(typedText(event))}
        />
        <NativeSelect
          size="md"
          label={t('variable.kind')}
          description={t(`kindHelp.${type}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as VariableKind)}
        >
          <optgroup label={t('variable.asked')}>
            {askedKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </optgroup>
          <optgroup label={t('variable.known')}>
            {knownKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </optgroup>
        </NativeSelect>
        {isAsked && (
          <TextInput
            label={t('variable.usual')}
            description={t('variable.usualHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={longestUsual}
            value={usual}
            error={isTried ? usualProblem : undefined}
            onChange={(event) => setUsual(typedText(event))}
          />
        )}
      </Fields>
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button type="submit">{chip ? t('common:actions.save') : t('variable.insert')}</Button>
      </Group>
    </form>
  )
}
