/** A field for a BIN or IIN, grouped while it is typed, with the name of its owner. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inGroups, isPersonNumber, isTwelveDigits, typedNumber } from '@kelisim/domain/numbers.ts'
import { getContractor } from '@kelisim/domain/points/contract.ts'
import { numberWarning, whyNotSendTo } from '@kelisim/domain/points/point.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { TextField, useFormContext, useProblemText } from '../ui/form/form.tsx'
import { CheckIcon, WarningIcon } from '../ui/look/icons.tsx'
import classes from './points.module.css'

/** The number and name of a counterparty; a known name is filled in and can be changed. */
export function ContractorFields() {
  const { t } = useTexts('points')
  const form = useFormContext()
  const problemText = useProblemText()
  const number = String(form.values['bin'])
  const name = String(form.values['organizationName'])
  const { data: contractor } = useContractor(number)
  const filledIn = useRef<string | null>(null)
  useEffect(() => {
    if (!contractor || contractor.name === name) return
    // A typed name stays; a name that was filled in for another number is removed.
    if (name !== '' && name !== filledIn.current) return
    filledIn.current = contractor.name
    form.set('organizationName', contractor.name)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each contractor, not for each letter typed
  }, [contractor])
  return (
    <>
      <NumberField
        name="bin"
        label={t('common:binOrIin')}
        isRequired
        value={number}
        error={problemText(form.problems['bin'])}
        onChange={(bin) => form.set('bin', bin)}
        onLeave={() => form.leave('bin')}
      />
      <TextField name="organizationName" label={t('form.organizationName')} max={250} />
    </>
  )
}

export function useContractor(number: string) {
  const { organization } = useWorkplace()
  return useQuery({
    ...query(getContractor, { organizationId: organization.Id, bin: number }),
    // Not for an IIN: the server never tells whose it is.
    enabled: isTwelveDigits(number) && !isPersonNumber(number),
    // Without retries, so that an unavailable directory does not delay the person.
    retry: false,
  })
}

export function NumberField(props: {
  name: string
  label: string
  value: string
  isRequired?: boolean
  error?: string | undefined
  onChange: (digits: string) => void
  onLeave?: () => void
}) {
  const { t } = useTexts('points')
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  // Grouping moves the digits: keep the caret behind the same digit.
  useLayoutEffect(() => {
    if (caret.current === null) return
    const place = caret.current + Math.floor(Math.max(0, caret.current - 1) / 3)
    input.current?.setSelectionRange(place, place)
    caret.current = null
  })
  return (
    <div>
      <TextInput
        ref={input}
        size="md"
        name={props.name}
        label={props.label}
        description={t('number.help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        autoComplete="off"
        withAsterisk={props.isRequired ?? false}
        aria-required={props.isRequired ?? false}
        error={props.error}
        value={inGroups(props.value)}
        onChange={({ currentTarget }) => {
          const typedBefore = currentTarget.value.slice(0, currentTarget.selectionStart ?? undefined)
          caret.current = typedNumber(typedBefore).length
          props.onChange(typedNumber(currentTarget.value))
        }}
        onCopy={(event) => {
          event.clipboardData.setData('text/plain', typedNumber(window.getSelection()?.toString() ?? ''))
          event.preventDefault()
        }}
        onBlur={props.onLeave}
      />
      <div role="status" className={classes.about}>
        <AboutNumber number={props.value} />
      </div>
    </div>
  )
}

/** The owner of the number and warnings about it; the warnings do not block the form. */
function AboutNumber({ number }: { number: string }) {
  const { t, find } = useTexts('points')
  const { organization } = useWorkplace()
  const { data: contractor, error, isFetching } = useContractor(number)
  if (!isTwelveDigits(number)) return null
  const warning = numberWarning(number, organization.Bin)
  const receiver = contractor && {
    organizationId: '',
    accepts: contractor.allowedPointTypesForIncomingSigningRequests,
  }
  const shut = whyNotSendTo('external', receiver ?? null, organization.Id)
  const reason = warning ?? (shut === 'receiver-paused' ? 'paused' : shut && 'notByNumber')
  return (
    <>
      {contractor && (
        <p className={classes.known}>
          {contractor.isConfirmedHere && <CheckIcon size={16} />}
          {contractor.name}
          {contractor.isConfirmedHere && ` — ${t('number.confirmed')}`}
        </p>
      )}
      {isPersonNumber(number) && <p>{t('number.person')}</p>}
      {isFetching && <p>{t('number.searching')}</p>}
      {error && !isFetching && <p>{find(`errors:${error.alias}.text`, error.parameters) ?? error.message}</p>}
      {reason && (
        <p className={classes.warning}>
          <WarningIcon size={16} />
          {t(`number.${reason}`)}
        </p>
      )}
    </>
  )
}
