/** The document to send: one that was uploaded earlier, or a file that is uploaded here. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DocumentSelect } from '../../documents/document-select.tsx'
import { UploadButton } from '../../documents/one-upload.tsx'
import { documentQuery } from '../../documents/queries.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { formatSize } from '../../documents/shared/size.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useFormContext } from '../../ui/form/form.tsx'
import { DocumentIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import classes from './send.module.css'

/** The name of a request by default: the file name without its extension. */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[a-z\d]{1,5}$/i, '').slice(0, 250)
}

export function DocumentCard({
  onChosen,
  offersPackage = false,
}: {
  onChosen: (document: DocumentView | null) => void
  /** Whether the page offers to send the document in a package with others. */
  offersPackage?: boolean
}) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const documentId = String(form.values['documentId'])
  const { data: document, error } = useQuery({
    ...documentQuery(organization.Id, documentId),
    enabled: documentId !== '',
  })
  return (
    <Card title={t('document.title')}>
      {documentId === '' || error ? (
        <Picker onChosen={onChosen} problem={problemText()} />
      ) : (
        document && (
          <Chosen document={document} offersPackage={offersPackage} onOther={() => onChosen(null)} />
        )
      )}
    </Card>
  )

  function problemText(): string | undefined {
    if (error) return t('document.gone')
    return form.problems['documentId'] && t('document.required')
  }
}

function Chosen({
  document,
  offersPackage,
  onOther,
}: {
  document: DocumentView
  offersPackage: boolean
  onOther: () => void
}) {
  const { t } = useTexts('requests-sending')
  const { t: ofDocuments } = useTexts('documents')
  return (
    <div className={classes.chosen}>
      <span className={classes.fileIcon}>
        <DocumentIcon />
      </span>
      <div>
        <b>{document.name}</b>
        <small>
          {document.format.toUpperCase()} · {formatSize(document.size, ofDocuments)} ·{' '}
          <Link to="/documents/$path/$id" params={{ path: 'my', id: document.id }} target="_blank">
            {t('document.open')}
          </Link>
        </small>
      </div>
      <Button variant="default" onClick={onOther}>
        {t('document.other')}
      </Button>
      {offersPackage && (
        <Button
          variant="subtle"
          renderRoot={(root) => (
            <Link to="/signingRequests/addPackage" search={{ documents: document.id }} {...root} />
          )}
        >
          {t('document.more')}
        </Button>
      )}
    </div>
  )
}

function Picker(props: { onChosen: (document: DocumentView) => void; problem: string | undefined }) {
  const { t } = useTexts('requests-sending')
  return (
    <div className={classes.picker}>
      <DocumentSelect
        field="documentId"
        label={t('document.choose')}
        error={props.problem}
        onChosen={props.onChosen}
      />
      <span className={classes.or}>{t('document.or')}</span>
      <UploadButton onUploaded={props.onChosen} />
    </div>
  )
}
