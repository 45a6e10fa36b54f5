/** The details of a signature, and its file. */
import { Button } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { DownloadIcon } from '../../ui/look/icons.tsx'
import { useSignatureDownload } from '../files/file-downloads.ts'
import type { SignatureOf } from '../shared/request-view.ts'
import { SignatureFacts } from '../shared/signature-facts.tsx'
import type { RequestKey } from '../shared/queries.ts'

export function SignatureDetails(props: {
  signature: SignatureOf
  requestKey: RequestKey
  fileName: string
}) {
  const { t } = useTexts('requests')
  const { signature } = props
  const download = useSignatureDownload(props.requestKey, props.fileName)
  return (
    <>
      <SignatureFacts signature={signature} />
      {signature.state === 'accepted' && (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<DownloadIcon size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate(signature.id)}
        >
          {t('signature.download')}
        </Button>
      )}
    </>
  )
}
