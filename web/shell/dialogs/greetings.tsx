/** The greeting dialogs, loaded only when one is due. */
import { Button, Group, Modal } from '@mantine/core'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import classes from './greetings.module.css'
import { useWorkplace } from '../session/session.ts'
import { promoDownloadedKey, promoShownKey } from './promo.ts'

export function WhatIsNew({ onClose }: { onClose: () => void }) {
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
      <ul className={classes.news}>
        <li>{t('shell:whatIsNew.sign')}</li>
        <li>{t('shell:whatIsNew.routes')}</li>
        <li>{t('shell:whatIsNew.programs')}</li>
        <li>{t('shell:whatIsNew.check')}</li>
        <li>{t('shell:whatIsNew.evidence')}</li>
      </ul>
      <Group mt={24} justify="space-between">
        <a href={`/files/release-notes.pdf?version=${version}`} target="_blank" rel="noopener">
          {t('shell:whatIsNew.release')}
        </a>
        <Button onClick={onClose}>{t('actions.ok')}</Button>
      </Group>
    </Modal>
  )
}

export function PricePromo({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const close = () => {
    localStorage.setItem(promoShownKey, dateInAlmaty(new Date()))
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
          href={`/files/price-list.pdf?organizationId=${organization.Id}&download`}
          download
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
