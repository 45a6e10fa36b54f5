/** The status of a request with its colour, icon and text, the same everywhere. */
import type { ComponentType } from 'react'
import { requestStatusLabel, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Badge, type Tone } from '../../ui/look/badge.tsx'
import { icon } from '../../ui/look/icon.tsx'
import { CheckIcon, CloseIcon, EditIcon, HistoryIcon, SendIcon, WarningIcon } from '../../ui/look/icons.tsx'
import type { Awaited } from './awaited.ts'

const BackIcon = icon(<path d="M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-3" />)
const BrokenIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m6 6 12 12" />
  </>,
)
const SignedIcon = icon(
  <path d="M3 17c3-7 5.5-10 7-9s-2.5 8-.5 8.5S14 10 15.5 11s-.5 4.5 1 5 2.5-.5 4.5-2" />,
)

const looks: Record<RequestStatus | 'unknown', { tone: Tone; Icon: ComponentType<{ size?: number }> }> = {
  New: { tone: 'prim', Icon: SendIcon },
  InProgress: { tone: 'prim', Icon: HistoryIcon },
  Rejected: { tone: 'bad', Icon: CloseIcon },
  Completed: { tone: 'ok', Icon: CheckIcon },
  Revoked: { tone: 'off', Icon: BackIcon },
  ValidationFail: { tone: 'bad', Icon: WarningIcon },
  Signed: { tone: 'ok', Icon: SignedIcon },
  Terminating: { tone: 'bad', Icon: BrokenIcon },
  TerminatingValidationFail: { tone: 'bad', Icon: WarningIcon },
  TerminatingSigned: { tone: 'off', Icon: SignedIcon },
  Terminated: { tone: 'off', Icon: BrokenIcon },
  unknown: { tone: 'off', Icon: WarningIcon },
}

const awaitedLooks: Record<Awaited, { tone: Tone; Icon: ComponentType<{ size?: number }> }> = {
  sign: { tone: 'gold', Icon: EditIcon },
  eds: { tone: 'gold', Icon: EditIcon },
  signTermination: { tone: 'gold', Icon: EditIcon },
  approve: { tone: 'gold', Icon: CheckIcon },
  confirm: { tone: 'gold', Icon: CheckIcon },
  checking: { tone: 'prim', Icon: HistoryIcon },
}

type Shown = { status: number; awaited?: Awaited | null }

/** If the request waits for the viewer, what it waits for is shown instead of its status. */
export function useStatusLook({ status, awaited }: Shown) {
  const { t } = useTexts('requests-lists')
  if (awaited) return { ...awaitedLooks[awaited], word: t(`waits.${awaited}`) }
  const name = requestStatusLabel(status)
  return { ...looks[name], word: t(`status.${name}`) }
}

export function RequestStatusMark(props: Shown) {
  const { tone, Icon, word } = useStatusLook(props)
  return (
    <Badge tone={tone}>
      <Icon size={16} />
      {word}
    </Badge>
  )
}
