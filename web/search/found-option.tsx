/** One result: a link in which the found words are marked, with the place where they were found. */
import type { MouseEvent } from 'react'
import { requestStatusLabel } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatDate } from '../ui/format/dates.ts'
import classes from './find-dialog.module.css'
import type { Item, Option } from './use-found.ts'

type FoundOptionProps = {
  id: string
  option: Option
  isChosen: boolean
  onChoose: () => void
  onOpen: (event: MouseEvent) => void
}

export function FoundOption({ id, option, isChosen, onChoose, onOpen }: FoundOptionProps) {
  const { item, note, href, title } = option
  const same = {
    id,
    role: 'option',
    'aria-selected': isChosen,
    // The text field keeps the focus and handles the keys.
    tabIndex: -1,
    className: classes.option,
    onMouseMove: onChoose,
    onClick: onOpen,
  }
  const contents = (
    <>
      <span className={classes.title}>
        <Marked parts={title} />
      </span>
      <Facts note={note} item={item} />
      {item?.place && <Place place={item.place} />}
    </>
  )
  return href === null ? (
    <button type="button" {...same}>
      {contents}
    </button>
  ) : (
    <a href={href} {...same}>
      {contents}
    </a>
  )
}

function Facts({ note, item }: { note: string; item: Item | null }) {
  const { t } = useTexts('requests-lists')
  const facts = [
    item?.status ? t(`status.${requestStatusLabel(item.status)}`) : '',
    note,
    item?.at ? formatDate(item.at) : '',
  ].filter((fact) => fact !== '')
  return facts.length === 0 ? null : <small className={classes.details}>{facts.join(' · ')}</small>
}

function Place({ place }: { place: NonNullable<Item['place']> }) {
  const { t } = useTexts('search')
  const where = place.page === null ? t(`places.${place.field}`) : t('places.page', { number: place.page })
  return (
    <span className={classes.place}>
      <b>{where}: </b>
      <Marked parts={place.parts} />
    </span>
  )
}

function Marked({ parts }: { parts: Item['title'] }) {
  // The parts of a text have no identity but their position.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map(({ text, isFound }, i) =>
    isFound ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
  )
}
