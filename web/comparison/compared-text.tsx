/** The differences of two texts, word by word: side by side, or as one text. */
import { Fragment, useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import classes from './comparison.module.css'
import { piecesOf, stretchesOf, type ShownPiece, type ShownRow, type Stretch } from './shown-rows.ts'

type Props = {
  rows: readonly ShownRow[]
  /** The number of the change that was jumped to; 0: none. */
  current: number
  names: { before: string; after: string }
}

export function SideBySide(props: Props) {
  const { t } = useTexts('comparison')
  return (
    <table className={classes.sides} aria-label={t('text')}>
      <thead>
        <tr>
          <th scope="col">{props.names.before}</th>
          <th scope="col">{props.names.after}</th>
        </tr>
      </thead>
      <tbody>
        {stretchesOf(props.rows).map((stretch) => (
          <Folding key={stretch.rows[0]!.index} stretch={stretch} isTable>
            {(row, previous) => (
              <tr key={row.index}>
                <Side row={row} previous={previous} side="pageBefore" current={props.current} />
                <Side row={row} previous={previous} side="pageAfter" current={props.current} />
              </tr>
            )}
          </Folding>
        ))}
      </tbody>
    </table>
  )
}

function Side(props: {
  row: ShownRow
  previous: ShownRow | undefined
  side: 'pageBefore' | 'pageAfter'
  current: number
}) {
  const { row, previous, side } = props
  const pieces = piecesOf(row, side === 'pageBefore' ? 'before' : 'after')
  return (
    <td>
      <PageOf page={row[side]} previous={previous?.[side]} />
      <Pieces pieces={pieces} current={props.current} />
    </td>
  )
}

export function Inline(props: Props) {
  const { t } = useTexts('comparison')
  return (
    <section className={classes.inline} aria-label={t('text')}>
      {stretchesOf(props.rows).map((stretch) => (
        <Folding key={stretch.rows[0]!.index} stretch={stretch}>
          {(row, previous) => (
            <p key={row.index}>
              <PageOf page={row.pageAfter} previous={previous?.pageAfter} />
              <Pieces pieces={row.pieces} current={props.current} />
            </p>
          )}
        </Folding>
      ))}
    </section>
  )
}

function Folding(props: {
  stretch: Stretch
  isTable?: boolean
  /** `previous` is the row above in this stretch. */
  children: (row: ShownRow, previous: ShownRow | undefined) => ReactNode
}) {
  const { t } = useTexts('comparison')
  const [isOpen, setOpen] = useState(!props.stretch.isFolded)
  const { rows } = props.stretch
  if (isOpen) return rows.map((row, i) => props.children(row, rows[i - 1]))
  const button = (
    <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
      {t('unchanged', { count: rows.length })}
    </Button>
  )
  if (!props.isTable) return <div className={classes.folded}>{button}</div>
  return (
    <tr className={classes.folded}>
      <td colSpan={2}>{button}</td>
    </tr>
  )
}

/** The page number, shown only where a page begins. */
function PageOf({ page, previous }: { page: number | null; previous: number | null | undefined }) {
  const { t } = useTexts('comparison')
  return page !== null && page !== previous && <small className={classes.page}>{t('page', { page })}</small>
}

function Pieces({ pieces, current }: { pieces: readonly ShownPiece[]; current: number }) {
  const { t } = useTexts('comparison')
  return pieces.map(({ kind, text, change }, i) => {
    const Tag = kind === 'removed' ? 'del' : 'ins'
    return (
      <Fragment key={i}>
        {i > 0 && ' '}
        {kind === 'same' ? (
          text
        ) : (
          <Tag data-change={change} data-current={change === current || undefined}>
            <span className="only-heard">{t(kind)}: </span>
            {text}
          </Tag>
        )}
      </Fragment>
    )
  })
}
