/** The documents of a package in their order, each under the name that everybody will read. */
import { useEffect, useEffectEvent } from 'react'
import { TextInput } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { getDocument } from '@kelisim/domain/documents/contract.ts'
import { longestRequestName, type tryRequest } from '@kelisim/domain/requests/contract.ts'
import { mostInPackage } from '@kelisim/domain/requests/parts.ts'
import { query } from '../../api/api.ts'
import { DocumentSelect } from '../../documents/document-select.tsx'
import { UploadButton } from '../../documents/one-upload.tsx'
import { documentQuery } from '../../documents/queries.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { formatSize } from '../../documents/shared/size.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useFormContext } from '../../ui/form/form.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import { RowAction } from '../../ui/list/row-action.tsx'
import { TrashIcon } from '../../ui/look/icons.tsx'
import { Card } from '../../ui/page/page.tsx'
import { nameOfFile } from '../sending/send-document.tsx'
import classes from './packages.module.css'

/** `name`: null until the name of the file is loaded, which is the default. */
export type ChosenDocument = { documentId: string; name: string | null }
export type Refusal = z.output<typeof tryRequest.result>['refusals'][number]

export function PackageDocuments({ refusalsOf }: { refusalsOf: (documentId: string) => readonly Refusal[] }) {
  const { t, find } = useTexts('requests-packages')
  const { t: ofDocuments } = useTexts('documents')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const form = useFormContext()
  const chosen = form.values['documents'] as ChosenDocument[]
  const files = useQueries({
    queries: chosen.map(({ documentId }) => documentQuery(organization.Id, documentId)),
  })
  const problem = form.problems['documents']
  const save = (documents: ChosenDocument[]) => form.set('documents', documents)

  function add(document: DocumentView): void {
    const { Id: organizationId } = organization
    client.setQueryData(query(getDocument, { organizationId, documentId: document.id }).queryKey, document)
    const others = chosen.filter(({ documentId }) => documentId !== document.id)
    save([...others, { documentId: document.id, name: nameOfFile(document.name) }])
  }

  // A document named by the address gets the name of its file as soon as the file is known.
  const unnamed = chosen.filter(({ name }, i) => name === null && files[i]?.data)
  const unnamedIds = unnamed.map(({ documentId }) => documentId).join()
  const giveNames = useEffectEvent(() =>
    save(
      chosen.map((one, i) =>
        unnamed.includes(one) ? { ...one, name: nameOfFile(files[i]!.data!.name) } : one,
      ),
    ),
  )
  useEffect(() => {
    if (unnamedIds !== '') giveNames()
  }, [unnamedIds])

  return (
    <Card title={t('documents.title')}>
      <ol className={classes.chosen} aria-label={t('documents.title')}>
        {chosen.map(({ documentId, name }, i) => {
          const file = files[i]?.data
          const wrong = files[i]?.error
            ? t('documents.gone')
            : refusalsOf(documentId)
                .map(({ alias, parameters }) => find(`errors:${alias}.text`, parameters) ?? alias)
                .join(' ')
          return (
            <li key={documentId}>
              <span className={classes.number}>{i + 1}</span>
              <TextInput
                size="md"
                label={t('documents.name', { number: i + 1 })}
                maxLength={longestRequestName}
                value={name ?? ''}
                error={wrong || (problem && name === '' && t('documents.nameless'))}
                onChange={(event) => {
                  const typed = typedText(event)
                  save(chosen.map((one, at) => (at === i ? { ...one, name: typed } : one)))
                }}
              />
              <RowAction
                label={t('documents.remove', { name: name ?? '' })}
                onClick={() => save(chosen.filter((_, at) => at !== i))}
              >
                <TrashIcon />
              </RowAction>
              {file && (
                <small>
                  {file.name} · {formatSize(file.size, ofDocuments)}
                </small>
              )}
            </li>
          )
        })}
      </ol>
      {chosen.length < mostInPackage ? (
        <div className={classes.picker}>
          <DocumentSelect
            field="documents"
            label={t(chosen.length === 0 ? 'documents.first' : 'documents.more')}
            isRequired={chosen.length < 2}
            error={problem && chosen.length < 2 && t('documents.tooFew')}
            onChosen={add}
          />
          <UploadButton onUploaded={add} />
        </div>
      ) : (
        <p className={classes.quiet}>{t('documents.most', { most: mostInPackage })}</p>
      )}
    </Card>
  )
}
