/** A text with its tools. What is typed goes out as HTML; it is cleaned by the server, whatever it holds. */
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
  /** Names the field, for whoever looks for the first wrong one. */
  name: string
  /** What the text begins with; later it is the editor that knows. */
  content: string
  problem?: string | undefined
  onChange: (html: string) => void
  onReady: (editor: Editor) => void
  onVariable?: () => void
  /** A variable was pressed, or Enter was while it was chosen. */
  onChip?: (chip: ChipAttributes) => void
}) {
  const { t } = useTexts('rich-text')
  const problemId = useId()
  const toolbar = useRef<HTMLDivElement>(null)
  // The editor outlives the render it was made in: it speaks to the newest one.
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

/** Several blocks pasted into an empty line take its place: the first of them keeps how it is aligned. */
function wholeBlocks(slice: Slice, { state }: EditorView): Slice {
  const isEmptyLine = state.selection.empty && state.selection.$from.parent.content.size === 0
  return isEmptyLine && slice.content.childCount > 1 ? new Slice(slice.content, 0, 0) : slice
}
