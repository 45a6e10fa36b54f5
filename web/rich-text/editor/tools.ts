/** The tools of the editor as data: what each does, whether it is on and whether it can be used. */
import type { ComponentType } from 'react'
import type { Editor } from '@tiptap/core'
import type { KeyOf } from '../../i18n/use-texts.ts'
import {
  AlignCenterIcon,
  AlignJustifyIcon,
  AlignLeftIcon,
  AlignRightIcon,
  BoldIcon,
  BulletsIcon,
  ClausesIcon,
  ColumnLeftIcon,
  ColumnRightIcon,
  DeleteColumnIcon,
  DeleteRowIcon,
  DeleteTableIcon,
  HeadRowIcon,
  IndentIcon,
  ItalicIcon,
  MergeIcon,
  NumbersIcon,
  OutdentIcon,
  PageBreakIcon,
  RedoIcon,
  RowAboveIcon,
  RowBelowIcon,
  StrikeIcon,
  TableIcon,
  UnderlineIcon,
  UndoIcon,
  VariableIcon,
} from './icons.tsx'

type ToolText = Extract<KeyOf<'rich-text'>, `tools.${string}`>

export type Tool = {
  text: ToolText
  /** An icon, or a few characters. */
  sign: ComponentType<{ size?: number }> | string
  /** The keyboard shortcut as people write it. */
  keys?: string
  isOn?: (editor: Editor) => boolean
  mayRun?: (editor: Editor) => boolean
  run: (editor: Editor) => void
}

const mark = (text: ToolText, name: string, sign: Tool['sign'], keys: string): Tool => ({
  text,
  sign,
  keys,
  isOn: (editor) => editor.isActive(name),
  run: (editor) => editor.chain().focus().toggleMark(name).run(),
})

const heading = (level: 1 | 2 | 3): Tool => ({
  text: `tools.heading${level}`,
  sign: `H${level}`,
  keys: `Ctrl Alt ${level}`,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
})

const align = (side: 'left' | 'center' | 'right' | 'justify', sign: Tool['sign']): Tool => ({
  text: `tools.${side}`,
  sign,
  isOn: (editor) => editor.isActive({ align: side }),
  run: (editor) =>
    editor
      .chain()
      .focus()
      .updateAttributes('paragraph', { align: side })
      .updateAttributes('heading', { align: side })
      .run(),
})

const list = (text: ToolText, name: string, sign: Tool['sign'], keys: string): Tool => ({
  text,
  sign,
  keys,
  // Only the innermost list around the cursor counts.
  isOn: (editor) => nearestList(editor) === name,
  run: (editor) => editor.chain().focus().toggleList(name, 'listItem').run(),
})

const listNames = ['bulletList', 'orderedList', 'clauseList']

function nearestList(editor: Editor): string | null {
  const { $from } = editor.state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const { name } = $from.node(depth).type
    if (listNames.includes(name)) return name
  }
  return null
}

const isInTable = (editor: Editor) => editor.isActive('table')

export const tools: Tool[][] = [
  [
    {
      text: 'tools.undo',
      sign: UndoIcon,
      keys: 'Ctrl Z',
      mayRun: (editor) => editor.can().undo(),
      run: (editor) => editor.chain().focus().undo().run(),
    },
    {
      text: 'tools.redo',
      sign: RedoIcon,
      keys: 'Ctrl Shift Z',
      mayRun: (editor) => editor.can().redo(),
      run: (editor) => editor.chain().focus().redo().run(),
    },
  ],
  [heading(1), heading(2), heading(3)],
  [
    mark('tools.bold', 'bold', BoldIcon, 'Ctrl B'),
    mark('tools.italic', 'italic', ItalicIcon, 'Ctrl I'),
    mark('tools.underline', 'underline', UnderlineIcon, 'Ctrl U'),
    mark('tools.strike', 'strike', StrikeIcon, 'Ctrl Shift S'),
  ],
  [
    align('left', AlignLeftIcon),
    align('center', AlignCenterIcon),
    align('right', AlignRightIcon),
    align('justify', AlignJustifyIcon),
  ],
  [
    list('tools.clauses', 'clauseList', ClausesIcon, 'Ctrl Shift 9'),
    list('tools.numbers', 'orderedList', NumbersIcon, 'Ctrl Shift 7'),
    list('tools.bullets', 'bulletList', BulletsIcon, 'Ctrl Shift 8'),
    {
      text: 'tools.indent',
      sign: IndentIcon,
      keys: 'Tab',
      mayRun: (editor) => editor.can().sinkListItem('listItem'),
      run: (editor) => editor.chain().focus().sinkListItem('listItem').run(),
    },
    {
      text: 'tools.outdent',
      sign: OutdentIcon,
      keys: 'Shift Tab',
      mayRun: (editor) => editor.can().liftListItem('listItem'),
      run: (editor) => editor.chain().focus().liftListItem('listItem').run(),
    },
  ],
  [
    {
      text: 'tools.table',
      sign: TableIcon,
      mayRun: (editor) => !isInTable(editor),
      run: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
    {
      text: 'tools.pageBreak',
      sign: PageBreakIcon,
      keys: 'Ctrl Enter',
      mayRun: (editor) => !isInTable(editor),
      run: (editor) => editor.chain().focus().insertContent({ type: 'pageBreak' }).run(),
    },
  ],
]

export function variableTool(run: () => void): Tool {
  return { text: 'tools.variable', sign: VariableIcon, run }
}

/** Shown while the cursor is in a table. */
export const tableTools: Tool[] = [
  {
    text: 'tools.rowAbove',
    sign: RowAboveIcon,
    run: (editor) => editor.chain().focus().addRowBefore().run(),
  },
  { text: 'tools.rowBelow', sign: RowBelowIcon, run: (editor) => editor.chain().focus().addRowAfter().run() },
  {
    text: 'tools.columnLeft',
    sign: ColumnLeftIcon,
    run: (editor) => editor.chain().focus().addColumnBefore().run(),
  },
  {
    text: 'tools.columnRight',
    sign: ColumnRightIcon,
    run: (editor) => editor.chain().focus().addColumnAfter().run(),
  },
  {
    text: 'tools.merge',
    sign: MergeIcon,
    mayRun: (editor) => editor.can().mergeOrSplit(),
    run: (editor) => editor.chain().focus().mergeOrSplit().run(),
  },
  {
    text: 'tools.headRow',
    sign: HeadRowIcon,
    run: (editor) => editor.chain().focus().toggleHeaderRow().run(),
  },
  { text: 'tools.deleteRow', sign: DeleteRowIcon, run: (editor) => editor.chain().focus().deleteRow().run() },
  {
    text: 'tools.deleteColumn',
    sign: DeleteColumnIcon,
    run: (editor) => editor.chain().focus().deleteColumn().run(),
  },
  {
    text: 'tools.deleteTable',
    sign: DeleteTableIcon,
    run: (editor) => editor.chain().focus().deleteTable().run(),
  },
]
