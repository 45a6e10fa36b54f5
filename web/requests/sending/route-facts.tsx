/** The facts that the conditions of a route need: those known from the document are shown, the others are typed. */
import { TextInput } from '@mantine/core'
import type * as z from 'zod/mini'
import { cleanAmount, groupAmount } from '@kelisim/domain/amounts.ts'
import type { tryRequest } from '@kelisim/domain/requests/contract.ts'
import { longestValue } from '@kelisim/domain/rich-text/variables.ts'
import { shownAmount } from '@kelisim/domain/routes/condition-words.ts'
import { numberIn } from '@kelisim/domain/routes/condition.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Fields } from '../../ui/form/fields.tsx'
import { useFormContext } from '../../ui/form/form.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import { Card } from '../../ui/page/page.tsx'
import classes from './send.module.css'

type Conditions = NonNullable<z.output<typeof tryRequest.result>['conditions']>

export type TypedFacts = { amount: string; variables: Record<string, string> }

export const noFacts: TypedFacts = { amount: '', variables: {} }

/** The typed facts as input of the call. */
export function factsOf({ amount, variables }: TypedFacts) {
  return { amount: numberIn(amount), variables }
}

/** The facts of an earlier sending as values of the fields. */
export function typedFacts(
  facts: { amount: number | null; variables: Record<string, string> } | null | undefined,
): TypedFacts {
  if (!facts) return noFacts
  return { amount: facts.amount === null ? '' : shownAmount(facts.amount), variables: facts.variables }
}

export function RouteFactsCard({ conditions }: { conditions: Conditions }) {
  const { t } = useTexts('requests-sending')
  const form = useFormContext()
  const { asked, said, facts } = conditions
  const typed = form.values['facts'] as TypedFacts
  const change = (next: Partial<TypedFacts>) => form.set('facts', { ...typed, ...next })
  const asksKind = asked.kind && facts.kind === null
  if (!asked.amount && asked.variables.length === 0 && !asksKind) return null
  return (
    <Card title={t('facts.title')}>
      <p className={classes.quiet}>{t('facts.lead')}</p>
      <Fields>
        {asksKind && <p>{t('facts.kind')}</p>}
        {asked.amount &&
          (said.amount === null ? (
            <TextInput
              size="md"
              inputMode="decimal"
              label={t('facts.amount')}
              value={typed.amount}
              onChange={(event) => change({ amount: groupAmount(cleanAmount(event.currentTarget.value)) })}
            />
          ) : (
            <Said label={t('facts.amount')} value={shownAmount(said.amount)} />
          ))}
        {asked.variables.map((name) =>
          said.variables[name] === undefined ? (
            <TextInput
              key={name}
              size="md"
              label={name}
              maxLength={longestValue}
              value={typed.variables[name] ?? ''}
              onChange={(event) => change({ variables: { ...typed.variables, [name]: typedText(event) } })}
            />
          ) : (
            <Said key={name} label={name} value={said.variables[name]} />
          ),
        )}
      </Fields>
    </Card>
  )
}

function Said({ label, value }: { label: string; value: string }) {
  const { t } = useTexts('requests-sending')
  return (
    <div>
      <p>{label}</p>
      <p className={classes.quiet}>{t('facts.said', { value })}</p>
    </div>
  )
}
