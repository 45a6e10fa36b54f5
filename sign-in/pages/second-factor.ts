/** Two-step sign-in in a person's own account: turning it on with the first code, turning it off, new spare codes. */
import { renderSVG } from 'uqr'
import type { Tx } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { type Account } from '../accounts/account-queries.ts'
import { enrolmentAddress, newSecret, newSpareCodes, secretInLetters } from '../accounts/one-time-code.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countSpareCodes,
  endSecondFactor,
  findSecondFactor,
  replaceSpareCodes,
  takeAnyCode,
  useCode,
} from '../accounts/second-factor-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { emailOf } from '../http/emails.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { paths } from '../http/paths.ts'
import { readForm, type Visit } from '../http/visit.ts'
import { alert, button, buttonLink, field, form, knownUsername } from '../markup/fields.ts'
import { layout } from '../markup/layout.ts'
import { codeField, passwordField, proving, type ProofFailure } from './fresh-proof.ts'
import { signedIn, signInFirst, type SignedIn } from './signed-in.ts'

export const showSecondFactor: Handler = async (visit, context) => {
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.secondFactor)
  return { status: 200, page: await ownPage(visit, context, person, {}) }
}

/** Requires the password, so that nobody starts it at an unattended computer. */
export const beginEnrolment: Handler = async (visit, context) => {
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.secondFactor)
  const { account } = person
  const refused = await proving(visit, context, account, fields.get('password'), async () => null)
  if (refused) return { status: refused.status, page: await ownPage(visit, context, person, refused.failure) }
  const secret = newSecret()
  const isBegun = await context.database.write((tx) => beginSecondFactor(tx, account.id, secret, visit.now))
  if (!isBegun) return { location: paths.secondFactor }
  return { status: 200, page: enrolmentPage(visit, account, secret, undefined) }
}

/** An unfinished secret expires, so that it is not shown to somebody else at an unattended computer. */
function isAbandoned({ createdAt }: { createdAt: Date }, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > 10 * minute
}

/** The first code shows that the phone has the secret; from now on sign-ins ask for one. */
export const confirmEnrolment: Handler = async (visit, context) => {
  const { database, queueMail, publicUrl } = context
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.secondFactor)
  const { account } = person
  const codes = newSpareCodes()
  const result = await database.write(async (tx) => {
    const factor = await findSecondFactor(tx, account.id)
    if (!factor || factor.confirmedAt !== null || isAbandoned(factor, visit.now)) return null
    if (!(await useCode(tx, account.id, fields.get('code'), visit.now))) return factor
    await confirmSecondFactor(tx, account.id, visit.now)
    await replaceSpareCodes(tx, account.id, codes)
    await queueMail(tx, emailOf('secondOn', account, new URL(paths.forgot, publicUrl)))
    return 'done'
  })
  if (result === null) return { location: paths.secondFactor }
  if (result !== 'done') {
    const page = enrolmentPage(visit, account, result.secret, visit.t('secondStep.wrong'))
    return { status: 422, page }
  }
  return { status: 200, page: codesPage(visit, codes) }
}

export const renewSpareCodes: Handler = async (visit, context) => {
  const codes = newSpareCodes()
  return changing(visit, context, {
    change: (tx, account) => replaceSpareCodes(tx, account.id, codes),
    done: () => ({ status: 200, page: codesPage(visit, codes) }),
  })
}

export const turnOff: Handler = async (visit, context) => {
  const { queueMail, publicUrl } = context
  return changing(visit, context, {
    async change(tx, account) {
      await endSecondFactor(tx, account.id)
      await queueMail(tx, emailOf('secondOff', account, new URL(paths.secondFactor, publicUrl)))
    },
    done: () => ({ location: paths.secondFactor }),
  })
}

/** A person who has lost the phone and the spare codes uses the digital signature, which proves more than a code. */
async function changing(
  visit: Visit,
  context: Context,
  {
    change,
    done,
  }: {
    change: (tx: Tx, account: Account) => Promise<void>
    done: () => { location: string } | { status: number; page: Html }
  },
) {
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.secondFactor)
  const { account, isBySignature } = person
  const typed = fields.get('code')
  const refused = await proving(visit, context, account, fields.get('password'), async (tx) => {
    const isRight = isBySignature || (await takeAnyCode(tx, account.id, typed, visit.now))
    if (!isRight) return { code: visit.t('secondStep.wrong') }
    await change(tx, account)
    return null
  })
  if (!refused) return done()
  return { status: refused.status, page: await ownPage(visit, context, person, refused.failure) }
}

async function ownPage(
  visit: Visit,
  { database }: Context,
  { account, isBySignature }: SignedIn,
  failure: ProofFailure,
): Promise<Html> {
  const { t } = visit
  const factor = await findSecondFactor(database.db, account.id)
  const isOn = factor?.confirmedAt !== undefined && factor.confirmedAt !== null
  const spare = isOn ? await countSpareCodes(database.db, account.id) : 0
  const password = passwordField(t, failure)
  const code = codeField(t, failure)
  return layout(visit, {
    title: t('secondFactor.title'),
    at: paths.secondFactor,
    content: html`<h1>${t('secondFactor.title')}</h1>
      <p class="lead">${t('secondFactor.lead')}</p>
      ${alert(failure.message)}
      ${
        account.passwordHash === null
          ? html`<p class="note">${t('secondFactor.noPassword')}</p>`
          : isOn
            ? html`<p class="notice" role="status">${t('secondFactor.isOn', { count: spare })}</p>
                <form method="post" novalidate>
                  ${knownUsername(account.email)}${password}${!isBySignature && code}
                  <p class="links">
                    <button class="button quiet" formaction="${paths.secondFactorCodes}">
                      ${t('secondFactor.renew')}
                    </button>
                    <button class="button quiet" formaction="${paths.secondFactorOff}">
                      ${t('secondFactor.off')}
                    </button>
                  </p>
                </form>`
            : form(
                paths.secondFactor,
                html`${knownUsername(account.email)}${password}${button(t('secondFactor.on'))}`,
              )
      }
      <p class="aside"><a href="${paths.account}">${t('secondFactor.back')}</a></p>`,
  })
}

function enrolmentPage(visit: Visit, { email }: Account, secret: Buffer, error: string | undefined): Html {
  const { t } = visit
  const address = enrolmentAddress(secret, t('product'), email)
  return layout(visit, {
    title: t('secondFactor.enrolTitle'),
    at: paths.secondFactor,
    content: html`<h1>${t('secondFactor.enrolTitle')}</h1>
      <p class="lead">${t('secondFactor.enrolLead')}</p>
      <div class="qr" role="img" aria-label="${t('secondFactor.qr')}">
        ${trusted(renderSVG(address, { ecc: 'M', border: 2 }))}
      </div>
      <p class="help enrol">
        <a href="${address}">${t('secondFactor.sameDevice')}</a><br />
        ${t('secondFactor.byHand')} <b class="secret">${secretInLetters(secret)}</b>
      </p>
      ${form(
        paths.secondFactorConfirm,
        html`${field({
          name: 'code',
          label: t('secondStep.code'),
          type: 'text',
          isDigits: true,
          autocomplete: 'one-time-code',
          error,
          isFirst: true,
        })}
        ${button(t('secondFactor.confirm'))}`,
      )}
      <p class="aside"><a href="${paths.secondFactor}">${t('secondFactor.cancel')}</a></p>`,
  })
}

function codesPage(visit: Visit, codes: readonly string[]): Html {
  const { t } = visit
  return layout(visit, {
    title: t('secondFactor.codesTitle'),
    at: paths.secondFactor,
    content: html`<h1>${t('secondFactor.codesTitle')}</h1>
      <p class="lead">${t('secondFactor.codesLead')}</p>
      <ol class="codes" aria-label="${t('secondFactor.codesTitle')}">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ol>
      ${buttonLink(t('secondFactor.kept'), paths.account)}`,
  })
}
