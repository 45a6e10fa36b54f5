/** A button that appears while text of the document is selected, and turns the selection into a place. */
import { useEffect, useState, type RefObject } from 'react'
import { Button } from '@mantine/core'
import { longestQuote } from '@kelisim/domain/comments/contract.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { areaOf, quoteOf, type DocumentPlace } from './place.ts'
import classes from './places.module.css'

export function SelectionButton(props: {
  frame: RefObject<HTMLElement | null>
  onPick: (place: DocumentPlace) => void
}) {
  const { t } = useTexts('documents')
  const { frame } = props
  const [place, setPlace] = useState<DocumentPlace | null>(null)
  useEffect(() => {
    const read = () => setPlace(frame.current && selectedIn(frame.current))
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [frame])
  if (!place) return null
  return (
    <Button
      className={classes.pick ?? ''}
      radius="xl"
      // Otherwise pressing the button would clear the selection before it is read.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        props.onPick(place)
        document.getSelection()?.removeAllRanges()
      }}
    >
      {t('places.comment')}
    </Button>
  )
}

/** The page is the one on which the selection begins. */
function selectedIn(frame: HTMLElement): DocumentPlace | null {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!frame.contains(range.commonAncestorContainer)) return null
  const quote = quoteOf(selection.toString(), longestQuote)
  if (quote === '') return null
  const start = range.startContainer
  const sheet = (start instanceof Element ? start : start.parentElement)?.closest<HTMLElement>('[data-page]')
  if (!sheet) return { page: null, quote, area: null }
  const area = areaOf([...range.getClientRects()], sheet.getBoundingClientRect())
  return { page: Number(sheet.dataset['page']), quote, area }
}
