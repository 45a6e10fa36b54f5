/** Shows a docx file as text, headings, lists, tables and pictures; an office program may show it differently. */
import { useEffect, useRef, useState } from 'react'
import mammoth from 'mammoth'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { PreviewFailed } from './preview-failed.tsx'
import classes from './preview.module.css'
import { safeCopy } from './safe-html.ts'

export function DocxPreview({ bytes, name }: { bytes: ArrayBuffer; name: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  useEffect(() => {
    let isGone = false
    mammoth.convertToHtml({ arrayBuffer: bytes }, { externalFileAccess: false }).then(
      ({ value }) => {
        if (isGone) return
        place.current?.replaceChildren(safeCopy(value))
        setState('shown')
      },
      () => !isGone && setState('failed'),
    )
    return () => {
      isGone = true
    }
  }, [bytes])
  if (state === 'failed') return <PreviewFailed />
  return (
    <>
      {state === 'loading' && <LoadingLines count={8} />}
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.text} role="region" aria-label={name} tabIndex={0} hidden={state === 'loading'}>
        <div ref={place} className={classes.paper} />
      </div>
    </>
  )
}
