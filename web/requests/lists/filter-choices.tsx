/** The popover with the choices of a filter chip; loaded after the list, because most people open none. */
import { useEffect, useState, type ComponentType } from 'react'
import { Popover } from '@mantine/core'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { ChipButton, type Chip, type ChipName } from './filter-chip.tsx'
import {
  AuthorForm,
  ClassifierForm,
  NumberForm,
  OwnersForm,
  PeriodForm,
  RegisteredForm,
  StatusesForm,
  type FormProps,
} from './filter-forms.tsx'

const forms: Record<ChipName, ComponentType<FormProps>> = {
  status: StatusesForm,
  owner: OwnersForm,
  period: PeriodForm,
  counterparty: NumberForm,
  author: AuthorForm,
  classificator: ClassifierForm,
  registered: RegisteredForm,
}

export function FilterChoices({ isOpenAtFirst, ...chip }: Chip & LazyMenuProps) {
  const [isOpen, setOpen] = useState(false)
  // Opened only after mounting, so that the popover knows which element gets the focus back.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  useEffect(() => setOpen(isOpenAtFirst ?? false), [])
  const Form = forms[chip.name]
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={320}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <ChipButton
          {...chip}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={chip.label}>
        <Form filters={chip.filters} onChange={chip.onChange} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
