/** The form for the code of a printed document, and the request that the code opens. */
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import classes from './code-entry.module.css'
import { openHeldRequest, type OpenedRequest } from './open-by-code.ts'

export const HeldRequestScreen = lazy(async () => {
  const { HeldRequestScreen: screen } = await import('./held-request.tsx')
  return { default: screen }
})

export function HeldRequest({ opened }: { opened: OpenedRequest }) {
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
  onOpened: (opened: OpenedRequest) => void
}) {
  const { t, find } = useTexts('requests-lists')
  const [typed, setTyped] = useState('')
  const opening = useMutation<OpenedRequest, ApiError>({
    mutationFn: () => openHeldRequest(props.signingRequestId, typed),
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
