/** The access codes on the printed document: a QR code, and an alphanumeric code with its expiry date. */
import { useState } from 'react'
import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { isPast } from '@kelisim/domain/requests/access-code.ts'
import { accessCodes, updateRequest } from '@kelisim/domain/requests/contract.ts'
import { makeAccessCodes } from '@kelisim/domain/requests/holder-contract.ts'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useDirty } from '../../ui/form/dirty.ts'
import { CheckboxOption } from '../../ui/form/choices.tsx'
import { DateInput } from '../../ui/form/date-input.tsx'
import { dateOf, formatDate } from '../../ui/format/dates.ts'
import { Card } from '../../ui/page/page.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import type { RequestView } from './request-view.ts'
import classes from './request-page.module.css'
import type { RequestKey } from './queries.ts'

export type AccessCode = RequestView['generationSetting']

export function AccessCodeFields(props: {
  value: AccessCode
  /** Null: the text in the date field is not a date, or one that has passed. */
  onChange: (value: AccessCode | null) => void
}) {
  const { t } = useTexts('requests')
  const [mask, setMask] = useState(props.value.additionalComponents)
  const kept = props.value.accessCodeExpirationDate
  const [until, setUntil] = useState(kept === null ? '' : formatDate(kept))
  const [today] = useState(() => dateInAlmaty(new Date()))
  // A stored date may have passed meanwhile; this problem is shown at once, without leaving the field first.
  const [isLeft, setLeft] = useState(isPast(kept, today))
  const hasLetters = accessCodes.has(mask, 'AlphaNumericAccessCode')
  const date = dateOf(until)
  const isWrong = until !== '' && date === null
  const problem = isWrong ? t('code.wrongDate') : isPast(date, today) && t('code.pastDate')

  function change(nextMask: number, nextUntil: string): void {
    // The date applies to the alphanumeric code only.
    const kept = accessCodes.has(nextMask, 'AlphaNumericAccessCode') ? nextUntil : ''
    setMask(nextMask)
    setUntil(kept)
    const iso = dateOf(kept)
    const isUnfit = (kept !== '' && iso === null) || isPast(iso, today)
    props.onChange(isUnfit ? null : { additionalComponents: nextMask, accessCodeExpirationDate: iso })
  }

  const box = (name: (typeof accessCodes.names)[number], label: string) => (
    <CheckboxOption
      label={label}
      checked={accessCodes.has(mask, name)}
      onChange={() => change(mask ^ accessCodes.of(name), until)}
    />
  )
  return (
    <Stack gap={14}>
      {box('QrAccessCode', t('code.qr'))}
      {box('AlphaNumericAccessCode', t('code.letters'))}
      {hasLetters && (
        <DateInput
          label={t('code.until')}
          description={t('code.untilHelp')}
          value={until}
          error={isLeft && problem}
          onBlur={() => setLeft(true)}
          onChange={(typed) => change(mask, typed)}
        />
      )}
    </Stack>
  )
}

export function AccessCodeCard(props: {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}) {
  const { t } = useTexts('requests')
  const { request, requestKey, onKept } = props
  const { generationSetting, canEdit } = request
  const said = useSaid(generationSetting)
  return (
    <Card title={t('code.title')}>
      {canEdit ? (
        <>
          <p className={classes.quiet}>{t('code.lead')}</p>
          <Editor
            // The key resets the fields when somebody else has changed the values.
            key={JSON.stringify(generationSetting)}
            value={generationSetting}
            requestKey={requestKey}
            onKept={onKept}
          />
          {generationSetting.additionalComponents !== 0 && <GivenCodes requestKey={requestKey} />}
        </>
      ) : (
        <p>{said}</p>
      )}
    </Card>
  )
}

/** Makes the codes and shows them once: they cannot be read again. */
function GivenCodes({ requestKey }: { requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const making = useMutation({ mutationFn: () => call(makeAccessCodes, requestKey) })
  const made = making.data
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    toast(t('code.copied'))
  }
  const shown = [
    { name: t('code.letters'), text: made?.letters },
    { name: t('code.link'), text: made?.link },
  ].flatMap(({ name, text }) => (text ? [{ name, text }] : []))
  return (
    <div className={classes.codes}>
      <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
        {t('code.make')}
      </Button>
      {shown.length > 0 && <p role="status">{t('code.once')}</p>}
      {shown.map(({ name, text }) => (
        <p key={name}>
          {name}: <code>{text}</code>{' '}
          <Button variant="subtle" size="compact-md" onClick={() => void copy(text)}>
            {t('code.copy')}
          </Button>
        </p>
      ))}
    </div>
  )
}

function useSaid({ additionalComponents: mask, accessCodeExpirationDate: until }: AccessCode): string {
  const { t } = useTexts('requests')
  if (mask === 0) return t('code.none')
  const letters = `${t('code.letters')} (${until === null ? t('code.forever') : formatDate(until)})`
  return accessCodes
    .list(mask)
    .map((name) => (name === 'QrAccessCode' ? t('code.qr') : letters))
    .join(', ')
}

function Editor(props: {
  value: AccessCode
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}) {
  const { t } = useTexts('requests')
  const [value, setValue] = useState<AccessCode | null>(props.value)
  const saving = useMutation({
    mutationFn: (generationSetting: AccessCode) =>
      call(updateRequest, { ...props.requestKey, generationSetting }),
    onSuccess: (saved) => {
      toast(t('code.saved'))
      props.onKept(saved)
    },
  })
  const isSame = JSON.stringify(value) === JSON.stringify(props.value)
  useDirty(!isSame)
  return (
    <>
      <AccessCodeFields value={props.value} onChange={setValue} />
      {!isSame && (
        <Button
          mt={16}
          variant="default"
          disabled={value === null}
          loading={saving.isPending}
          onClick={() => value && saving.mutate(value)}
        >
          {t('common:actions.save')}
        </Button>
      )}
    </>
  )
}
