/** What is marked on one page, with a button for each mark at its margin, and the sheet to point at. */
import { useTexts } from '../../../i18n/use-texts.ts'
import { areaAround, inPercent, type Places, type PlaceMark } from './place.ts'
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
          onClick={({ currentTarget, clientX, clientY, detail }) => {
            const sheet = currentTarget.getBoundingClientRect()
            const middle = { x: sheet.left + sheet.width / 2, y: sheet.top + sheet.height / 2 }
            // Without a pointer (detail 0) there is no better place than the middle.
            const area = areaAround(detail === 0 ? middle : { x: clientX, y: clientY }, sheet)
            places.onPick?.({ page, quote: '', area })
            props.onPointed()
          }}
        />
      )}
    </>
  )
}

function topOf({ area }: PlaceMark): number {
  return area?.top ?? 0
}

/** How many of the marks before it have their button at about the same height. */
function overlapping(marks: readonly PlaceMark[], index: number): number {
  const near = 0.03
  return marks.slice(0, index).filter((other) => Math.abs(topOf(other) - topOf(marks[index]!)) < near).length
}
