/** A workbook as plain tables, one sheet at a time. */
import { useEffect, useState } from 'react'
import { Tabs } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { PreviewFailed } from './preview-failed.tsx'
import classes from './preview.module.css'
import { limits, readWorkbook, type Sheet } from './workbook.ts'

export function XlsxPreview({ bytes }: { bytes: ArrayBuffer }) {
  const { t } = useTexts('documents')
  const [state, setState] = useState<{ sheets: Sheet[] | null; hasFailed: boolean }>({
    sheets: null,
    hasFailed: false,
  })
  useEffect(() => {
    let isGone = false
    readWorkbook(bytes).then(
      (sheets) => !isGone && setState({ sheets, hasFailed: sheets.length === 0 }),
      () => !isGone && setState({ sheets: null, hasFailed: true }),
    )
    return () => {
      isGone = true
    }
  }, [bytes])
  const { sheets, hasFailed } = state
  if (hasFailed) return <PreviewFailed />
  if (!sheets) return <LoadingLines count={8} />
  return (
    <Tabs className={classes.workbook ?? ''} defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label={t('preview.sheets')}>
        {sheets.map(({ name }, i) => (
          <Tabs.Tab key={i} value={String(i)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sheets.map((sheet, i) => (
        <Tabs.Panel key={i} value={String(i)}>
          <SheetTable sheet={sheet} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function SheetTable({ sheet }: { sheet: Sheet }) {
  const { t } = useTexts('documents')
  const { rows, name, isCut } = sheet
  if (rows.every((row) => row.every((cell) => cell === ''))) {
    return <p className={classes.note}>{t('preview.emptySheet')}</p>
  }
  const width = Math.max(...rows.map((row) => row.length))
  return (
    <>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.sheetTable} role="region" aria-label={name} tabIndex={0}>
        <table aria-label={name}>
          <tbody>
            {rows.map((row, y) => (
              <tr key={y}>
                <th scope="row">{y + 1}</th>
                {Array.from({ length: width }, (_, x) => (
                  <td key={x}>{row[x] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && <p className={classes.note}>{t('preview.cut', { ...limits })}</p>}
    </>
  )
}
