/** The text editor with its toolbar. It returns HTML, which the server cleans. */
import { useEffect, useId, useRef, useState } from 'react'
import type { Editor } from '@tiptap/core'
import { Slice } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { EditorContent, useEditor } from '@tiptap/react'
import { useTexts } from '../../i18n/use-texts.ts'
import { cleanPasted } from './clean-pasted.ts'
import classes from './editor.module.css'
import { extensions } from './extensions.ts'
import { Toolbar } from './toolbar.tsx'
import type { ChipAttributes } from './variables-in.ts'

export function RichEditor(props: {
  label: string
  /** The name of the field, to focus the first wrong one. */
  name: string
  /** The initial text; later changes of the property are ignored. */
  content: string
  problem?: string | undefined
  onChange: (html: string) => void
  onReady: (editor: Editor) => void
  onVariable?: () => void
  /** Called when a variable is clicked, or Enter is pressed while it is selected. */
  onChip?: (chip: ChipAttributes) => void
}) {
  const { t } = useTexts('rich-text')
  const problemId = useId()
  const toolbar = useRef<HTMLDivElement>(null)
  // A ref, because the editor outlives the render in which it was created.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const [content] = useState(props.content)
  const editor = useEditor({
    extensions,
    content,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': props.label,
        'data-field': props.name,
        'aria-describedby': problemId,
      },
      transformPastedHTML: cleanPasted,
      transformPasted: wholeBlocks,
      handleKeyDown: ({ state }, event) => {
        const { selection } = state
        const chip =
          selection instanceof NodeSelection && selection.node.type.name === 'variable' && selection.node
        if (chip && event.key === 'Enter') {
          latest.current.onChip?.(chip.attrs as ChipAttributes)
          return true
        }
        const wantsTools = event.key === 'Escape' || (event.altKey && event.key === 'F10')
        if (wantsTools) toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
        return wantsTools
      },
      handleClickOn: (_view, _at, node) => {
        if (node.type.name === 'variable') latest.current.onChip?.(node.attrs as ChipAttributes)
        return false
      },
    },
    onCreate: ({ editor: made }) => latest.current.onReady(made),
    onUpdate: ({ editor: changed }) => latest.current.onChange(changed.getHTML()),
  })
  return (
    <div className={classes.editor} data-wrong={props.problem !== undefined}>
      <Toolbar editor={editor} toolbar={toolbar} onVariable={props.onVariable} />
      <EditorContent editor={editor} className={classes.desk} />
      <p id={problemId} className={props.problem ? classes.problem : classes.hint}>
        {props.problem ?? t('editor.hint')}
      </p>
    </div>
  )
}

/** Blocks pasted into an empty paragraph replace it, so that the first block keeps its alignment. */
function wholeBlocks(slice: Slice, { state }: EditorView): Slice {
  const isEmptyLine = state.selection.empty && state.selection.$from.parent.content.size === 0
  return isEmptyLine && slice.content.childCount > 1 ? new Slice(slice.content, 0, 0) : slice
}
