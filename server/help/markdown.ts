/** The help sources are written in a small subset of Markdown, parsed here into blocks. */
export type Span = { text: string; bold?: true; code?: true; link?: string }

export type Block =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; isOrdered: boolean; items: Span[][] }
  | { kind: 'note'; spans: Span[] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string }
  | { kind: 'picture'; name: string; caption: string }
  /** A placeholder for generated content: "{{tariffs}}" on a line of its own. */
  | { kind: 'inset'; name: string }

export type Source = { facts: Record<string, string>; blocks: Block[] }

/** Throws with the line that is not understood, so that a mistake in a source stops the build. */
export function readMarkdown(text: string): Source {
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? []
  if (head === '') throw new Error('a source of the help begins with its facts between two lines of ---')
  const facts = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, key, value] = /^([a-z]+): (.+)$/.exec(line) ?? []
      if (key === undefined || value === undefined) throw new Error(`not a fact: ${line}`)
      return [key, value]
    }),
  )
  return { facts, blocks: readBlocks(body) }
}

function readBlocks(body: string): Block[] {
  const blocks: Block[] = []
  const lines = body.split('\n')
  let at = 0
  const takeWhile = (pattern: RegExp) => {
    const taken: string[] = []
    while (at < lines.length && pattern.test(lines[at]!)) taken.push(lines[at++]!)
    return taken
  }
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') at++
    else if (line.startsWith('```')) {
      at++
      blocks.push({ kind: 'code', text: takeWhile(/^(?!```)/).join('\n') })
      if (at++ >= lines.length) throw new Error('code that does not end')
    } else if (/^#{2,3} /.test(line)) {
      at++
      blocks.push({
        kind: 'heading',
        level: line.startsWith('### ') ? 3 : 2,
        text: line.replace(/^#+ /, ''),
      })
    } else if (/^!\[.*\]\([\w-]+\)$/.test(line)) {
      at++
      const [, caption, name] = /^!\[(.*)\]\((.*)\)$/.exec(line)!
      blocks.push({ kind: 'picture', name: name!, caption: caption! })
    } else if (/^\{\{\w+\}\}$/.test(line)) {
      at++
      blocks.push({ kind: 'inset', name: line.slice(2, -2) })
    } else if (line.startsWith('> ')) {
      const text = takeWhile(/^> /).map((one) => one.slice(2))
      blocks.push({ kind: 'note', spans: readSpans(text.join(' ')) })
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = takeWhile(/^\|/).map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => readSpans(cell.trim())),
      )
      blocks.push({ kind: 'table', head: head!, rows })
    } else if (/^(- |\d+\. )/.test(line)) {
      const isOrdered = !line.startsWith('- ')
      const items = takeWhile(isOrdered ? /^(\d+\. | {2,}\S)/ : /^(- | {2,}\S)/).reduce<string[]>(
        (all, one) =>
          one.startsWith(' ')
            ? [...all.slice(0, -1), `${all.at(-1)} ${one.trim()}`]
            : [...all, one.replace(/^(- |\d+\. )/, '')],
        [],
      )
      blocks.push({ kind: 'list', isOrdered, items: items.map(readSpans) })
    } else if (/^[#!{]/.test(line)) throw new Error(`not understood: ${line}`)
    else {
      const text = takeWhile(/^(?!$|[#!>|`{]|- |\d+\. )/)
      blocks.push({ kind: 'paragraph', spans: readSpans(text.join(' ')) })
    }
  }
  return blocks
}

export function readSpans(text: string): Span[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), bold: true }
      if (part.startsWith('`')) return { text: part.slice(1, -1), code: true }
      const [, said, link] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? []
      return said !== undefined && link !== undefined ? { text: said, link } : { text: part }
    })
}

/** All the words of a source, for checks. */
export function wordsOf({ blocks }: Source): string[] {
  const of = (spans: Span[]) => spans.map(({ text }) => text).join('')
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
      case 'code':
        return [block.text]
      case 'paragraph':
      case 'note':
        return [of(block.spans)]
      case 'list':
        return block.items.map(of)
      case 'table':
        return [block.head, ...block.rows].flat().map(of)
      case 'picture':
        return [block.caption]
      case 'inset':
        return []
    }
  })
}
