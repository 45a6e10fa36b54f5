/** The form for the code of a printed document, and the request that the code opens. */
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { openByCode } from '@kelisim/domain/requests/holder-contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Loading } from '../../ui/page/loading.tsx'
import type { Held } from './held-request.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import classes from './code-entry.module.css'

export const HeldRequestScreen = lazy(async () => {
  const { HeldRequestScreen: screen } = await import('./held-request.tsx')
  return { default: screen }
})

/**
 * The code from the QR code: in the URL fragment, which browsers never send to a server, or in the query if a program
 * moved it there.
 */
export function codeInAddress(): string | null {
  const { hash, search } = window.location
  return new URLSearchParams(hash.slice(1)).get('code') ?? new URLSearchParams(search).get('code')
}

export type Opened = { request: Held; code: string }

export async function openHeld(signingRequestId: string, code: string): Promise<Opened> {
  return { request: await call(openByCode, { signingRequestId, code }), code }
}

export function HeldRequest({ opened }: { opened: Opened }) {
  return (
    <Suspense fallback={<Loading />}>
      <HeldRequestScreen {...opened} />
    </Suspense>
  )
}

export function CodeEntry(props: {
  signingRequestId: string
  /** The failure of the code that came with the address. */
  error: ApiError | null
  onOpened: (opened: Opened) => void
}) {
  const { t, find } = useTexts('requests-lists')
  const [typed, setTyped] = useState('')
  const opening = useMutation<Opened, ApiError>({
    mutationFn: () => openHeld(props.signingRequestId, typed),
    onSuccess: props.onOpened,
    // The error is shown at the field, not as a toast.
    meta: { showsErrors: true },
  })
  const error = opening.error ?? (typed === '' ? props.error : null)
  function open(event: FormEvent): void {
    event.preventDefault()
    if (typed.trim() !== '') opening.mutate()
  }
  return (
    <form className={classes.entry} onSubmit={open}>
      <TextInput
        label={t('door.code')}
        description={t('door.codeHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        value={typed}
        error={error && (find(`errors:${error.alias}.text`, error.parameters) ?? error.message)}
        onChange={(event) => setTyped(typedText(event))}
      />
      <Button type="submit" variant="default" loading={opening.isPending}>
        {t('door.open')}
      </Button>
    </form>
  )
}
