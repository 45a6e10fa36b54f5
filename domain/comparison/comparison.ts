/**
 * The differences between two texts. Paragraphs are compared first, then the words of those that differ, so that the
 * work is bounded. If too much differs, the text is shown as replaced instead of being searched for unchanged parts.
 */
import { runsByAnchors } from './anchors.ts'
import { joined, runsBetween, type EditKind, type Run } from './edits.ts'

/** The page is counted from 1; null: the format has none. */
export type Paragraph = { text: string; page: number | null }

export type Piece = { kind: EditKind; text: string }

/** Text that is shown side by side: one paragraph, or several if they were divided differently. */
export type ComparedRow = {
  pageBefore: number | null
  pageAfter: number | null
  pieces: Piece[]
}

/** Enough for a rewritten section of a thousand words, which needs two thousand edits. */
const mostEdits = 2000
/** Marks the end of a paragraph among words; no word equals it. */
const lineBreak = '\n'
/** An unchanged word this short between two changes, such as "и", is shown as part of them for readability. */
const shortWord = 3

export function compareTexts(before: readonly Paragraph[], after: readonly Paragraph[]): ComparedRow[] {
  const texts = (paragraphs: readonly Paragraph[]) => paragraphs.map(({ text }) => text)
  const runs = runsBetween(texts(before), texts(after), mostEdits) ?? [
    { kind: 'removed', items: texts(before) },
    { kind: 'added', items: texts(after) },
  ]
  const rows: ComparedRow[] = []
  const place = { before: 0, after: 0 }
  const pages = () => ({
    pageBefore: before[place.before]?.page ?? null,
    pageAfter: after[place.after]?.page ?? null,
  })
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!
    if (run.kind === 'same') {
      for (const text of run.items) {
        rows.push({ ...pages(), pieces: [{ kind: 'same', text }] })
        place.before++
        place.after++
      }
      continue
    }
    const removed = run.kind === 'removed' ? run.items : []
    const next = runs[i + 1]
    const added = run.kind === 'added' ? run.items : next?.kind === 'added' ? next.items : []
    if (run.kind === 'removed' && next?.kind === 'added') i++
    for (const row of rowsOf(wordRuns(removed, added))) {
      rows.push({
        pageBefore: row.breaksBefore > 0 ? pages().pageBefore : null,
        pageAfter: row.breaksAfter > 0 ? pages().pageAfter : null,
        pieces: piecesOf(row.runs),
      })
      place.before += row.breaksBefore
      place.after += row.breaksAfter
    }
  }
  return rows
}

/** Whether no word is the same. */
export function isAllOther(rows: readonly Pick<ComparedRow, 'pieces'>[]): boolean {
  return rows.every(({ pieces }) => pieces.every(({ kind }) => kind !== 'same'))
}

/** The number of places that differ. */
export function countChanges(rows: readonly ComparedRow[]): number {
  return rows.reduce((count, { pieces }) => count + changesIn(pieces), 0)
}

/** The number of changes in a row; a removal and an addition in its place are one change. */
export function changesIn(pieces: readonly Piece[]): number {
  return pieces.filter(({ kind }, i) => kind !== 'same' && (i === 0 || pieces[i - 1]!.kind === 'same')).length
}

function wordRuns(removed: readonly string[], added: readonly string[]): Run[] {
  const words = (paragraphs: readonly string[]) =>
    paragraphs.flatMap((text) => [...text.split(/\s+/).filter((word) => word !== ''), lineBreak])
  const [before, after] = [words(removed), words(added)]
  return withoutShortWords(runsBetween(before, after, mostEdits) ?? runsByAnchors(before, after, mostEdits))
}

function withoutShortWords(runs: readonly Run[]): Run[] {
  const isBetween = (i: number) => i > 0 && i < runs.length - 1
  return joined(
    runs.flatMap((run, i): Run[] => {
      const [only] = run.items
      const isShort = run.items.length === 1 && only !== lineBreak && only!.length <= shortWord
      if (run.kind !== 'same' || !isShort || !isBetween(i)) return [run]
      return [
        { kind: 'removed', items: run.items },
        { kind: 'added', items: run.items },
      ]
    }),
  )
}

type Row = { runs: Run[]; breaksBefore: number; breaksAfter: number }

/** A row ends where a paragraph ends in both texts. */
function rowsOf(runs: readonly Run[]): Row[] {
  const rows: Row[] = []
  let row: Row = { runs: [], breaksBefore: 0, breaksAfter: 0 }
  const count = (kind: EditKind) => {
    if (kind !== 'added') row.breaksBefore++
    if (kind !== 'removed') row.breaksAfter++
  }
  for (const { kind, items } of runs) {
    let words: string[] = []
    for (const item of items) {
      if (item === lineBreak) count(kind)
      if (item === lineBreak && kind === 'same') {
        rows.push({ ...row, runs: [...row.runs, { kind, items: words }] })
        row = { runs: [], breaksBefore: 0, breaksAfter: 0 }
        words = []
      } else words.push(item)
    }
    row.runs.push({ kind, items: words })
  }
  return row.breaksBefore + row.breaksAfter > 0 ? [...rows, row] : rows
}

/** The pieces of a row; line breaks are left out, because dividing a paragraph changes no word. */
function piecesOf(runs: readonly Run[]): Piece[] {
  const pieces: Piece[] = []
  for (const { kind, items } of runs) {
    const text = items
      .join(' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .trim()
    const last = pieces.at(-1)
    if (text === '') continue
    if (last?.kind === kind) last.text += ` ${text}`
    else pieces.push({ kind, text })
  }
  return pieces
}
