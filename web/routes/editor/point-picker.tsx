/** Adds a point by typing a name, a group or a BIN/IIN. A missing point can be created at once. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { TextInput } from '@mantine/core'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PlusIcon } from '../../ui/look/icons.tsx'
import type { EditorPoint } from './editor-point.ts'
import classes from './routes.module.css'
import type { Steps } from './steps.ts'
import { typedText } from '../../ui/form/typed-text.ts'
import { useOffers, type Offer, type PointWish } from './use-offers.ts'

type PickerProps = {
  label: string
  /** The field below the last step, which shows its label and its problem. */
  isLast?: boolean
  steps: Steps<EditorPoint>
  scope: VisibilityScope
  problem?: string | undefined
  onPick: (point: EditorPoint) => void
  onMake: (wish: PointWish) => void
  onClose?: () => void
}

export function PointPicker(props: PickerProps) {
  const { t } = useTexts('routes')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(!props.isLast)
  const [chosen, setChosen] = useState<string | null>(null)
  const { sections, isCurrent } = useOffers(typed, props)
  const offers = sections.flatMap((section) => section.offers).filter(({ whyNot }) => !whyNot)
  // Enter takes the point that was found; creating a new one has to be chosen explicitly.
  const found = typed && isCurrent ? offers.find(({ point }) => point) : undefined
  const active = offers.find(({ key }) => key === chosen) ?? found
  // Text was left in the field: without a warning people would believe that the point is in the route.
  const isUnpicked = typed !== '' && !isOpen

  // A field that was opened by a button gets the focus.
  useEffect(() => {
    if (!props.isLast) input.current?.focus()
  }, [props.isLast])

  function type(text: string): void {
    setTyped(text)
    setChosen(null)
    setOpen(true)
  }

  function choose(offer: Offer): void {
    setTyped('')
    setChosen(null)
    setOpen(false)
    if (offer.point) props.onPick(offer.point)
    else if (offer.wish) props.onMake(offer.wish)
    props.onClose?.()
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setOpen(true)
      const at = active ? offers.indexOf(active) : step > 0 ? -1 : 0
      setChosen(offers[(at + step + offers.length) % Math.max(1, offers.length)]?.key ?? null)
    } else if (event.key === 'Enter') {
      // Enter chooses an option and must not submit the form.
      event.preventDefault()
      if (isOpen && active) choose(active)
    } else if (event.key === 'Escape') {
      if (isOpen) setOpen(false)
      else props.onClose?.()
    }
  }

  return (
    <div className={classes.picker}>
      <TextInput
        ref={input}
        size="md"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active ? `${id}-${active.key}` : undefined}
        {...(props.isLast ? { label: props.label, 'data-field': 'points' } : { 'aria-label': props.label })}
        placeholder={t('picker.placeholder')}
        error={isUnpicked ? t('picker.unpicked') : props.problem}
        {...(typed !== '' && { 'data-unpicked': true })}
        autoComplete="off"
        maxLength={250}
        value={typed}
        onChange={(event) => type(typedText(event))}
        onClick={() => setOpen(true)}
        onKeyDown={onKey}
        onBlur={() => {
          setOpen(false)
          if (typed === '') props.onClose?.()
        }}
      />
      {isOpen && (
        <Offers
          id={id}
          label={props.label}
          sections={sections}
          active={active}
          isSearch={typed !== ''}
          onChoose={choose}
        />
      )}
    </div>
  )
}

function Offers(props: {
  id: string
  label: string
  sections: { title: string; offers: Offer[] }[]
  active: Offer | undefined
  isSearch: boolean
  onChoose: (offer: Offer) => void
}) {
  const { t } = useTexts('routes')
  const { id, sections, active } = props
  const list = useRef<HTMLDivElement>(null)
  const activeKey = active?.key
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (activeKey) document.getElementById(`${id}-${activeKey}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, activeKey])
  return (
    <div ref={list} id={id} role="listbox" aria-label={props.label} className={classes.offers}>
      {!sections.some(({ offers }) => offers.some(({ point }) => point)) && (
        <p className={classes.quiet}>{t(props.isSearch ? 'picker.nothing' : 'picker.noPoints')}</p>
      )}
      {sections.map(({ title, offers }) => (
        <div key={title} role="group" aria-label={title}>
          <p className={classes.offersTitle} aria-hidden="true">
            {title}
          </p>
          {offers.map((offer) => (
            // Options need no focus and no keys, because the field keeps the focus and handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={offer.key}
              id={`${id}-${offer.key}`}
              role="option"
              className={classes.offer}
              aria-selected={offer.key === activeKey}
              aria-disabled={offer.whyNot !== undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => !offer.whyNot && props.onChoose(offer)}
            >
              {offer.wish && <PlusIcon size={16} />}
              <span>
                {offer.title}
                {offer.note && <small>{offer.whyNot ?? offer.note}</small>}
              </span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
