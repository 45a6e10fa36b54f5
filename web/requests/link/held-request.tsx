/**
 * The request as the holder of a code sees it: the document, its signatures and the results of their checks, without
 * actions.
 */
import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { inGroups, unbroken } from '@kelisim/domain/numbers.ts'
import { downloadElectronicByCode } from '@kelisim/domain/outputs/electronic-contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { downloadByCode } from '@kelisim/domain/requests/holder-contract.ts'
import { FilePreview } from '../../documents/preview/preview.tsx'
import { formatSize } from '../../documents/shared/size.ts'
import { fetchFile } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { DownloadIcon } from '../../ui/look/icons.tsx'
import { Card, WindowTitle } from '../../ui/page/page.tsx'
import classes from '../shared/request-page.module.css'
import { RequestStatusMark } from '../shared/request-status.tsx'
import { saveElectronic } from '../shared/save-electronic.ts'
import { SignatureFacts } from '../shared/signature-facts.tsx'
import { saveHeldDocument, type OpenedRequest } from './open-by-code.ts'

export function HeldRequestScreen({ request, code }: OpenedRequest) {
  const { t } = useTexts('requests')
  const { t: ofDocuments } = useTexts('documents')
  const { document, organization, signatures, validUntil } = request
  const input = { signingRequestId: request.id, code }
  const download = useMutation({ mutationFn: () => saveHeldDocument({ request, code }) })
  const electronic = useMutation({
    mutationFn: async () =>
      saveElectronic(await fetchFile(downloadElectronicByCode, input), document.fileName),
  })
  const until = validUntil === null ? t('held.forever') : t('held.until', { date: formatDate(validUntil) })
  return (
    <section className={classes.screen}>
      <WindowTitle title={request.name} />
      <p className={classes.person}>
        {t('held.lead')} {until}
      </p>
      <header className={classes.head}>
        <h1>{request.name}</h1>
        <RequestStatusMark status={request.status} />
        <span className={classes.tools}>
          <Button
            variant="default"
            leftSection={<DownloadIcon size={18} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t('held.download')}
          </Button>
          {signatures.length > 0 && (
            <Button
              variant="default"
              leftSection={<DownloadIcon size={18} />}
              loading={electronic.isPending}
              onClick={() => electronic.mutate()}
            >
              {t('files.electronic')}
            </Button>
          )}
        </span>
      </header>
      <p className={classes.from}>
        {[
          organization.shortName,
          unbroken(organization.bin),
          ...(organization.confirmedAt === null
            ? []
            : [t('page.confirmed', { date: formatDate(organization.confirmedAt) })]),
          t('held.date', { date: formatDate(request.signingDate) }),
          `${document.fileName}, ${formatSize(document.size, ofDocuments)}`,
        ].join(' · ')}
      </p>
      <div className={classes.held}>
        <div className={classes.document}>
          <Card>
            <FilePreview
              name={document.fileName}
              format={document.format}
              queryKey={[downloadByCode.path, request.id]}
              load={(signal) => fetchFile(downloadByCode, input, signal)}
            />
          </Card>
        </div>
        <div>
          {signatures.length === 0 && (
            <Card title={t('held.signatures')}>
              <p>{t('held.none')}</p>
            </Card>
          )}
          {signatures.map(({ side, ...signature }) => (
            <Card key={signature.id} title={side.name || inGroups(side.bin)}>
              <SignatureFacts signature={{ ...signature, state: 'accepted', nextTryAt: null }} />
            </Card>
          ))}
          <Card>
            <p className={classes.checksum}>
              {t('files.checksum')}: <code>{document.sha256}</code>
            </p>
            <Anchor href={pages.verify}>{t('held.check')}</Anchor>
          </Card>
        </div>
      </div>
    </section>
  )
}
