/** The keys that people of the demo sign with, as ordered at the demo's certification centre. */
import { organizations, people } from './people.ts'

/** The password of every key of the demo, shown beside the keys. */
export const keyPassword = 'Qwerty12'

export type KeyOrder = {
  kind: 'gost-kz-512' | 'rsa'
  use?: 'signature' | 'authentication'
  person: { surname: string; firstName: string; patronymic: string; iin: string; email?: string }
  organization?: { name: string; bin: string; role: 'head' | 'signing-right' | 'employee' }
  password: string
}

/**
 * People who sign in by digital signature without an account: an outside recipient, and the head of a firm that is
 * not registered yet.
 */
const newcomer = { surname: 'Соколова', firstName: 'Анна', patronymic: 'Игоревна', iin: '910619400478' }
const newFirm = { name: 'ТОО «Жаңа Жол»', bin: '250340012341' }

export const demoKeys: readonly KeyOrder[] = [
  ...people.flatMap(keysOf),
  ...(['signature', 'authentication'] as const).map((use) =>
    order({ kind: 'rsa', use, person: personOf(people[0]!) }),
  ),
  order({ person: newcomer }),
  order({ person: newcomer, organization: { ...newFirm, role: 'head' } }),
]

/** A personal key, and one for each organisation. */
function keysOf(one: (typeof people)[number]): KeyOrder[] {
  const person = personOf(one)
  const ofFirms = organizations.flatMap(({ key, bin, fullName, isIndividual }) => {
    const roles = one.roles[key]
    if (!roles || isIndividual) return []
    const role = roles.includes('Owner') ? 'head' : one.signsFor?.includes(key) ? 'signing-right' : 'employee'
    return [order({ person, organization: { name: fullName, bin, role } })]
  })
  return [order({ person }), ...ofFirms]
}

function personOf({ fullName, patronymic, iin, email }: (typeof people)[number]): KeyOrder['person'] {
  const [firstName = '', surname = ''] = fullName.split(' ')
  return { surname, firstName, patronymic, iin, email }
}

function order(parts: Omit<KeyOrder, 'password' | 'kind'> & { kind?: KeyOrder['kind'] }): KeyOrder {
  return { kind: 'gost-kz-512', ...parts, password: keyPassword }
}
