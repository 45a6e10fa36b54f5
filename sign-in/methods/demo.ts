/** Demo only: the people of the fictional organisations, each signed in by one click. */
import { findAccountByEmail } from '../accounts/account-queries.ts'
import { html } from '../http/html.ts'
import { form } from '../markup/fields.ts'
import { interactionPath } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import type { SignInMethod } from './method.ts'

export const demo: SignInMethod = {
  name: 'demo',

  render({ visit: { t, language }, context: { demoAccounts }, uid }) {
    if (demoAccounts.length === 0) return null
    return html`<section class="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">${t('demo.title')}</h2>
      <p>${t('demo.lead')}</p>
      ${form(
        `${interactionPath(uid)}/${demo.name}`,
        demoAccounts.map(
          ({ email, fullName, note }) =>
            html`<button class="person" name="account" value="${email}">
              <span class="initials" aria-hidden="true">${initialsOf(fullName)}</span
              ><span><b>${fullName}</b><small>${note[language]}</small></span>
            </button>`,
        ),
      )}
    </section>`
  },

  async attempt(fields, _, { database, demoAccounts }) {
    const chosen = demoAccounts.find(({ email }) => email === fields.get('account'))
    const account = chosen && (await findAccountByEmail(database.db, chosen.email))
    if (!account) throw new Refused('not-found', 404)
    return { account, amr: ['user'] }
  },
}

function initialsOf(fullName: string): string {
  return fullName
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
}
