import type { ComponentProps } from 'react'
import { Button } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { ColumnsIcon } from '../look/icons.tsx'

/** The columns of a list, and which of them are hidden. */
export type ColumnsChoice = {
  columns: { key: string; title: string }[]
  hidden: string[]
  onChange: (hidden: string[]) => void
  /** Rows are lower, so that more of them fit. */
  isDense: boolean
  onDense: (isDense: boolean) => void
}

type ButtonProps = Omit<ComponentProps<typeof Button<'button'>>, keyof ColumnsChoice>

export function ColumnsButton(props: ButtonProps & Partial<ColumnsChoice>) {
  const { t } = useTexts()
  const { columns: _c, hidden: _h, onChange: _o, isDense: _d, onDense: _e, ...rest } = props
  return (
    <Button variant="default" leftSection={<ColumnsIcon size={18} />} {...rest}>
      {t('list.columns')}
    </Button>
  )
}
