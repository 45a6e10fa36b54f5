/** Prepares a comparison for display: changes are numbered, and long stretches without changes are folded. */
import type { ComparedRow, Piece } from '@kelisim/domain/comparison/comparison.ts'

/** `change`: the number of the change that the piece belongs to, from 1; null: it is the same in both texts. */
export type ShownPiece = Piece & { change: number | null; isFirst: boolean }
export type ShownRow = Omit<ComparedRow, 'pieces'> & { index: number; pieces: ShownPiece[] }
export type Stretch = { isFolded: boolean; rows: ShownRow[] }

/** How many rows before and after a change are shown as context. */
const around = 2

export function numberedRows(rows: readonly ComparedRow[]): ShownRow[] {
  let change = 0
  return rows.map((row, index) => ({
    ...row,
    index,
    pieces: row.pieces.map((piece, i) => {
      const isFirst = piece.kind !== 'same' && (i === 0 || row.pieces[i - 1]!.kind === 'same')
      if (isFirst) change++
      return { ...piece, isFirst, change: piece.kind === 'same' ? null : change }
    }),
  }))
}

/** Groups neighbouring rows that are all shown or all folded; a single row is never folded. */
export function stretchesOf(rows: readonly ShownRow[]): Stretch[] {
  const near = new Set<number>()
  for (const [i, { pieces }] of rows.entries()) {
    if (pieces.every(({ kind }) => kind === 'same')) continue
    for (let j = i - around; j <= i + around; j++) near.add(j)
  }
  const stretches: Stretch[] = []
  for (const [i, row] of rows.entries()) {
    const isFolded = !near.has(i)
    const last = stretches.at(-1)
    if (last?.isFolded === isFolded) last.rows.push(row)
    else stretches.push({ isFolded, rows: [row] })
  }
  return stretches.map((stretch) => ({ ...stretch, isFolded: stretch.isFolded && stretch.rows.length > 1 }))
}

/** The pieces of one side of a row. */
export function piecesOf(row: ShownRow, side: 'before' | 'after'): ShownPiece[] {
  return row.pieces.filter(({ kind }) => kind !== (side === 'before' ? 'added' : 'removed'))
}
