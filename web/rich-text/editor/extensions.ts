/** The blocks and marks of the editor: exactly those that the server keeps (domain/rich-text). */
import { Extension, mergeAttributes, Node } from '@tiptap/core'
import { ListItem } from '@tiptap/extension-list'
import { TableKit } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'
import { alignments } from '@kelisim/domain/rich-text/rich-text.ts'
import { longestValue, longestVariableName, variableKinds } from '@kelisim/domain/rich-text/variables.ts'

/** Alignment as an attribute of our own: the content security policy forbids styles. */
const Align = Extension.create({
  name: 'align',
  addGlobalAttributes() {
    return [
      {
        types: ['paragraph', 'heading'],
        attributes: {
          align: {
            default: 'left',
            parseHTML: (element) => {
              const said = element.getAttribute('data-align') ?? element.getAttribute('align')
              return alignments.find((align) => align === said?.toLowerCase()) ?? 'left'
            },
            renderHTML: ({ align }) => (align === 'left' ? {} : { 'data-align': String(align) }),
          },
        },
      },
    ]
  },
})

/** Clauses of a contract, numbered by their depth: 1. / 1.1. / 1.1.1. */
const ClauseList = Node.create({
  name: 'clauseList',
  group: 'block list',
  content: 'listItem+',
  parseHTML: () => [{ tag: 'ol[data-clauses]', priority: 60 }],
  renderHTML: () => ['ol', { 'data-clauses': '' }, 0],
  addKeyboardShortcuts() {
    return { 'Mod-Shift-9': () => this.editor.commands.toggleList('clauseList', 'listItem') }
  },
})

/** A clause may begin with a heading. */
const Item = ListItem.extend({ content: '(paragraph | heading) block*' })

const PageBreak = Node.create({
  name: 'pageBreak',
  // A higher priority than the line break, which has the same shortcut.
  priority: 200,
  group: 'block',
  atom: true,
  parseHTML: () => [{ tag: 'div[data-page-break]' }],
  renderHTML: () => ['div', { 'data-page-break': '' }],
  addKeyboardShortcuts() {
    return { 'Mod-Enter': () => this.editor.commands.insertContent({ type: 'pageBreak' }) }
  },
})

const attribute = (name: string, otherwise = '', max = longestValue) => ({
  default: otherwise,
  parseHTML: (element: HTMLElement) => (element.getAttribute(name) ?? otherwise).slice(0, max),
})

const VariableChip = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    name: attribute('data-variable', '', longestVariableName),
    type: {
      default: 'text',
      parseHTML: (element: HTMLElement) =>
        variableKinds.find((kind) => kind === element.getAttribute('data-kind')) ?? 'text',
    },
    usual: attribute('data-default'),
    value: attribute('data-value'),
  }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML({ node }) {
    const { name, type, usual, value } = node.attrs as Record<'name' | 'type' | 'usual' | 'value', string>
    const said = mergeAttributes(
      { 'data-variable': name, 'data-kind': type },
      usual === '' ? {} : { 'data-default': usual },
      value === '' ? {} : { 'data-value': value },
    )
    return ['span', said, value || name]
  },
  renderText: ({ node }) => String(node.attrs['value'] || node.attrs['name']),
})

export const extensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    link: false,
    listItem: false,
    heading: { levels: [1, 2, 3] },
    undoRedo: { depth: 200 },
  }),
  TableKit.configure({ table: { resizable: false } }),
  Item,
  ClauseList,
  PageBreak,
  VariableChip,
  Align,
]
