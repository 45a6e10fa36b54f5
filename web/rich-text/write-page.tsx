/** Writes a document: from scratch, from a template, or from the text of another document. */
import { useRef, useState, type FormEvent } from 'react'
import { Button } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { longestFileName, writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { whyNotValue } from '@kelisim/domain/rich-text/variables.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import type { ApiError } from '../api/api.ts'
import { documentQuery } from '../documents/queries.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { clearDirty } from '../ui/form/dirty.ts'
import { Fields } from '../ui/form/fields.tsx'
import {
  FormFields,
  SubmitButton,
  TextField,
  useApiForm,
  useFormContext,
  useProblemText,
} from '../ui/form/form.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { fillUsual } from './editor/fill-usual.ts'
import { RichEditor } from './editor/rich-editor.tsx'
import { ScopeField } from './scope-field.tsx'
import { chipsIn, type ChipAttributes } from './editor/variables-in.ts'
import { PreviewButton } from './preview-button.tsx'
import { templateQuery, writtenTextQuery } from './queries.ts'
import { TemplateChooser } from './template-chooser.tsx'
import classes from './rich-text.module.css'
import { fieldOf, FillVariables } from './variables-panel.tsx'

const { Private } = visibilityScopes.members

type Beginning = { html: string; fileName: string; templateId: string | null }

export function WritePage({ templateId }: { templateId: string | null }) {
  const { organization, session } = useWorkplace()
  const [today] = useState(() => new Date())
  const { data, error, refetch } = useQuery({
    ...templateQuery(organization.Id, templateId ?? ''),
    enabled: templateId !== null,
  })
  if (templateId === null) {
    return <Sheet id="new" beginning={{ html: '', fileName: '', templateId: null }} isChoosing />
  }
  if (!data) return <Waiting error={error} onRetry={() => void refetch()} />
  const facts = {
    organization: organization.ShortName,
    organizationBin: organization.Bin,
    author: session.profile.FullName,
    today,
  }
  const html = fillUsual(data.template, facts)
  return <Sheet key={data.id} id={data.id} beginning={{ html, fileName: data.name, templateId }} isChoosing />
}

export function RewritePage({ documentId }: { documentId: string }) {
  const { organization } = useWorkplace()
  const text = useQuery(writtenTextQuery(organization.Id, documentId))
  const document = useQuery(documentQuery(organization.Id, documentId))
  const error = text.error ?? document.error
  if (!text.data || !document.data) {
    return (
      <Waiting
        error={error}
        onRetry={() => {
          void text.refetch()
          void document.refetch()
        }}
      />
    )
  }
  const { htmlContent, templateId } = text.data
  const fileName = document.data.name.replace(/\.pdf$/i, '')
  return <Sheet key={documentId} id={documentId} beginning={{ html: htmlContent, fileName, templateId }} />
}

function Waiting({ error, onRetry }: { error: ApiError | null; onRetry: () => void }) {
  if (error?.status === 404) return <PageNotFound />
  return error ? <LoadFailed error={error} onRetry={onRetry} /> : <LoadingLines />
}

function Sheet({ id, beginning, isChoosing }: { id: string; beginning: Beginning; isChoosing?: boolean }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const client = useQueryClient()
  const navigate = useNavigate()
  const [editor, setEditor] = useState<Editor | null>(null)
  const [isTried, setTried] = useState(false)
  // The initial text must not change when the date changes while the page is open.
  const [{ templateId, ...begun }] = useState(beginning)
  const documentIdOf = useDocumentId()
  const form = useApiForm({
    id: `write:${organizationId}:${id}`,
    endpoint: writeDocument,
    fixed: { organizationId, templateId },
    initial: { htmlContent: begun.html, fileName: begun.fileName, description: '', visibilityScope: Private },
    fieldOf: {
      'rich-text-empty': 'htmlContent',
      'rich-text-too-large': 'htmlContent',
    },
    inputOf: (values) => ({ ...values, documentId: documentIdOf(values) }),
    onDone: async (made) => {
      toast(t('write.done'))
      void client.invalidateQueries({ queryKey: [getDocuments.path] })
      clearDirty() // created: there is nothing to lose
      await navigate({ to: '/documents/$path/$id', params: { path: 'my', id: made.id } })
    },
  })
  /** Stops at the first variable without a valid value instead of creating the document. */
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    setTried(true)
    const wrong = editor && chipsIn(editor).find(({ type, value }) => whyNotValue(type, value) !== null)
    if (wrong) fieldOf(wrong.name)?.focus()
    else await form.submit(event)
  }
  return (
    <Page title={t('write.title')}>
      <FormFields form={{ ...form, submit }} label={t('write.title')}>
        <div className={classes.columns}>
          <div className={classes.side}>
            {isChoosing && <TemplateChooser templateId={templateId} />}
            {editor && <FillVariables editor={editor} isTried={isTried} />}
            <Card title={t('write.about')}>
              <Fields>
                <TextField name="fileName" label={t('write.fileName')} max={longestFileName} isRequired />
                <TextField name="description" label={t('columns.description')} max={1000} lines />
                <ScopeField of="write" help={t('write.scopeHelp')} />
              </Fields>
            </Card>
          </div>
          <div className={classes.text}>
            <DocumentText onReady={setEditor} />
            <div className={classes.buttons}>
              <SubmitButton>{t('write.make')}</SubmitButton>
              <PreviewButton html={form.values.htmlContent} fileName={form.values.fileName} />
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/documents/$path" params={{ path: 'my' }} {...props} />}
              >
                {t('common:actions.cancel')}
              </Button>
            </div>
          </div>
        </div>
      </FormFields>
    </Page>
  )
}

/**
 * The same text gets the same id, so that a retry after a lost response creates one document; a changed text gets a
 * new id.
 */
function useDocumentId() {
  const known = useRef({ values: '', id: '' })
  return (values: object) => {
    const said = JSON.stringify(values)
    if (known.current.values !== said) known.current = { values: said, id: crypto.randomUUID() }
    return known.current.id
  }
}

function DocumentText({ onReady }: { onReady: (editor: Editor) => void }) {
  const { t } = useTexts('rich-text')
  const form = useFormContext()
  return (
    <RichEditor
      label={t('editor.document')}
      name="htmlContent"
      content={String(form.values['htmlContent'])}
      problem={useProblemText()(form.problems['htmlContent'])}
      onChange={(html) => form.set('htmlContent', html)}
      onReady={onReady}
      onChip={({ name }: ChipAttributes) => fieldOf(name)?.focus()}
    />
  )
}
