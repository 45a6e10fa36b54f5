// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { loadTexts } from '../i18n/language.ts'
import { WorkplaceProvider, type Workplace } from '../shell/session/session.ts'
import { button, click, render, texts, type, until } from '../ui/testing/render.tsx'
import type { RouteRow } from './editor/route-view.ts'
import { MakeDialog } from './route-acts.tsx'

const id = '0198a000-0000-7000-8000-000000000001'
const workplace = { session: { rolesIn: {} }, organization: { Id: id } } as Workplace
const row = { id, name: 'Договоры', visibilityScope: 1 } as RouteRow

let shown: Awaited<ReturnType<typeof render>> | null = null

afterEach(async () => {
  await shown?.unmount()
  shown = null
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

/** Opens the dialog that copies a route, with a server that answers with this refusal. */
async function copying(alias: string, parameters: object) {
  const body = {
    ClassName: 'CustomValidationException',
    Type: 'Test',
    ExceptionData: { Alias: alias, Parameters: parameters },
    Message: '',
  }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status: 409 }))
  await loadTexts('routes')
  shown = await render(
    <WorkplaceProvider value={workplace}>
      <MakeDialog kind="route" isOpen subject={{ row, makes: 'route' }} close={() => {}} />
    </WorkplaceProvider>,
  )
  const dialog = document.querySelector<HTMLElement>('[role="dialog"]')!
  await click(dialog.querySelector('button[type="submit"]'))
  return dialog
}

test('the dialog of a route that cannot be copied shows every reason', async () => {
  const dialog = await copying('unsuccessful_point_state', {
    pointIds: [id],
    faults: [
      { fault: 'unsuccessful_point_state', pointIds: [id] },
      { fault: 'receiver-paused', pointIds: [id] },
    ],
  })
  await until(() => {
    const reasons = texts(dialog, '[role="alert"] p')
    expect(reasons).toHaveLength(2)
    expect(reasons[1]).toContain('приём')
  })
  expect(button(dialog, 'Копировать')?.disabled).toBe(false)
  // Changing the name hides the refusal of the previous attempt.
  await type(dialog.querySelector('input[name="name"]'), 'Другие')
  expect(texts(dialog, '[role="alert"]')).toEqual([])
})

test('the dialog also shows the reason of a refusal that names no points', async () => {
  const dialog = await copying('forbidden_external_point_by_options', {})
  await until(() => expect(texts(dialog, '[role="alert"] p')).toHaveLength(1))
})
