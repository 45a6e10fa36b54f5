// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { loadTexts } from '../../i18n/language.ts'
import { button, click, render, type } from '../../ui/testing/render.tsx'
import type { RequestView } from '../shared/request-view.ts'
import { ProposeButton } from './propose-button.tsx'

let shown: Awaited<ReturnType<typeof render>> | null = null

afterEach(async () => {
  await shown?.unmount()
  shown = null
})

test('the note to a proposal starts without a space and shows how many characters are left near its limit', async () => {
  await loadTexts('requests', 'documents')
  const request = { id: '1', acts: [{ act: 'propose', pointId: '1' }] } as RequestView
  const requestKey = { organizationId: '1', signingRequestId: '1' }
  shown = await render(<ProposeButton request={request} requestKey={requestKey} onKept={() => {}} />)
  await click(button(shown.place, 'Вернуть с предложением'))
  const note = document.querySelector('textarea')!
  const dialog = note.closest('[role="dialog"]')!
  await type(note, `  ${'а'.repeat(449)}`)
  expect(note.value).toBe('а'.repeat(449))
  expect(dialog.textContent).not.toContain('Осталось')
  await type(note, 'а'.repeat(450))
  expect(dialog.textContent).toContain('Осталось знаков: 50')
})
