/** Finds the points that another organisation published by its number. */
import { useState } from 'react'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { findPublishedPoints } from '@kelisim/domain/points/contract.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { NumberField } from './number-field.tsx'
import classes from './points.module.css'

const mostShown = 100

export function LookupDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('points')
  const [number, setNumber] = useState('')
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('lookup.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={560}
    >
      <NumberField name="number" label={t('lookup.number')} value={number} onChange={setNumber} />
      {isTwelveDigits(number) && <Published bin={number} />}
    </Modal>
  )
}

function Published({ bin }: { bin: string }) {
  const { t, find } = useTexts('points')
  const { organization } = useWorkplace()
  const isOwn = bin === organization.Bin
  const { data, error } = useQuery({
    ...query(findPublishedPoints, { bin, skip: 0, take: mostShown }),
    enabled: !isOwn,
  })
  if (isOwn) return <p className={classes.lookup}>{t('lookup.own')}</p>
  if (error) {
    return (
      <p className={classes.lookup}>
        {find(`errors:${error.alias}.text`, error.parameters) ?? error.message}
      </p>
    )
  }
  const [first] = data?.items ?? []
  if (!data) return null
  if (!first) return <p className={classes.lookup}>{t('lookup.none')}</p>
  return (
    <div className={classes.lookup}>
      <h3>{t('lookup.found', { name: first.organizationName, count: data.totalCount })}</h3>
      <ul className={classes.published}>
        {data.items.map((point) => (
          <li key={point.id}>
            <b>{point.name}</b>
            {point.description && <small>{point.description}</small>}
          </li>
        ))}
      </ul>
      <p className={classes.hint}>{t('lookup.hint')}</p>
    </div>
  )
}
