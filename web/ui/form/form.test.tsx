// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addClassifier } from '@kelisim/domain/classifiers/contract.ts'
import { saveCard } from '@kelisim/domain/portal/contract.ts'
import { hideError, shownError } from '../dialogs/error-store.ts'
import { button, click, fire, render, type, until } from '../testing/render.tsx'
import { isDirty } from './dirty.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { FormFields, NumberField, SubmitButton, TextField, useApiForm } from './form.tsx'
import { isNearLimit } from './typed-text.ts'

const organizationId = '5f0d7a3e-1b7c-4e0a-9f0d-0a1b2c3d4e5f'
const draft = 'classifier'

function NameForm({ isGuarding = true }: { isGuarding?: boolean }) {
  const [done, setDone] = useState('')
  const form = useApiForm({
    id: draft,
    endpoint: addClassifier,
    fixed: { organizationId },
    initial: { name: '' },
    fieldOf: { 'classificator-name-already-in-use': 'name' },
    guardsPage: isGuarding,
    onDone: ({ name }) => setDone(name),
  })
  return (
    <FormFields form={form} label="Классификатор">
      <TextField name="name" label="Название" max={256} isRequired />
      <SubmitButton onlyWhenDirty>Сохранить</SubmitButton>
      <button type="button" onClick={() => form.reset({ name: 'Сначала' })}>
        Сбросить
      </button>
      <output>{done}</output>
    </FormFields>
  )
}

/** Changes a value through an outdated form object, as an upload does when it completes. */
function LateForm() {
  const form = useApiForm({
    id: draft,
    endpoint: addClassifier,
    fixed: { organizationId },
    initial: { name: '' },
    onDone: () => {},
  })
  const [first] = useState(form)
  return (
    <FormFields form={form} label="Классификатор">
      <TextField name="name" label="Название" max={256} isRequired />
      <SubmitButton>Сохранить</SubmitButton>
      <button type="button" onClick={() => first.change(({ name }) => ({ name: name || 'Из файла' }))}>
        Загружено
      </button>
    </FormFields>
  )
}

type Reply = { status: number; body: unknown }

/** The calls that were made, and how each is answered. */
let calls: { url: string; body: unknown }[] = []
let answer: () => Promise<Reply> = () => Promise.resolve(made('Договоры'))

function made(name: string): Reply {
  return { status: 200, body: { name } }
}

function refused(alias: string, parameters: object = {}, status = 400): Reply {
  return {
    status,
    body: {
      Message: alias,
      ClassName: 'ClientException',
      ExceptionData: { Alias: alias, Parameters: parameters },
    },
  }
}

let shown: Awaited<ReturnType<typeof render>> | undefined

async function show(element = <NameForm />) {
  shown = await render(element)
  const { place } = shown
  return {
    place,
    field: () => place.querySelector<HTMLInputElement>('input[name="name"]')!,
    save: () => button(place, 'Сохранить')!,
    done: () => place.querySelector('output')!.textContent,
  }
}

beforeEach(() => {
  sessionStorage.clear()
  calls = []
  answer = () => Promise.resolve(made('Договоры'))
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    calls.push({ url, body: JSON.parse(body) })
    const { status, body: reply } = await answer()
    return new Response(JSON.stringify(reply), { status })
  })
})

afterEach(async () => {
  await shown?.unmount()
  hideError()
  vi.unstubAllGlobals()
})

test('submit sends the typed and the fixed values and drops the draft', async () => {
  const { field, save, done } = await show()
  await type(field(), 'Договоры')
  await click(save())
  await until(() => {
    expect(calls).toEqual([{ url: `/api/Classificators/${organizationId}`, body: { name: 'Договоры' } }])
    expect(done()).toBe('Договоры')
    expect(readDraft(draft)).toBeNull()
    expect(isDirty()).toBe(false)
  })
})

test('a wrong field shows its problem and gets the focus, and nothing is sent', async () => {
  const { place, field, save } = await show()
  await type(field(), 'Договоры')
  await type(field(), '')
  // The button is disabled, because nothing differs from the beginning; the submit event is what Enter causes.
  expect(save().disabled).toBe(true)
  await fire(place.querySelector('form'), new Event('submit', { bubbles: true, cancelable: true }))
  expect(place.textContent).toContain('Обязательное поле')
  expect(document.activeElement).toBe(field())
  expect(calls).toEqual([])
  await type(field(), 'Д')
  expect(place.textContent).not.toContain('Обязательное поле')
})

test('a field is checked on blur', async () => {
  const { place, field } = await show()
  await fire(field(), new FocusEvent('focusout', { bubbles: true }))
  expect(place.textContent).toContain('Обязательное поле')
})

test('a value that arrives late removes the problem of its field, and nothing that was typed meanwhile', async () => {
  const { place, field, save } = await show(<LateForm />)
  await click(save())
  expect(place.textContent).toContain('Обязательное поле')
  await click(button(place, 'Загружено'))
  expect(field().value).toBe('Из файла')
  expect(place.textContent).not.toContain('Обязательное поле')
  await type(field(), 'Своё')
  await click(button(place, 'Загружено'))
  expect(field().value).toBe('Своё')
})

test('a refusal that concerns a field is shown at the field, and the values are kept', async () => {
  answer = () => Promise.resolve(refused('classificator-name-already-in-use'))
  const { place, field, save, done } = await show()
  await type(field(), 'Договоры')
  await click(save())
  await until(() => {
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(field().value).toBe('Договоры')
    expect(readDraft(draft)).toEqual({ name: 'Договоры' })
    expect(document.activeElement).toBe(field())
    expect(shownError()).toBeNull()
    expect(done()).toBe('')
    expect(isDirty()).toBe(true)
    expect(place.querySelector('[class*="error"]')?.textContent).not.toBe('')
  })
})

test('validation problems of the server are shown at their fields', async () => {
  answer = () =>
    Promise.resolve(refused('validation-failure', { fields: [{ path: 'name', code: 'no-links' }] }))
  const { place, field, save } = await show()
  await type(field(), 'kelisim.kz')
  await click(save())
  await until(() => {
    expect(place.textContent).toContain('В названии не может быть ссылки')
  })
})

test('any other refusal is shown in the error dialog, and the values are kept', async () => {
  answer = () => Promise.resolve(refused('request-changed', {}, 409))
  const { field, save } = await show()
  await type(field(), 'Договоры')
  await click(save())
  await until(() => {
    expect(shownError()?.alias).toBe('request-changed')
    expect(field().value).toBe('Договоры')
    expect(save().disabled).toBe(false)
  })
})

test('while a form is being sent it cannot be sent again', async () => {
  let reply: (reply: Reply) => void = () => {}
  answer = () => new Promise((resolve) => (reply = resolve))
  const { field, save, done } = await show()
  await type(field(), 'Договоры')
  await click(save())
  await click(save())
  expect(calls).toHaveLength(1)
  reply(made('Договоры'))
  await until(() => {
    expect(done()).toBe('Договоры')
  })
})

test('the page is dirty while the values differ from the initial ones', async () => {
  const { field, save } = await show()
  expect([isDirty(), save().disabled]).toEqual([false, true])
  await type(field(), 'Д')
  expect([isDirty(), save().disabled]).toEqual([true, false])
  await type(field(), '')
  expect([isDirty(), save().disabled]).toEqual([false, true])
})

test('a form in a dialog does not make the page dirty', async () => {
  const { field, save } = await show(<NameForm isGuarding={false} />)
  await type(field(), 'Д')
  expect([isDirty(), save().disabled]).toEqual([false, false])
})

test('a draft is restored after the page was left without saving', async () => {
  const first = await show()
  await type(first.field(), 'Договоры')
  await shown?.unmount()
  const second = await show()
  expect(second.field().value).toBe('Договоры')
  expect(isDirty()).toBe(true)
})

test('reset replaces the values and drops the draft', async () => {
  const { place, field, save } = await show()
  await type(field(), 'Договоры')
  await click(button(place, 'Сбросить'))
  expect(field().value).toBe('Сначала')
  expect(save().disabled).toBe(true)
  expect(readDraft(draft)).toBeNull()
})

test('leading spaces are removed, text ends at the limit, and a counter appears near it', async () => {
  const { place, field } = await show()
  await type(field(), '  Договоры')
  expect(field().value).toBe('Договоры')
  expect(place.textContent).not.toContain('Осталось знаков')
  await type(field(), 'я'.repeat(250))
  expect(place.textContent).toContain('Осталось знаков: 6')
  await type(field(), 'я'.repeat(300))
  expect(field().value).toHaveLength(256)
})

test.each([
  { max: 5, first: 4 },
  { max: 20, first: 18 },
  { max: 100, first: 90 },
  { max: 200, first: 180 },
  { max: 1000, first: 900 },
])('the counter of a field for $max characters appears at $first', ({ max, first }) => {
  expect(isNearLimit(0, max)).toBe(false)
  expect(isNearLimit(first - 1, max)).toBe(false)
  expect(isNearLimit(first, max)).toBe(true)
  expect(isNearLimit(max, max)).toBe(true)
})

function DigitsForm() {
  const form = useApiForm({
    id: 'digits',
    endpoint: addClassifier,
    fixed: { organizationId },
    initial: { name: '' },
    onDone: () => {},
  })
  return (
    <FormFields form={form}>
      <NumberField name="name" label="БИН" />
    </FormFields>
  )
}

test('a number field keeps twelve digits and removes pasted spaces', async () => {
  const { field } = await show(<DigitsForm />)
  await type(field(), '1234 5678 9012 99')
  expect(field().value).toBe('123456789012')
})

function CardForm() {
  const form = useApiForm({
    id: 'card',
    endpoint: saveCard,
    fixed: { organizationId, currentVersion: 1 },
    initial: { shortName: '', fullName: '', address: '', phone: '', email: '' },
    onDone: () => {},
  })
  return (
    <FormFields form={form} label="Карточка">
      <TextField name="shortName" label="Название" max={250} isRequired />
      <TextField name="email" label="Почта" max={254} />
      <SubmitButton>Сохранить</SubmitButton>
    </FormFields>
  )
}

test('problems found by submitting stay when the focus goes to the first of them', async () => {
  const { place } = await show(<CardForm />)
  const email = place.querySelector<HTMLInputElement>('[name=email]')!
  email.focus()
  await fire(place.querySelector('form'), new Event('submit', { bubbles: true, cancelable: true }))
  expect(document.activeElement).toBe(place.querySelector('[name=shortName]'))
  expect(place.textContent).toContain('Обязательное поле')
})

test('pressing the button takes the focus from no field, so that no problem moves the button before it is released', async () => {
  const { place } = await show(<CardForm />)
  const pressed = new MouseEvent('mousedown', { bubbles: true, cancelable: true })
  await fire(button(place, 'Сохранить'), pressed)
  expect(pressed.defaultPrevented).toBe(true)
})

test('a restored draft is announced, and can be cleared', async () => {
  keepDraft(draft, { name: 'Приказы' })
  const { place, field } = await show()
  expect(place.textContent).toContain('Восстановлен черновик')
  expect(field().value).toBe('Приказы')
  await click(button(place, 'Очистить'))
  expect(place.textContent).not.toContain('Восстановлен черновик')
  expect(field().value).toBe('')
  expect(readDraft(draft)).toBeNull()
})

test('a form without a draft announces none', async () => {
  const { place } = await show()
  expect(place.textContent).not.toContain('Восстановлен черновик')
})

test('a value that arrives late, such as an upload, changes nothing that was typed meanwhile', async () => {
  function SlowForm() {
    const form = useApiForm({
      id: draft,
      endpoint: addClassifier,
      fixed: { organizationId },
      initial: { name: '', file: '' },
      onDone: () => {},
    })
    // The form object of the first render, which an upload that began then still holds.
    const [begun] = useState(() => form)
    return (
      <FormFields form={form}>
        <TextField name="name" label="Название" max={256} />
        <SubmitButton>Сохранить</SubmitButton>
        <button type="button" onClick={() => begun.set('file', 'устав.pdf')}>
          Пришло
        </button>
        <output>{form.values.file}</output>
      </FormFields>
    )
  }
  const { place, field, save, done } = await show(<SlowForm />)
  await type(field(), 'Договоры')
  await click(button(place, 'Пришло'))
  expect([field().value, done()]).toEqual(['Договоры', 'устав.pdf'])
  expect(readDraft(draft)).toEqual({ name: 'Договоры', file: 'устав.pdf' })
  await click(save())
  await until(() => calls.length === 1)
  expect(calls[0]!.body).toMatchObject({ name: 'Договоры' })
})
