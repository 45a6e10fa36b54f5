/** A new comment: its place in the document, who may read it, and its text. */
import { useEffect, useRef, useState } from 'react'
import { Button, Group, NumberInput, Radio } from '@mantine/core'
import { addThread, longestText } from '@kelisim/domain/comments/contract.ts'
import type { DocumentPlace } from '../documents/preview/places/place.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { RequestKey } from '../requests/shared/queries.ts'
import type { RequestView } from '../requests/shared/request-view.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import type { Comments } from './use-comments.ts'
import classes from './comments.module.css'

export function CommentForm(props: {
  request: RequestView
  requestKey: RequestKey
  comments: Comments
  place: DocumentPlace
}) {
  const { t } = useTexts('comments')
  const { request, requestKey, comments } = props
  const { canWrite } = comments
  // Not part of the draft: people who return to a draft choose again who may read it.
  const [isShared, setShared] = useState(!canWrite.internal)
  const [place, setPlace] = useState(props.place)
  // One key for each form, so that a retry after a lost response writes once.
  const [key] = useState(() => crypto.randomUUID())
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A sheet sets the focus itself when it opens; focused before that, the field would be announced as empty.
    if (!top.current?.closest('[role="dialog"]')) top.current?.querySelector('textarea')?.focus()
  }, [])
  const form = useApiForm({
    id: `comment:${request.id}`,
    endpoint: addThread,
    fixed: { ...requestKey, ...place, isShared, revision: request.revision, key },
    initial: { text: '' },
    onDone: async () => {
      comments.setDraft(null)
      toast(t(isShared ? 'form.sentShared' : 'form.sentInternal'))
      await comments.refresh()
    },
    guardsPage: false,
  })
  return (
    <div ref={top} className={classes.form} data-tone={isShared ? 'all' : 'own'}>
      <FormFields form={form} label={t('form.title')}>
        <Fields>
          {place.quote !== '' && <blockquote className={classes.quote}>{place.quote}</blockquote>}
          {place.area && place.page !== null && (
            <p className={classes.quiet}>{t('form.place', { page: place.page })}</p>
          )}
          {request.document.format === 'pdf' && !place.area && (
            <NumberInput
              label={t('form.page')}
              description={t('form.pageHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={1}
              max={100_000}
              allowDecimal={false}
              clampBehavior="strict"
              value={place.page ?? ''}
              onChange={(page) => setPlace({ ...place, page: typeof page === 'number' ? page : null })}
            />
          )}
          <TextField name="text" label={t('form.text')} max={longestText} isRequired lines={3} />
          {canWrite.internal && canWrite.shared ? (
            <Radio.Group
              label={t('form.who')}
              value={isShared ? 'shared' : 'internal'}
              onChange={(chosen) => setShared(chosen === 'shared')}
            >
              <RadioCards>
                <RadioCard
                  value="internal"
                  isSelected={!isShared}
                  label={t('who.internal')}
                  help={t('who.internalHelp')}
                />
                <RadioCard
                  value="shared"
                  isSelected={isShared}
                  label={t('who.shared')}
                  help={t('who.sharedHelp')}
                />
              </RadioCards>
            </Radio.Group>
          ) : (
            <p className={classes.quiet}>{t(isShared ? 'who.sharedHelp' : 'who.internalHelp')}</p>
          )}
        </Fields>
        <Group mt={16} justify="flex-end">
          <Button variant="default" onClick={() => comments.setDraft(null)}>
            {t('common:actions.cancel')}
          </Button>
          <SubmitButton>{t(isShared ? 'form.sendShared' : 'form.sendInternal')}</SubmitButton>
        </Group>
      </FormFields>
    </div>
  )
}
