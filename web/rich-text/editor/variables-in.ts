/** The variables in the text of the editor: lists them and fills them everywhere. */
import type { Editor } from '@tiptap/core'
import type { VariableKind } from '@kelisim/domain/rich-text/variables.ts'

export type ChipAttributes = { name: string; type: VariableKind; usual: string; value: string }

/** Each variable once, in the order of the text. */
export function chipsIn(editor: Editor): ChipAttributes[] {
  const found = new Map<string, ChipAttributes>()
  editor.state.doc.descendants((node) => {
    if (node.type.name !== 'variable') return
    const chip = node.attrs as ChipAttributes
    if (!found.has(chip.name)) found.set(chip.name, { ...chip })
  })
  return [...found.values()]
}

/** Changes a variable everywhere in the text, in one transaction, so that one undo reverts every occurrence. */
export function changeChips(editor: Editor, name: string, change: Partial<ChipAttributes>): void {
  const { tr, doc } = editor.state
  doc.descendants((node, at) => {
    if (node.type.name === 'variable' && node.attrs['name'] === name) {
      tr.setNodeMarkup(at, undefined, { ...node.attrs, ...change }, node.marks)
    }
  })
  editor.view.dispatch(tr)
}

export function insertChip(editor: Editor, chip: ChipAttributes): void {
  editor.chain().focus().insertContent({ type: 'variable', attrs: chip }).run()
}
