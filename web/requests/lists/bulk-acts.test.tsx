// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { loadTexts } from '../../i18n/language.ts'
import { WorkplaceProvider, type Workplace } from '../../shell/session/session.ts'
import { click, render, type } from '../../ui/testing/render.tsx'
import { BulkActs } from './bulk-acts.tsx'
import type { Line } from './list-line.ts'

let shown: Awaited<ReturnType<typeof render>> | null = null

afterEach(async () => {
  await shown?.unmount()
  shown = null
})

test('the comment on several requests shows how many characters are left near its limit', async () => {
  await loadTexts('requests-lists')
  const workplace = { session: { rolesIn: {} }, organization: { Id: '1' } } as Workplace
  const line = { id: '1', name: 'Договор', acts: [{ act: 'approve', pointId: '1' }] } as Line
  shown = await render(
    <WorkplaceProvider value={workplace}>
      <BulkActs lines={[line]} />
    </WorkplaceProvider>,
  )
  await click(shown.place.querySelector('button'))
  const comment = document.querySelector('textarea')!
  const dialog = comment.closest('[role="dialog"]')!
  await type(comment, 'а'.repeat(1799))
  expect(dialog.textContent).not.toContain('Осталось')
  await type(comment, 'а'.repeat(1800))
  expect(dialog.textContent).toContain('Осталось знаков: 200')
})
