/** The second page of a sign-in with a password: the code that the person's phone shows, or a spare one. */
import { findAccountById, lockAccount } from '../accounts/account-queries.ts'
import { attemptSucceeded, beginAttempt } from '../accounts/attempt-queries.ts'
import {
  endSecondStep,
  findSecondStep,
  useCode,
  useSpareCode,
  type SecondStep,
} from '../accounts/second-factor-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { anotherWay, secondStepPath } from '../http/paths.ts'
import { SignInEnded } from '../http/refused.ts'
import { minutesUntil, readForm, type Visit } from '../http/visit.ts'
import { alert, button, field, form } from '../markup/fields.ts'
import { layout } from '../markup/layout.ts'
import { currentInteraction, finish } from '../methods/interaction.ts'
import { linkNumber } from './linked-number.ts'

type Failure = { message?: string; code?: string; spareCode?: string }

export const showSecondStep: Handler = async (visit, context, uid) => {
  await awaited(visit, context, uid)
  return { status: 200, page: codePage(visit, uid, {}) }
}

/** Codes can be guessed like passwords, so both are counted by the same counters. */
export const takeSecondStep: Handler = async (visit, context, uid) => {
  const { database } = context
  const { t, now, address } = visit
  const { step, interaction } = await awaited(visit, context, uid)
  const fields = await readForm(visit.request)
  const typed = { code: fields.get('code').trim(), spareCode: fields.get('spareCode').trim() }
  const isSpare = typed.spareCode !== ''
  if (!isSpare && typed.code === '')
    return { status: 422, page: codePage(visit, uid, { code: t('secondStep.missing') }) }
  const account = await findAccountById(database.db, step.accountId)
  if (!account) throw new SignInEnded()
  const begun = await database.write((tx) => beginAttempt(tx, { email: account.email, address }, now))
  if (begun.blockedUntil) {
    const message = t('login.blocked', { count: minutesUntil(begun.blockedUntil, now) })
    return { status: 429, page: codePage(visit, uid, { message }) }
  }
  const result = await database.write(async (tx) => {
    const isRight = isSpare
      ? await useSpareCode(tx, account.id, typed.spareCode)
      : await useCode(tx, account.id, typed.code, now)
    if (!isRight) return 'wrong'
    if (!(await endSecondStep(tx, uid))) return 'ended'
    // Uncounts two attempts: the code, and the password before it, which was left counted as failed.
    await attemptSucceeded(tx, begun.attempt)
    await attemptSucceeded(tx, begun.attempt)
    const isTaken = step.iin !== null && !(await linkNumber(tx, context, account, step.iin, now))
    return isTaken ? 'number-taken' : ((await lockAccount(tx, account.id)) ?? 'ended')
  })
  if (result === 'wrong') {
    const failure = isSpare ? { spareCode: t('secondStep.spareWrong') } : { code: t('secondStep.wrong') }
    return { status: 401, page: codePage(visit, uid, failure) }
  }
  if (result === 'ended') throw new SignInEnded()
  if (result === 'number-taken')
    return { status: 409, page: codePage(visit, uid, { message: t('unknown.taken') }) }
  const first = step.iin === null ? ['pwd'] : ['swk', 'pwd']
  await finish({ account: result, amr: [...first, 'otp', 'mfa'] }, interaction, visit, context)
  return null
}

async function awaited(
  visit: Visit,
  context: Context,
  uid: string,
): Promise<{ step: SecondStep; interaction: NonNullable<Awaited<ReturnType<typeof currentInteraction>>> }> {
  const interaction = await currentInteraction(visit, context, uid)
  const step = interaction && (await findSecondStep(context.database.db, uid, visit.now))
  if (!step) throw new SignInEnded()
  return { step, interaction }
}

function codePage(visit: Visit, uid: string, { message, code, spareCode }: Failure): Html {
  const { t } = visit
  const at = secondStepPath(uid)
  return layout(visit, {
    title: t('secondStep.title'),
    at,
    content: html`<h1>${t('secondStep.title')}</h1>
      <p class="lead">${t('secondStep.lead')}</p>
      ${alert(message)}
      ${form(
        at,
        html`${field({
          name: 'code',
          label: t('secondStep.code'),
          type: 'text',
          isDigits: true,
          autocomplete: 'one-time-code',
          error: code,
          isFirst: spareCode === undefined,
        })}
        ${button(t('secondStep.submit'))}`,
      )}
      <details class="other" ${spareCode !== undefined && trusted('open')}>
        <summary>${t('secondStep.lost')}</summary>
        <p>${t('secondStep.lostLead')}</p>
        ${form(
          at,
          html`${field({
            name: 'spareCode',
            label: t('secondStep.spareCode'),
            type: 'text',
            autocomplete: 'off',
            error: spareCode,
          })}
          ${button(t('secondStep.submit'), 'quiet')}`,
        )}
      </details>
      <p class="aside"><a href="${anotherWay(uid)}">${t('secondStep.back')}</a></p>`,
  })
}
