// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { render } from '../../ui/testing/render.tsx'
import { RequestStatusMark } from './request-status.tsx'

test.each([
  [requestStatuses.of('Completed'), 'status.Completed'],
  [1 << 20, 'status.unknown'],
])('the status %s is shown in words', async (status, word) => {
  const { place, unmount } = await render(<RequestStatusMark status={status} />)
  expect(place.textContent).toContain(word)
  await unmount()
})
