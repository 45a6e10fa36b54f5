import type { ComponentProps } from 'react'
import { Button } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { ColumnsIcon } from '../look/icons.tsx'

/** The columns of a list, and which of them are hidden. */
export type ColumnsChoice = {
  columns: { key: string; title: string }[]
  hidden: string[]
  onChange: (hidden: string[]) => void
}

type ButtonProps = Omit<ComponentProps<typeof Button<'button'>>, 'onChange' | 'hidden'>

export function ColumnsButton(props: ButtonProps & Partial<ColumnsChoice>) {
  const { t } = useTexts()
  const { columns: _columns, hidden: _hidden, onChange: _onChange, ...rest } = props
  return (
    <Button variant="default" leftSection={<ColumnsIcon size={18} />} {...rest}>
      {t('list.columns')}
    </Button>
  )
}
