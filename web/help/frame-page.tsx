/** Help documents under /frame/{name}. */
import { useTexts } from '../i18n/use-texts.ts'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { PageNotFound } from '../ui/states.tsx'
import { useAddress } from '../ui/address.ts'

const names = [
  'instruction',
  'accounting-integration',
  'contract-offer',
  'service-rules',
  'personal-data-agreement',
  'price-list',
  'release-notes',
  'videos',
] as const

export function FramePage() {
  const { t } = useTexts('lists')
  const { params } = useAddress()
  const name = names.find((n) => n === (params.name ?? 'instruction').toLowerCase())
  return name ? <NotOpenYet title={t(`frame.${name}`)} text={t('frame.soon')} /> : <PageNotFound />
}
