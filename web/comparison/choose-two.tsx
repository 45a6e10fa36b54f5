/** Chooses the two documents that are compared. */
import { useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fileOfName, nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { DocumentSelect } from '../documents/document-select.tsx'
import { documentQuery } from '../documents/queries.ts'
import type { DocumentView } from '../documents/shared/document-acts.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { DocumentIcon } from '../ui/look/icons.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import classes from './comparison.module.css'

/** `before` may name the document that is already chosen as the earlier one. */
export function ChooseTwo({ before }: { before: string }) {
  const { t } = useTexts('comparison')
  const { organization } = useWorkplace()
  const navigate = useNavigate()
  const named = fileOfName(before)
  const documentId = named?.kind === 'document' ? named.documentId : null
  const { data: first } = useQuery({
    ...documentQuery(organization.Id, documentId ?? ''),
    enabled: documentId !== null,
  })
  const [chosen, setChosen] = useState<DocumentView | null>(null)
  const [isOther, setOther] = useState(false)
  const earlier = chosen ?? (isOther ? null : first) ?? null
  const compare = (earlierId: string, later: DocumentView) =>
    void navigate({
      to: '/documents/compare',
      search: (search) => ({
        ...search,
        before: nameOfFile({ kind: 'document', documentId: earlierId }),
        after: nameOfFile({ kind: 'document', documentId: later.id }),
      }),
    })
  return (
    <Page isNarrow title={t('title')} lead={t('lead')}>
      <Card>
        <div className={classes.choice}>
          {earlier ? (
            <>
              <div className={classes.chosen}>
                <DocumentIcon size={20} />
                <span>
                  <small>{t('before')}</small>
                  <b>{earlier.name}</b>
                </span>
                <Button
                  variant="default"
                  onClick={() => {
                    setChosen(null)
                    setOther(true)
                  }}
                >
                  {t('other')}
                </Button>
              </div>
              <DocumentSelect label={t('after')} onChosen={(later) => compare(earlier.id, later)} />
            </>
          ) : (
            <DocumentSelect label={t('before')} onChosen={setChosen} />
          )}
        </div>
      </Card>
    </Page>
  )
}
