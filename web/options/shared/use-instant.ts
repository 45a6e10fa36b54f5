import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'

/**
 * A choice that is saved at once. It is shown as chosen immediately, reverted if saving fails, and can be undone by a
 * button of the message. Choices are saved one after another, so that the last one wins.
 */
export function useInstant<V>(key: string, stored: V, save: (value: V) => Promise<unknown>) {
  const { t } = useTexts()
  const [shown, setShown] = useState(stored)
  const { mutate } = useMutation({
    scope: { id: key },
    mutationFn: ({ next }: { next: V; before: V; isUndo: boolean }) => save(next),
    onMutate: ({ next }) => setShown(next),
    onError: (_, { before }) => setShown(before),
    onSuccess: (_, { next, before, isUndo }) => {
      if (isUndo) toast(t('undone'))
      else {
        const undo = () => mutate({ next: before, before: next, isUndo: true })
        toast(t('saved'), { label: t('actions.undo'), onClick: undo })
      }
    },
  })
  return { shown, change: (next: V) => mutate({ next, before: shown, isUndo: false }) }
}
