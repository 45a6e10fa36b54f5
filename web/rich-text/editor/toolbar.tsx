/** The toolbar: one tab stop, arrow keys move between the tools. */
import { useState, type KeyboardEvent, type RefObject } from 'react'
import { Tooltip } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './editor.module.css'
import { tableTools, tools, variableTool, type Tool } from './tools.ts'

export function Toolbar({
  editor,
  toolbar,
  onVariable,
}: {
  editor: Editor
  toolbar: RefObject<HTMLDivElement | null>
  /** Variables are inserted into templates; documents only fill them. */
  onVariable?: (() => void) | undefined
}) {
  const { t } = useTexts('rich-text')
  const isInTable = useEditorState({ editor, selector: () => editor.isActive('table') })
  const [at, setAt] = useState(0)
  const own = [
    ...tools,
    ...(onVariable ? [[variableTool(onVariable)]] : []),
    ...(isInTable ? [tableTools] : []),
  ]
  const count = own.flat().length
  const current = Math.min(at, count - 1)
  const move = (event: KeyboardEvent) => {
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: count - 1 }[event.key]
    if (next === undefined) {
      if (event.key === 'Escape') editor.commands.focus()
      return
    }
    event.preventDefault()
    const to = (next + count) % count
    setAt(to)
    toolbar.current?.querySelectorAll('button')[to]?.focus()
  }
  let place = 0
  return (
    <div
      ref={toolbar}
      className={classes.toolbar}
      role="toolbar"
      aria-label={t('tools.label')}
      tabIndex={-1}
      onKeyDown={move}
    >
      {own.map((group) => (
        <div key={group[0]!.text} className={classes.group} role="presentation">
          {group.map((tool) => {
            const mine = place++
            return (
              <ToolButton
                key={tool.text}
                tool={tool}
                editor={editor}
                isReachable={mine === current}
                onFocus={() => setAt(mine)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function ToolButton(props: { tool: Tool; editor: Editor; isReachable: boolean; onFocus: () => void }) {
  const { t } = useTexts('rich-text')
  const { tool, editor } = props
  const { isOn, mayRun } = useEditorState({
    editor,
    selector: () => ({ isOn: tool.isOn?.(editor), mayRun: tool.mayRun?.(editor) ?? true }),
  })
  const Sign = tool.sign
  const label = t(tool.text)
  return (
    <Tooltip label={tool.keys ? `${label} (${tool.keys})` : label}>
      <button
        type="button"
        className={classes.tool}
        // Contains the visible letters, because people may say them to voice control.
        aria-label={typeof Sign === 'string' ? `${Sign}: ${label}` : label}
        {...(isOn !== undefined && { 'aria-pressed': isOn })}
        // aria-disabled instead of disabled, so that the keyboard still reaches the tool.
        aria-disabled={!mayRun}
        tabIndex={props.isReachable ? 0 : -1}
        onFocus={props.onFocus}
        // Keep the selection of the text while a tool is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => mayRun && tool.run(editor)}
      >
        {typeof Sign === 'string' ? <span aria-hidden="true">{Sign}</span> : <Sign size={18} />}
      </button>
    </Tooltip>
  )
}
