/** Checkboxes that select rows of a list. */
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './list.module.css'

/** The selected rows of a list, for actions on several rows at once. */
export type Selection<T> = {
  selected: readonly string[]
  onChange: (selected: string[]) => void
  /** The accessible name of a row's checkbox. */
  labelOf: (item: T) => string
  /** Rows that cannot be selected have no checkbox. */
  maySelect?: (item: T) => boolean
}

/** Selects all rows of this page; rows of other pages keep their state. */
export function SelectAll<T>(props: { items: T[]; rowKey: (item: T) => string; selection: Selection<T> }) {
  const { t } = useTexts()
  const { selected, onChange, maySelect = () => true } = props.selection
  const keys = props.items.filter(maySelect).map(props.rowKey)
  const count = keys.filter((key) => selected.includes(key)).length
  const others = selected.filter((key) => !keys.includes(key))
  const isAll = count > 0 && count === keys.length
  return (
    <input
      type="checkbox"
      aria-label={t('list.chooseAll')}
      checked={isAll}
      disabled={keys.length === 0}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll
      }}
      onChange={() => onChange(isAll ? others : [...others, ...keys])}
    />
  )
}

export function SelectRow<T>({ item, id, selection }: { item: T; id: string; selection: Selection<T> }) {
  const { selected, onChange, labelOf, maySelect } = selection
  const isSelected = selected.includes(id)
  const isOffered = !maySelect || maySelect(item)
  return (
    // The whole cell is the target: a box of 18 px is too small for a finger.
    <td className={classes.selection}>
      {isOffered && (
        <label>
          <input
            type="checkbox"
            aria-label={labelOf(item)}
            checked={isSelected}
            onChange={() => onChange(isSelected ? selected.filter((key) => key !== id) : [...selected, id])}
          />
        </label>
      )}
    </td>
  )
}
