/** The details of a signature, and its file. */
import { Button } from '@mantine/core'
import { pageConfig } from '../../api/page-config.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { DownloadIcon } from '../../ui/look/icons.tsx'
import { useLongTermDownload, useSignatureDownload } from '../files/file-downloads.ts'
import type { PointView, SignatureOf } from '../shared/request-view.ts'
import { SignatureFacts } from '../shared/signature-facts.tsx'
import type { RequestKey } from '../shared/queries.ts'
import classes from '../shared/stepper.module.css'

export function SignatureDetails(props: {
  signature: SignatureOf
  form: PointView['signatureForm']
  requestKey: RequestKey
  fileName: string
}) {
  const { t } = useTexts('requests')
  const { signature, form, requestKey, fileName } = props
  const download = useSignatureDownload(requestKey, fileName)
  return (
    <>
      <SignatureFacts signature={signature} />
      {signature.state === 'accepted' && (
        <div className={classes.signatureFiles}>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<DownloadIcon size={16} />}
            loading={download.isPending}
            onClick={() => download.mutate(signature.id)}
          >
            {t('signature.download')}
          </Button>
          {form === 'cms' && pageConfig.signer?.hasArchiveTimestamps && (
            <LongTerm signatureId={signature.id} requestKey={requestKey} fileName={fileName} />
          )}
        </div>
      )}
    </>
  )
}

/** Downloads the signature with an archive timestamp, for people who keep the signature outside this service. */
function LongTerm(props: { signatureId: string; requestKey: RequestKey; fileName: string }) {
  const { t } = useTexts('requests')
  const download = useLongTermDownload(props.requestKey, props.fileName)
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<DownloadIcon size={16} />}
        loading={download.isPending}
        onClick={() => download.mutate(props.signatureId)}
      >
        {t('signature.longTerm')}
      </Button>
      <p className={classes.aboutFile} role="status">
        {download.data
          ? t('signature.longTermDone', { date: formatDate(download.data.holdsUntil) })
          : t('signature.longTermAbout')}
      </p>
    </>
  )
}
