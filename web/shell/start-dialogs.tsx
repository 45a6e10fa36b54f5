/** What a person may be greeted with: the price list (until 1 March 2025), then what is new in this version. */
import { useState } from 'react'
import { Button, Group, List, Modal } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { pageConfig } from '../page-config.ts'
import { isPromoDue, promoDownloadedKey, promoShownKey, today } from './promo.ts'

const versionKey = 'app-version'

export function StartDialogs() {
  const [isPromoOpen, setPromoOpen] = useState(() => isPromoDue(new Date(), localStorage))
  const [isNewsOpen, setNewsOpen] = useState(() => localStorage.getItem(versionKey) !== pageConfig.version)
  if (isPromoOpen) return <PricePromo onClose={() => setPromoOpen(false)} />
  if (!isNewsOpen) return null
  return (
    <WhatIsNew
      onClose={() => {
        localStorage.setItem(versionKey, pageConfig.version)
        setNewsOpen(false)
      }}
    />
  )
}

function WhatIsNew({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const { version } = pageConfig
  return (
    <Modal
      opened
      onClose={onClose}
      size={800}
      title={t('shell:whatIsNew.title', { version })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <List spacing={12}>
        <List.Item>{t('shell:whatIsNew.portal')}</List.Item>
        <List.Item>{t('shell:whatIsNew.languages')}</List.Item>
        <List.Item>{t('shell:whatIsNew.dark')}</List.Item>
      </List>
      <Group mt={24} justify="space-between">
        <a href={`/frame/release-notes?version=${version}`}>{t('shell:whatIsNew.release')}</a>
        <Button onClick={onClose}>{t('actions.ok')}</Button>
      </Group>
    </Modal>
  )
}

function PricePromo({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const close = () => {
    localStorage.setItem(promoShownKey, today(new Date()))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      size={547}
      title={t('shell:promo.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <p>{t('shell:promo.text')}</p>
      <Group mt={24} justify="flex-end">
        <Button
          component="a"
          href="/frame/price-list"
          onClick={() => {
            localStorage.setItem(promoDownloadedKey, 'true')
            close()
          }}
        >
          {t('shell:promo.download')}
        </Button>
      </Group>
    </Modal>
  )
}
