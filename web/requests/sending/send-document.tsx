/** The document to send: one that was uploaded earlier, or a file that is uploaded here. */
import { useState } from 'react'
import { Button, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UploadButton } from '../../documents/one-upload.tsx'
import { documentQuery } from '../../documents/queries.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { formatSize } from '../../documents/shared/size.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useFormContext } from '../../ui/form/form.tsx'
import { DocumentIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { fittingOptions } from '../../ui/form/searched-options.ts'
import { documentChoicesQuery } from './queries.ts'
import classes from './send.module.css'

const delay = 250

/** The name of a request by default: the file name without its extension. */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[a-z\d]{1,5}$/i, '').slice(0, 250)
}

export function DocumentCard({ onChosen }: { onChosen: (document: DocumentView | null) => void }) {
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
        document && <Chosen document={document} onOther={() => onChosen(null)} />
      )}
    </Card>
  )

  function problemText(): string | undefined {
    if (error) return t('document.gone')
    return form.problems['documentId'] && t('document.required')
  }
}

function Chosen({ document, onOther }: { document: DocumentView; onOther: () => void }) {
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
    </div>
  )
}

function Picker(props: { onChosen: (document: DocumentView) => void; problem: string | undefined }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const [typed, setTyped] = useState('')
  const [name] = useDebouncedValue(typed.trim(), delay)
  const found = (path: 'my' | 'public') => ({
    ...documentChoicesQuery(organization.Id, path, name),
    placeholderData: keepPreviousData,
  })
  const [own, shared] = [useQuery(found('my')), useQuery(found('public'))]
  const isSearching = name !== typed.trim() || [own, shared].some((one) => !one.data || one.isPlaceholderData)
  const mine = own.data?.items ?? []
  const known = new Set(mine.map(({ id }) => id))
  const common = (shared.data?.items ?? []).filter(({ id }) => !known.has(id))
  const optionsOf = (documents: DocumentView[]) =>
    documents.map(({ id, name: label }) => ({ value: id, label }))
  return (
    <div className={classes.picker}>
      <Select
        size="md"
        data-field="documentId"
        label={t('document.choose')}
        placeholder={t('document.placeholder')}
        nothingFoundMessage={isSearching ? t('common:loading') : t('document.none')}
        withAsterisk
        error={props.problem}
        searchable
        data={[
          { group: t('document.mine'), items: optionsOf(mine) },
          { group: t('document.common'), items: optionsOf(common) },
        ]}
        filter={({ options }) => fittingOptions(options, typed, isSearching)}
        searchValue={typed}
        onSearchChange={setTyped}
        value={null}
        onChange={(id) => {
          const chosen = [...mine, ...common].find((document) => document.id === id)
          if (chosen) props.onChosen(chosen)
        }}
      />
      <span className={classes.or}>{t('document.or')}</span>
      <UploadButton onUploaded={props.onChosen} />
    </div>
  )
}
