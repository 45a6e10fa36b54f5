/** The list of keys to choose from, each with its owner and use. */
import type { Text } from '@kelisim/texts/translate.ts'
import { html, type Html } from './html.ts'
import type { KeyFile, KeyOwner } from './key-folder.ts'

type T = Text<'stand-ins'>

export type KeyChoice = {
  keys: readonly KeyFile[]
  /** The key that was chosen before. */
  chosen: string | undefined
  now: Date
}

export function keyList({ keys, chosen, now }: KeyChoice, t: T): Html {
  return html`<ul class="choices">
    ${keys.map(({ name, owner }) => {
      const details = owner ? ownerDetails(owner, now, t) : html``
      return html`<li>
        <label
          ><input type="radio" name="key" value="${name}" ${name === chosen && html`checked`} /><span
            ><span class="owner">${owner?.person ?? name}</span>${details}<span class="quiet name-of-file"
              >${name}</span
            ></span
          ></label
        >
      </li>`
    })}
  </ul>`
}

function ownerDetails(owner: KeyOwner, now: Date, t: T): Html {
  const date = new Date(owner.notAfter).toLocaleDateString('ru', { timeZone: 'Asia/Almaty' })
  const role = roleText(owner, t)
  const state =
    now > new Date(owner.notAfter)
      ? t('key.expired')
      : now < new Date(owner.notBefore)
        ? t('key.early')
        : null
  return html`<span>${[owner.organization, role].filter(Boolean).join(' · ')}</span
    ><span class="quiet"
      >${algorithmText(owner.algorithm, t)} · ${t(`key.use.${owner.use}`)} ·
      ${t('key.until', { date })}${state !== null && html` <strong class="late">${state}</strong>`}</span
    >`
}

/** The last role is the most specific: a head also belongs to a legal entity. */
function roleText({ roles }: KeyOwner, t: T): string {
  const role = roles.at(-1)
  switch (role) {
    case 'individual':
    case 'legal-entity':
    case 'head':
    case 'signing-right':
    case 'financial-signing-right':
    case 'human-resources':
    case 'employee':
    case 'information-system':
      return t(`key.role.${role}`)
    case 'centre-administrator':
    case 'centre-manager':
    case 'centre-operator':
    case 'treasury-client':
    case 'notary':
    case undefined:
      return ''
  }
}

function algorithmText(kind: string, t: T): string {
  switch (kind) {
    case 'gost-kz-512':
    case 'gost-kz-256':
    case 'gost-kz-2004':
    case 'rsa':
      return t(`key.algorithm.${kind}`)
    default:
      return t('key.algorithm.other')
  }
}
