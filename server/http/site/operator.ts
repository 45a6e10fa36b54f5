/**
 * Fills the facts about this installation's operator into the landing page, which the build rendered for every
 * installation.
 */
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import type { Language } from '@kelisim/texts/languages.ts'

/** Whatever is empty or null is not shown. */
export type Operator = {
  name: string
  bin: string
  address: string
  phones: readonly string[]
  socialLinks: readonly URL[]
  /** How many companies use the installation, as the operator states it. */
  companies: number | null
}

export const unknownOperator: Operator = {
  name: '',
  bin: '',
  address: '',
  phones: [],
  socialLinks: [],
  companies: null,
}

/** The markers are written by web/landing/shared/operator.tsx. */
export function withOperator(html: string, operator: Operator, language: Language): string {
  const { name, bin, address, phones, socialLinks, companies } = operator
  let filled = html
  filled = onlyIf(filled, 'COMPANIES', companies !== null)
  filled = onlyIf(filled, 'NAME', name !== '')
  filled = onlyIf(filled, 'BIN', bin !== '')
  filled = onlyIf(filled, 'ADDRESS', address !== '')
  filled = onlyIf(filled, 'SOCIAL', socialLinks.length > 0)
  filled = forEach(
    filled,
    'PHONE',
    phones.map((phone) => ({ PHONE: phone, PHONE_DIGITS: phone.replaceAll(/[^\d+]/g, '') })),
  )
  filled = forEach(
    filled,
    'LINK',
    socialLinks.map((link) => ({ LINK: link.href, LINK_NAME: networkOf(link) })),
  )
  filled = filled.replaceAll(',"__OPERATOR_FACTS__":true', () => factsOf(operator))
  return withValues(filled, {
    COMPANIES: (companies ?? 0).toLocaleString(language === 'en' ? 'en-GB' : 'ru-RU'),
    NAME: name,
    BIN: bin,
    ADDRESS: address,
  })
}

function onlyIf(html: string, marker: string, isShown: boolean): string {
  const part = new RegExp(`__IF_${marker}__([^]*?)__END_${marker}__`, 'g')
  return html.replaceAll(part, (_, inside: string) => (isShown ? inside : ''))
}

function forEach(html: string, marker: string, all: readonly Record<string, string>[]): string {
  const part = new RegExp(`__EACH_${marker}__([^]*?)__END_${marker}__`, 'g')
  return html.replaceAll(part, (_, inside: string) => all.map((one) => withValues(inside, one)).join(''))
}

function withValues(html: string, values: Record<string, string>): string {
  return Object.entries(values).reduce(
    (left, [name, value]) => left.replaceAll(`__${name}__`, () => escapeHtml(value)),
    html,
  )
}

/** Facts for search engines, as the rest of a JSON object. */
function factsOf({ name, bin, address, phones, socialLinks }: Operator): string {
  const facts = JSON.stringify({
    ...(name !== '' && { legalName: name }),
    ...(bin !== '' && { taxID: bin }),
    ...(address !== '' && { address }),
    ...(phones.length > 0 && { telephone: phones }),
    ...(socialLinks.length > 0 && { sameAs: socialLinks.map((link) => link.href) }),
  })
  return facts === '{}' ? '' : `,${facts.slice(1, -1).replaceAll('<', '\\u003c')}`
}

const networks: Record<string, string> = {
  't.me': 'Telegram',
  'instagram.com': 'Instagram',
  'youtube.com': 'YouTube',
  'facebook.com': 'Facebook',
  'linkedin.com': 'LinkedIn',
  'tiktok.com': 'TikTok',
  'wa.me': 'WhatsApp',
}

function networkOf({ hostname }: URL): string {
  const host = hostname.replace(/^www\./, '')
  return networks[host] ?? host
}
