/**
 * A form of an endpoint: its values are the endpoint's input, its problems the endpoint's refusals. The same schema
 * checks a field on blur and the whole form on submit; the first wrong field gets the focus.
 */
import { createContext, Fragment, use, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import type { Access, Endpoint } from '@kelisim/domain/endpoint.ts'
import { typedNumber } from '@kelisim/domain/numbers.ts'
import type * as z from 'zod/mini'
import { ApiError, call } from '../../api/api.ts'
import { showError } from '../dialogs/error-store.ts'
import { DateInput } from './date-input.tsx'
import { useDirty } from './dirty.ts'
import { dropDraft, keepDraft, readDraft } from './drafts.ts'
import classes from './fields.module.css'
import { beforeCaret, useKeptCaret } from './kept-caret.ts'
import { typedText, useLimitNote } from './typed-text.ts'

type Values = Record<string, unknown>
export type Problem = { code: string; max?: number }

export type Form<V extends Values> = {
  values: V
  set: <K extends keyof V>(name: K, value: V[K]) => void
  /** Changes several values at once; as a function it receives the current values, for callers with outdated ones. */
  change: (part: Partial<V> | ((now: V) => Partial<V>)) => void
  problems: Partial<Record<string, Problem>>
  leave: (name: string) => void
  isBusy: boolean
  isDirty: boolean
  submit: (event?: FormEvent) => Promise<void>
  reset: (values: V) => void
  /** The form began with a draft. */
  isRestored: boolean
  /** Discards the draft and resets the form to its initial values. */
  clear: () => void
  /** How often the draft was discarded; used as a key, so that fields with a state of their own start anew. */
  clearings: number
}

/** Input that the form does not show (the organisation, the id of the thing) is passed as `fixed`. */
export function useApiForm<
  V extends Values,
  A extends Access,
  I extends z.ZodMiniType,
  R extends z.ZodMiniType,
>(options: {
  /** The id of the draft; unique on its page. */
  id: string
  endpoint: Endpoint<A, I, R>
  fixed?: Values
  initial: V
  onDone: (result: z.output<R>) => void | Promise<void>
  /** Refusals that are shown at a field instead of in a dialog: alias → field. */
  fieldOf?: Partial<Record<string, keyof V & string>>
  /** Converts the values of the form to the input of the endpoint. */
  inputOf?: (values: V) => Values
  /** Handles a refusal; returns true if it did. */
  onRefusal?: (error: ApiError) => boolean
  /** False in dialogs: closing them drops what was typed without a question. */
  guardsPage?: boolean
}): Form<V> {
  const { id, endpoint, fixed, fieldOf = {}, inputOf = (given: V): Values => given } = options
  const [initial, setInitial] = useState(options.initial)
  const [values, setShown] = useState<V>(() => ({ ...options.initial, ...readDraft(id) }))
  // The current values, for callers that hold an outdated form object, such as an upload that completes late.
  const latest = useRef(values)
  const [isRestored, setRestored] = useState(JSON.stringify(values) !== JSON.stringify(initial))
  const [clearings, setClearings] = useState(0)
  const [problems, setProblems] = useState<Form<V>['problems']>({})
  const [isBusy, setBusy] = useState(false)
  const isDirty = JSON.stringify(values) !== JSON.stringify(initial)
  useDirty(isDirty && options.guardsPage !== false)

  function setValues(next: V): void {
    latest.current = next
    setShown(next)
  }

  function check(checked: V): Form<V>['problems'] {
    const parsed = endpoint.input.safeParse({ ...inputOf(checked), ...fixed })
    if (parsed.success) return {}
    const found: Form<V>['problems'] = {}
    for (const issue of parsed.error.issues) found[String(issue.path[0])] ??= problemOf(issue)
    return found
  }

  function change(given: Partial<V> | ((now: V) => Partial<V>)): void {
    const part = typeof given === 'function' ? given(latest.current) : given
    const next = { ...latest.current, ...part }
    setValues(next)
    keepDraft(id, next)
    const changed = Object.keys(part)
    setProblems((now) =>
      changed.some((name) => now[name])
        ? { ...now, ...Object.fromEntries(changed.map((name) => [name, undefined])) }
        : now,
    )
  }

  return {
    values,
    problems,
    isBusy,
    isDirty,
    // The cast is safe: TypeScript only widens the type of an object with a computed key.
    set: (name, value) => change({ [name]: value } as unknown as Partial<V>),
    change,
    leave(name) {
      // Uses the latest problems: submitting moves the focus to the first problem, so this runs after they were set.
      setProblems((now) => ({ ...now, [name]: check(latest.current)[name] }))
    },
    isRestored,
    clearings,
    clear() {
      dropDraft(id)
      setValues(initial)
      setProblems({})
      setRestored(false)
      setClearings((count) => count + 1)
    },
    reset(fresh) {
      dropDraft(id)
      setRestored(false)
      setInitial(fresh)
      setValues(fresh)
      setProblems({})
    },
    async submit(event) {
      event?.preventDefault()
      const sent = latest.current
      const found = check(sent)
      setProblems(found)
      if (Object.keys(found).length > 0) return focusFirst(found)
      setBusy(true)
      try {
        const result = await call(endpoint, { ...inputOf(sent), ...fixed } as z.input<I>)
        dropDraft(id)
        setRestored(false)
        setInitial(sent)
        await options.onDone(result)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const field = fieldOf[error.alias]
        if (field) {
          setProblems({ [field]: { code: error.alias } })
          focusFirst({ [field]: { code: error.alias } })
        } else if (error.alias === 'validation-failure') {
          setProblems(serverProblems(error))
        } else if (!options.onRefusal?.(error)) showError(error)
      } finally {
        setBusy(false)
      }
    },
  }
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  const max = issue.code === 'too_big' ? { max: Number(issue.maximum) } : {}
  return /^[a-z]+(-[a-z]+)*$/.test(issue.message)
    ? { code: issue.message, ...max }
    : { code: 'incorrect', ...max }
}

function serverProblems(error: ApiError): Partial<Record<string, Problem>> {
  const fields = error.parameters['fields'] as { path: string; code: string }[] | undefined
  return Object.fromEntries((fields ?? []).map(({ path, code }) => [path.split('.')[0]!, { code }]))
}

function focusFirst(problems: Partial<Record<string, Problem>>): void {
  const field = Object.keys(problems)
    .map((name) => document.querySelector<HTMLElement>(fieldNamed(CSS.escape(name))))
    .filter((element) => element !== null)
    .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]
  field?.focus()
}

/** Pickers have their name on a hidden input; their visible input is marked by `data-field`. */
function fieldNamed(name: string): string {
  return `[data-field="${name}"], [name="${name}"]:not([type="hidden"])`
}

// oxlint-disable-next-line typescript/no-explicit-any -- the context carries forms of any values
const FormContext = createContext<Form<any> | null>(null)

export function FormFields<V extends Values>(props: { form: Form<V>; label?: string; children: ReactNode }) {
  return (
    <form onSubmit={(event) => void props.form.submit(event)} noValidate aria-label={props.label}>
      {props.form.isRestored && <RestoredDraft onClear={props.form.clear} />}
      <FormContext value={props.form}>
        <Fragment key={props.form.clearings}>{props.children}</Fragment>
      </FormContext>
    </form>
  )
}

/** Says that a draft was restored: otherwise people would take it for the saved values. */
export function RestoredDraft({ onClear }: { onClear: () => void }) {
  const { t } = useTexts()
  return (
    <div className={classes.restored} role="status">
      <span>{t('draft.restored')}</span>
      <Button variant="subtle" size="compact-md" onClick={onClear}>
        {t('draft.clear')}
      </Button>
    </div>
  )
}

/** The problem of a field as text. */
export function useProblemText(): (problem: Problem | undefined) => string | undefined {
  const { t, find } = useTexts()
  return (problem) => {
    if (!problem) return undefined
    const { code } = problem
    return (
      find(`common:field.${code}`, problem) ?? find(`errors:${code}.text`, problem) ?? t('field.incorrect')
    )
  }
}

type FieldProps = {
  name: string
  label: string
  help?: string
  max?: number
  isRequired?: boolean
  /** The text can be read and copied, but no longer changed. */
  isReadOnly?: boolean
  /** Several lines, at first with this many rows. */
  lines?: boolean | number
  type?: 'text' | 'email' | 'tel'
  inputMode?: TextInputProps['inputMode']
  autoFocus?: boolean
  /** Transforms the typed text before it is kept (a mask). */
  shape?: (typed: string) => string
}

/** A field for text of one or several lines. A counter appears near the limit; text may not start with a space. */
export function TextField({
  name,
  label,
  help,
  max,
  isRequired,
  isReadOnly,
  lines,
  type,
  inputMode,
  autoFocus,
  shape,
}: FieldProps) {
  const form = useFormContext()
  const problemText = useProblemText()
  const limitNote = useLimitNote()
  const id = useId()
  const kept = form.values[name]
  const value = typeof kept === 'string' ? kept : ''
  const shared = {
    id,
    name,
    label,
    value,
    error: problemText(form.problems[name]),
    description: max === undefined ? help : limitNote(value, max, help),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    withAsterisk: isRequired ?? false,
    readOnly: isReadOnly ?? false,
    'data-autofocus': autoFocus || undefined,
    'aria-required': isRequired ?? false,
    onBlur: () => form.leave(name),
  }
  const { input, keep } = useKeptCaret()
  const change = (event: { currentTarget: { value: string } }) => {
    const shaped = shape ? shape(event.currentTarget.value) : typedText(event)
    form.set(name, max === undefined ? shaped : shaped.slice(0, max))
  }
  if (lines) {
    const seen = typeof lines === 'number' ? { minRows: lines } : {}
    return <Textarea {...shared} {...seen} onChange={change} />
  }
  return (
    <TextInput
      {...shared}
      type={type ?? 'text'}
      {...(inputMode && { inputMode })}
      ref={input}
      onChange={(event) => {
        if (shape) keep(shape(beforeCaret(event.currentTarget)).length)
        change(event)
      }}
    />
  )
}

export function DateField({
  name,
  label,
  help,
  isRequired,
}: Pick<FieldProps, 'name' | 'label' | 'help' | 'isRequired'>) {
  const form = useFormContext()
  const problemText = useProblemText()
  const value = form.values[name]
  return (
    <DateInput
      name={name}
      label={label}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk={isRequired ?? false}
      aria-required={isRequired ?? false}
      value={typeof value === 'string' ? value : ''}
      error={problemText(form.problems[name])}
      onChange={(typed) => form.set(name, typed)}
      onBlur={() => form.leave(name)}
    />
  )
}

/** A field for a BIN or IIN: digits only; spaces of a pasted number are removed. */
export function NumberField(props: Omit<FieldProps, 'shape' | 'inputMode' | 'type'>) {
  return <TextField {...props} inputMode="numeric" shape={typedNumber} />
}

export function SubmitButton({
  children,
  onlyWhenDirty,
  isOff,
  isQuiet,
  isDangerous,
}: {
  children: ReactNode
  onlyWhenDirty?: boolean
  /** Disabled; the reason is shown elsewhere. */
  isOff?: boolean
  /** Secondary style, if the page has a more important action. */
  isQuiet?: boolean
  /** What it does cannot be undone. */
  isDangerous?: boolean
}) {
  const form = useFormContext()
  return (
    <Button
      type="submit"
      // Keeps the focus in the field: leaving it may show its problem, which would move the button before the click.
      onMouseDown={(event) => event.preventDefault()}
      loading={form.isBusy}
      disabled={(isOff ?? false) || ((onlyWhenDirty ?? false) && !form.isDirty)}
      {...(isQuiet && { variant: 'default' })}
      {...(isDangerous && { color: 'red' })}
    >
      {children}
    </Button>
  )
}

export function useFormContext(): Form<Values> {
  const form = use(FormContext)
  if (!form) throw new Error('a field stands outside of a form')
  return form as Form<Values>
}
