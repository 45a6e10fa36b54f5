/** An XML document as text. It is never rendered: a style sheet in it could show something else than is signed. */
import { useMemo, type ReactNode } from 'react'
import { useTexts } from '../../../i18n/use-texts.ts'
import { mostLines, xmlLines } from './xml-lines.ts'
import classes from './xml-preview.module.css'

export function XmlPreview(props: {
  bytes: ArrayBuffer
  name: string
  /** Shown instead if the document cannot be read. */
  otherwise: ReactNode
}) {
  const { bytes, name, otherwise } = props
  const { t } = useTexts('documents')
  const read = useMemo(() => readable(bytes), [bytes])
  if (!read) return otherwise
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className={classes.lines} role="region" aria-label={name} tabIndex={0} dir="ltr" lang="zxx">
        {read.lines.map(({ depth, text }, i) => (
          <div key={i} style={{ paddingInlineStart: `${Math.min(depth, 20) * 1.25 + 1}em` }}>
            {text}
          </div>
        ))}
      </pre>
      {read.isCut && <p className={classes.cut}>{t('preview.cutLines', { lines: mostLines })}</p>}
    </>
  )
}

function readable(bytes: ArrayBuffer): ReturnType<typeof xmlLines> | null {
  try {
    return xmlLines(new Uint8Array(bytes))
  } catch {
    return null
  }
}
