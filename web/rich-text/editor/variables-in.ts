/** The variables of the text in the editor: what they are, and filling them wherever they stand. */
import type { Editor } from '@tiptap/core'
import type { VariableKind } from '@kelisim/domain/rich-text/variables.ts'

export type ChipAttributes = { name: string; type: VariableKind; usual: string; value: string }

/** Each once, in the order they are met. */
export function chipsIn(editor: Editor): ChipAttributes[] {
  const found = new Map<string, ChipAttributes>()
  editor.state.doc.descendants((node) => {
    if (node.type.name !== 'variable') return
    const chip = node.attrs as ChipAttributes
    if (!found.has(chip.name)) found.set(chip.name, { ...chip })
  })
  return [...found.values()]
}

/** Changes a variable everywhere it stands; typing a value is not undone letter by letter in the text. */
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
