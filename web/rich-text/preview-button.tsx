/** How the text will look as a PDF, made by the server from what stands in the editor now; nothing is kept. */
import { lazy, Suspense, useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { previewDocument } from '@kelisim/domain/rich-text/contract.ts'
import { fetchFile } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { LoadingLines } from '../ui/page/loading.tsx'
import { EyeIcon } from './editor/icons.tsx'

const PdfPreview = lazy(() =>
  import('../documents/preview/pdf-preview.tsx').then((m) => ({ default: m.PdfPreview })),
)

export function PreviewButton({ html, fileName }: { html: string; fileName: string }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const [isOpen, setOpen] = useState(false)
  const making = useMutation({
    mutationFn: () =>
      fetchFile(previewDocument, {
        organizationId: organization.Id,
        htmlContent: html || '<p></p>',
        fileName,
      }),
    onSuccess: () => setOpen(true),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<EyeIcon size={18} />}
        loading={making.isPending}
        onClick={() => making.mutate()}
      >
        {t('acts.preview')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('preview.title')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        size={900}
      >
        <Suspense fallback={<LoadingLines count={8} />}>
          {making.data && <PdfPreview bytes={making.data} name={t('preview.title')} />}
        </Suspense>
      </Modal>
    </>
  )
}
