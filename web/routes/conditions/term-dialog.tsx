/** Sets how many working days the people of a point have, and who is told when these have passed. */
import { useState } from 'react'
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { longestTerm } from '@kelisim/domain/requests/deadlines/deadline.ts'
import { sideOf, type PointType } from '@kelisim/domain/points/point-types.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { EscalationField } from './escalation-field.tsx'
import type { EditorEscalation } from './use-escalation-text.ts'
import classes from './conditions.module.css'

type Term = { termDays: number | null; escalation: EditorEscalation | null }

export function TermDialog(props: {
  isOpen: boolean
  point: Term & { name: string; type: PointType }
  onSave: (term: Term) => void
  onClose: () => void
}) {
  const { t } = useTexts('routes')
  const { name, type, termDays } = props.point
  const [escalation, setEscalation] = useState(props.point.escalation)
  const [typed, setTyped] = useState(termDays === null ? '' : String(termDays))
  const [isChecked, setChecked] = useState(false)
  const days = Number(typed)
  const isRight = days >= 1 && days <= longestTerm

  function done(chosen: number | null): void {
    props.onSave({ termDays: chosen, escalation: chosen === null ? null : escalation })
    props.onClose()
  }

  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('term.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={480}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setChecked(true)
          if (isRight) done(days)
        }}
      >
        <p className={classes.lead}>{t('term.lead', { name })}</p>
        <TextInput
          size="md"
          data-autofocus
          inputMode="numeric"
          label={t('term.days')}
          maxLength={3}
          value={typed}
          error={isChecked && !isRight && t('term.wrong', { max: longestTerm })}
          onChange={(event) => setTyped(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
        {/* Only for points of the organisation: the people of another organisation are not known here. */}
        {sideOf(type) === 'internal' && <EscalationField value={escalation} onChange={setEscalation} />}
        <Group mt={24} justify="flex-end">
          {termDays !== null && (
            <Button variant="default" onClick={() => done(null)}>
              {t('term.remove')}
            </Button>
          )}
          <Button type="submit">{t('term.save')}</Button>
        </Group>
      </form>
    </Modal>
  )
}
