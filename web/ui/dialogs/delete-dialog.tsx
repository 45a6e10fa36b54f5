import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../i18n/use-texts.ts'
import { ConfirmDialog } from './confirm.tsx'
import { toast } from './toast.tsx'

/** Asks whether to delete something, deletes it, removes it from the query cache, and offers to restore it. */
export function DeleteDialog(props: {
  isOpen: boolean
  /** Null before the dialog is first opened. */
  id: string | null
  texts: { title: string; text: string; yes: string; done: string }
  remove: (id: string) => Promise<{ deletionId: string }>
  restore: (deletionId: string) => Promise<unknown>
  /** The endpoints that return the deleted thing itself and the lists that contain it. */
  endpoints: { one: { path: string }; list: { path: string } }
  onClose: () => void
  onDeleted?: (() => void) | undefined
}) {
  const { id, texts, endpoints } = props
  const { t } = useTexts()
  const client = useQueryClient()
  const restoring = useMutation({
    mutationFn: props.restore,
    onSuccess: async () => {
      toast(t('putBack'))
      await client.invalidateQueries({ queryKey: [endpoints.one.path] })
      await client.invalidateQueries({ queryKey: [endpoints.list.path] })
    },
  })
  const deletion = useMutation({
    mutationFn: props.remove,
    onSuccess: async ({ deletionId }) => {
      toast(texts.done, { label: t('actions.putBack'), onClick: () => restoring.mutate(deletionId) })
      props.onDeleted?.()
      client.removeQueries({ queryKey: [endpoints.one.path] })
      await client.invalidateQueries({ queryKey: [endpoints.list.path] })
    },
    onSettled: props.onClose,
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={texts.title}
      text={texts.text}
      yes={texts.yes}
      isDangerous
      isBusy={deletion.isPending}
      onYes={() => id !== null && deletion.mutate(id)}
      onNo={props.onClose}
    />
  )
}
