/** A document template: name, language, visibility, and a text with variables. */
import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import {
  addTemplate,
  getTemplates,
  longestTemplateDescription,
  longestTemplateName,
  saveTemplate,
  type DocumentTemplate,
} from '@kelisim/domain/rich-text/contract.ts'
import { visibilityOf, visibilityScopes } from '@kelisim/domain/visibility.ts'
import { languages } from '@kelisim/texts/languages.ts'
import type * as z from 'zod/mini'
import { currentLanguage } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { formatDate } from '../ui/format/dates.ts'
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
import { DocumentIcon, TrashIcon } from '../ui/look/icons.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeleteTemplateDialog } from './delete-template-dialog.tsx'
import { CopyIcon } from './editor/icons.tsx'
import { RichEditor } from './editor/rich-editor.tsx'
import { ScopeField } from './scope-field.tsx'
import { changeChips, chipsIn, insertChip, type ChipAttributes } from './editor/variables-in.ts'
import { PreviewButton } from './preview-button.tsx'
import { templateQuery } from './queries.ts'
import classes from './rich-text.module.css'
import { useCopy } from './templates-page.tsx'
import { VariableDialog } from './variable-dialog.tsx'
import { TemplateVariables } from './variables-panel.tsx'

type TemplateView = z.output<typeof DocumentTemplate>
type TemplateEndpoint = Endpoint<'member', z.ZodMiniType, typeof DocumentTemplate>
const { Private } = visibilityScopes.members

export function NewTemplatePage() {
  const { t } = useTexts('rich-text')
  return (
    <Page title={t('templates.newTitle')}>
      <TemplateForm template={null} />
    </Page>
  )
}

export function TemplatePage({ templateId }: { templateId: string }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const { data: template, error, refetch } = useQuery(templateQuery(organization.Id, templateId))
  if (error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!template) return <LoadingLines />
  const { author, createdAt, language, visibilityScope } = template
  const facts = [
    author.fullName,
    formatDate(createdAt),
    t(`languages.${language}`),
    t(`visibility.${visibilityOf(visibilityScope)}`),
  ]
  return (
    <Page title={template.name} lead={facts.join(' · ')}>
      <Acts template={template} />
      {template.allowed.edit ? (
        // The key resets the form when another template is shown.
        <TemplateForm key={template.id} template={template} />
      ) : (
        <Card>
          <p>{t('templates.readOnly')}</p>
        </Card>
      )}
    </Page>
  )
}

function Acts({ template }: { template: TemplateView }) {
  const { t } = useTexts('rich-text')
  const navigate = useNavigate()
  const copying = useCopy()
  const deleting = useDialog<TemplateView>()
  return (
    <div className={classes.buttons}>
      <Button
        leftSection={<DocumentIcon size={18} />}
        renderRoot={(props) => <Link to="/documents/write/{-$id}" params={{ id: template.id }} {...props} />}
      >
        {t('acts.write')}
      </Button>
      {!template.allowed.edit && <PreviewButton html={template.template} fileName={template.name} />}
      <Button
        variant="default"
        leftSection={<CopyIcon size={18} />}
        loading={copying.isPending}
        onClick={() => copying.mutate(template)}
      >
        {t('acts.copy')}
      </Button>
      {template.allowed.delete && (
        <Button
          variant="default"
          c="var(--bad)"
          leftSection={<TrashIcon size={18} />}
          onClick={() => deleting.open(template)}
        >
          {t('acts.delete')}
        </Button>
      )}
      <DeleteTemplateDialog
        isOpen={deleting.isOpen}
        template={deleting.subject}
        onClose={deleting.close}
        onDeleted={() => {
          clearDirty() // unsaved changes were deleted with it
          void navigate({ to: '/document-templates', replace: true })
        }}
      />
    </div>
  )
}

/** Null: a new template. */
function TemplateForm({ template }: { template: TemplateView | null }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const client = useQueryClient()
  const navigate = useNavigate()
  const [editor, setEditor] = useState<Editor | null>(null)
  const endpoint: TemplateEndpoint = template ? saveTemplate : addTemplate
  const form = useApiForm({
    id: `document-template:${organizationId}:${template?.id ?? 'new'}`,
    endpoint,
    fixed: {
      organizationId,
      ...(template ? { templateId: template.id, currentVersion: template.currentVersion } : { param: 'new' }),
    },
    initial: valuesOf(template),
    fieldOf: {
      'rich-text-empty': 'template',
      'rich-text-too-large': 'template',
    },
    onDone: async (saved) => {
      client.setQueryData(templateQuery(organizationId, saved.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: [getTemplates.path] })
      toast(template ? t('common:saved') : t('templates.created'))
      form.reset(valuesOf(saved)) // the server trims and cleans what was typed
      if (template) return
      clearDirty() // saved: there is nothing to lose
      await navigate({
        to: '/document-templates/$path/$id',
        params: { path: 'my', id: saved.id },
        replace: true,
      })
    },
  })
  const variables = useDialog<ChipAttributes | null>()
  const done = (chip: ChipAttributes) => {
    variables.close()
    if (!editor) return
    if (variables.subject) changeChips(editor, variables.subject.name, chip)
    else insertChip(editor, chip)
  }
  return (
    <>
      <FormFields form={form} label={template ? template.name : t('templates.new')}>
        <div className={classes.columns}>
          <div className={classes.side}>
            <Card title={t('templates.about')}>
              <Fields>
                <TextField name="name" label={t('columns.name')} max={longestTemplateName} isRequired />
                <TextField
                  name="description"
                  label={t('columns.description')}
                  max={longestTemplateDescription}
                  lines
                />
                <LanguageField />
                <ScopeField of="templates" />
              </Fields>
            </Card>
            {editor && (
              <TemplateVariables editor={editor} onNew={() => variables.open(null)} onEdit={variables.open} />
            )}
          </div>
          <div className={classes.text}>
            <TemplateText
              onReady={setEditor}
              onVariable={() => variables.open(null)}
              onChip={variables.open}
            />
            <div className={classes.buttons}>
              <SubmitButton onlyWhenDirty={template !== null}>
                {template ? t('common:actions.save') : t('templates.create')}
              </SubmitButton>
              <PreviewButton html={form.values.template} fileName={form.values.name} />
            </div>
          </div>
        </div>
      </FormFields>
      <VariableDialog
        isOpen={variables.isOpen}
        chip={variables.subject}
        taken={editor ? chipsIn(editor).map(({ name }) => name) : []}
        onClose={variables.close}
        onDone={done}
      />
    </>
  )
}

function valuesOf(template: TemplateView | null) {
  return {
    name: template?.name ?? '',
    description: template?.description ?? '',
    language: template?.language ?? currentLanguage(),
    visibilityScope: template?.visibilityScope ?? Private,
    template: template?.template ?? '',
  }
}

function TemplateText(props: {
  onReady: (editor: Editor) => void
  onVariable: () => void
  onChip: (chip: ChipAttributes) => void
}) {
  const { t } = useTexts('rich-text')
  const form = useFormContext()
  return (
    <RichEditor
      {...props}
      label={t('editor.template')}
      name="template"
      content={String(form.values['template'])}
      problem={useProblemText()(form.problems['template'])}
      onChange={(html) => form.set('template', html)}
    />
  )
}

function LanguageField() {
  const { t } = useTexts('rich-text')
  const form = useFormContext()
  return (
    <NativeSelect
      size="md"
      name="language"
      label={t('columns.language')}
      description={t('templates.languageHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={String(form.values['language'])}
      onChange={(event) => form.set('language', event.currentTarget.value)}
    >
      {languages.map((one) => (
        <option key={one} value={one}>
          {t(`languages.${one}`)}
        </option>
      ))}
    </NativeSelect>
  )
}
