/** The marks and seals of one page, a button for each mark at the margin, and the layer that takes pointing. */
import { sealRatio, sealWidth } from '@kelisim/domain/requests/places/place.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { areaAround, inPercent, type PageSeal, type Places, type PlaceMark } from './place.ts'
import classes from './places.module.css'

export function PageMarks(props: {
  places: Places
  page: number
  isPointing: boolean
  onPointed: () => void
}) {
  const { t } = useTexts('documents')
  const { places, page, isPointing } = props
  const marks = places.marks.filter((mark) => mark.page === page)
  const pick = (target: HTMLElement, at: { clientX: number; clientY: number } | null) => {
    const sheet = target.getBoundingClientRect()
    const middle = { x: sheet.left + sheet.width / 2, y: sheet.top + sheet.height / 2 }
    const area = areaAround(at ? { x: at.clientX, y: at.clientY } : middle, sheet)
    places.onPick?.({ page, quote: '', area })
  }
  return (
    <>
      {marks.map(
        (mark) =>
          mark.area && (
            <span
              key={mark.id}
              className={classes.area}
              data-tone={mark.tone}
              data-shown={mark.id === places.shown?.id}
              style={inPercent(mark.area)}
            />
          ),
      )}
      {(places.seals ?? [])
        .filter((seal) => seal.page === page)
        .map((seal) => (
          // The key contains the position, so that a moved seal is a new element without a transition between places.
          <Seal key={`${seal.id} ${seal.left} ${seal.top}`} seal={seal} />
        ))}
      {marks.map((mark, i) => (
        <button
          key={mark.id}
          type="button"
          className={classes.flag}
          data-tone={mark.tone}
          data-mark={mark.id}
          aria-label={mark.label}
          title={mark.label}
          style={{ top: `${topOf(mark) * 100}%`, right: `${4 + overlapping(marks, i) * 22}px` }}
          onClick={() => places.onOpen(mark.id)}
        />
      ))}
      {isPointing && (
        <button
          type="button"
          className={classes.target}
          aria-label={t('places.onPage', { page })}
          data-calm={places.isPointing === true}
          onPointerMove={(event) => {
            // Moving a finger scrolls the pages instead.
            const isDragged = event.buttons === 1 && event.pointerType !== 'touch'
            if (places.isPointing && isDragged) pick(event.currentTarget, event)
          }}
          onClick={(event) => {
            // A click by the keyboard (detail 0) has no position: the middle of the page is taken.
            pick(event.currentTarget, event.detail === 0 ? null : event)
            props.onPointed()
          }}
        />
      )}
    </>
  )
}

/** Draws a seal like the printable document does. */
function Seal({ seal: { id, left, top, lines, isSigned } }: { seal: PageSeal }) {
  const percent = (part: number) => `${part * 100}%`
  const style = {
    left: percent(left),
    // A seal at the very bottom must stay on the page.
    top: `min(${percent(top)}, 100% - ${(sealWidth / sealRatio) * 100}cqw)`,
    width: percent(sealWidth),
    aspectRatio: sealRatio,
  }
  return (
    <div className={classes.seal} data-mark={id} data-signed={isSigned} style={style}>
      {lines.map((line, i) => (
        <span key={i}>{line}</span>
      ))}
    </div>
  )
}

function topOf({ area }: PlaceMark): number {
  return area?.top ?? 0
}

/** How many earlier marks have their button at about the same height. */
function overlapping(marks: readonly PlaceMark[], index: number): number {
  const near = 0.03
  return marks.slice(0, index).filter((other) => Math.abs(topOf(other) - topOf(marks[index]!)) < near).length
}
