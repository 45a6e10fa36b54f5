/** How long the organisation keeps its documents: the table of terms, the ended documents, and the held ones. */
import { Button } from '@mantine/core'
import { OwnersOnly } from '../portal/shared/owners-only.tsx'
import { useTexts } from '../i18n/use-texts.ts'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { PlusIcon } from '../ui/look/icons.tsx'
import { Page } from '../ui/page/page.tsx'
import { Acts } from './acts.tsx'
import { RetainedDocuments } from './retained-documents.tsx'
import { TermDialog } from './term-dialog.tsx'
import { Terms } from './terms.tsx'
import classes from './retention.module.css'

export function RetentionPage() {
  return (
    <OwnersOnly>
      <Retention />
    </OwnersOnly>
  )
}

function Retention() {
  const { t } = useTexts('retention')
  const adding = useDialog<null>()
  const add = (
    <Button leftSection={<PlusIcon />} onClick={() => adding.open(null)}>
      {t('terms.add')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={add}>
      <div className={classes.parts}>
        <Terms />
        <RetainedDocuments />
        <Acts />
      </div>
      <TermDialog isOpen={adding.isOpen} onClose={adding.close} />
    </Page>
  )
}
