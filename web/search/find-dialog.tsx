/**
 * Ctrl K: finds anything that the person may see. Arrow keys move, Enter opens, Ctrl Enter opens in a new tab.
 * Previous results stay until the next ones arrive, so nothing flickers.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { CloseButton, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { searchKinds, type SearchKind } from '@kelisim/domain/search/contract.ts'
import { longestQuery } from '@kelisim/domain/search/query.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useIsPhone } from '../ui/browser/use-is-phone.ts'
import { SearchIcon } from '../ui/look/icons.tsx'
import classes from './find-dialog.module.css'
import { FoundOption } from './found-option.tsx'
import { typedText } from '../ui/form/typed-text.ts'
import { useFound, type FoundGroup, type GroupKind, type Option } from './use-found.ts'

export function FindDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts('search')
  const isPhone = useIsPhone()
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<SearchKind | null>(null)
  const found = useFound(typed, kind)
  const options = found.groups.flatMap((group) => group.options)
  const open = useOpening(onClose)
  const { chosen, choose, onKey } = useKeys(found, options, open)
  const change = (text: string) => {
    setTyped(text)
    setKind(null)
    choose(0)
  }
  const narrow = (only: SearchKind | null) => {
    setKind(only)
    choose(0)
  }
  const isNothing = options.length === 0 && !found.isStale
  return (
    <Modal.Root
      opened
      onClose={onClose}
      fullScreen={isPhone}
      yOffset={72}
      centered={false}
      size={680}
      padding={0}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('open')}>
        <Modal.Body className={classes.body}>
          <TextInput
            data-autofocus
            className={classes.input}
            variant="unstyled"
            size="lg"
            role="combobox"
            aria-expanded
            aria-controls="found"
            aria-activedescendant={options[chosen] && `found-${chosen}`}
            aria-label={t('label')}
            placeholder={t('placeholder')}
            maxLength={longestQuery}
            autoComplete="off"
            enterKeyHint="go"
            leftSection={<SearchIcon />}
            rightSection={<CloseButton aria-label={t('common:actions.close')} onClick={onClose} />}
            value={typed}
            onChange={(event) => change(typedText(event))}
            onKeyDown={onKey}
          />
          <div className={classes.progress} data-waits={found.isStale || undefined} aria-hidden />
          <Kinds groups={found.groups} kind={kind} onChoose={narrow} />
          <p className={classes.unseen} role="status">
            {found.isStale ? '' : t('count', { count: options.length })}
          </p>
          {found.isFailed && <p className={classes.hint}>{t('failed')}</p>}
          {found.corrected && <p className={classes.hint}>{t('corrected', { query: found.corrected })}</p>}
          <div className={classes.found} id="found" role="listbox" aria-label={t('open')}>
            <Groups
              groups={found.groups}
              isNewest={typed.trim() === ''}
              chosen={chosen}
              onChoose={choose}
              onOpen={open}
            />
          </div>
          <More groups={found.groups} kind={kind} onChoose={narrow} />
          {isNothing && !found.isFailed && <Nothing />}
          <p className={classes.keys} aria-hidden>
            {t('keys')}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

type Open = (option: Option, isNewTab: boolean) => void

function useOpening(onClose: () => void): Open {
  const router = useRouter()
  return ({ href, act }, isNewTab) => {
    if (isNewTab && href !== null) {
      window.open(href, '_blank', 'noopener')
      return
    }
    onClose()
    if (act) act()
    // A page of the portal may be on another site.
    else if (href?.startsWith('/')) router.history.push(href)
    else if (href) window.location.assign(href)
  }
}

function useKeys({ isStale, groups }: ReturnType<typeof useFound>, options: readonly Option[], open: Open) {
  const [chosen, setChosen] = useState(0)
  const isWaiting = useRef(false)
  const opening = useRef(open)
  useEffect(() => {
    opening.current = open
  })
  const first = options[0]
  // Enter was pressed before the results arrived: it then opens the first of them.
  useEffect(() => {
    if (!isWaiting.current || isStale) return
    isWaiting.current = false
    if (first) opening.current(first, false)
  }, [isStale, first])
  const isPlace = groups[0]?.kind === 'section' || groups[0]?.kind === 'organization'

  function onKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = (chosen + step + options.length) % Math.max(1, options.length)
      setChosen(next)
      document.querySelector(`#found-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[chosen]
      // Places always match the current text; other results may still belong to the previous text.
      if (isStale && !(isPlace && chosen < groups[0]!.options.length)) isWaiting.current = true
      else if (option) open(option, event.ctrlKey || event.metaKey)
    } else isWaiting.current = false
  }
  return { chosen: Math.min(chosen, Math.max(0, options.length - 1)), choose: setChosen, onKey }
}

type GroupsProps = {
  groups: readonly FoundGroup[]
  isNewest: boolean
  chosen: number
  onChoose: (index: number) => void
  onOpen: Open
}

function Groups({ groups, isNewest, chosen, onChoose, onOpen }: GroupsProps) {
  const { t } = useTexts('search')
  let index = -1
  return groups.map(({ kind, options }) => (
    <div key={kind} role="group" aria-labelledby={`found-kind-${kind}`}>
      <h2 className={classes.kind} id={`found-kind-${kind}`} role="presentation">
        {isNewest && isThing(kind)
          ? t(`newest.${kind === 'document' ? 'document' : 'request'}`)
          : t(`kinds.${kind}`)}
      </h2>
      {options.map((option) => {
        const place = ++index
        return (
          <FoundOption
            key={option.key}
            id={`found-${place}`}
            option={option}
            isChosen={place === chosen}
            onChoose={() => onChoose(place)}
            onOpen={(event: MouseEvent) => {
              // The browser itself opens a link in a new tab or window.
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
              event.preventDefault()
              onOpen(option, false)
            }}
          />
        )
      })}
    </div>
  ))
}

function isThing(kind: GroupKind): kind is SearchKind {
  return (searchKinds as readonly string[]).includes(kind)
}

type NarrowProps = {
  groups: readonly FoundGroup[]
  kind: SearchKind | null
  onChoose: (kind: SearchKind | null) => void
}

/** The button that leads back from results of one kind to all kinds. */
function Kinds({ kind, onChoose }: NarrowProps) {
  const { t } = useTexts('search')
  if (kind === null) return null
  return (
    <div className={classes.kinds}>
      <UnstyledButton className={classes.chip} onClick={() => onChoose(null)}>
        ← {t('all')}
      </UnstyledButton>
      <b>{t(`kinds.${kind}`)}</b>
    </div>
  )
}

/** Buttons for more results; outside the list, which may only contain options. */
function More({ groups, kind, onChoose }: NarrowProps) {
  const { t } = useTexts('search')
  const more = groups.filter((group) => group.hasMore && isThing(group.kind))
  if (kind !== null) return more.length === 0 ? null : <p className={classes.hint}>{t('tooMany')}</p>
  if (more.length === 0) return null
  return (
    <div className={classes.kinds}>
      <span>{t('more')}</span>
      {more.map((group) => (
        <UnstyledButton
          key={group.kind}
          className={classes.chip}
          onClick={() => onChoose(group.kind as SearchKind)}
        >
          {t(`kinds.${group.kind}`)}
        </UnstyledButton>
      ))}
    </div>
  )
}

function Nothing() {
  const { t } = useTexts('search')
  return (
    <div className={classes.nothing}>
      <b>{t('nothing.title')}</b>
      <ul>
        <li>{t('nothing.shorter')}</li>
        <li>{t('nothing.number')}</li>
        <li>{t('nothing.organization')}</li>
      </ul>
    </div>
  )
}
