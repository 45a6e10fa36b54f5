// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { loadTexts } from '../../i18n/language.ts'
import type { EditorPoint } from '../../routes/editor/editor-point.ts'
import { WorkplaceProvider, type Workplace } from '../../shell/session/session.ts'
import { keepDraft } from '../../ui/form/drafts.ts'
import { click, render, texts, until } from '../../ui/testing/render.tsx'
import type { RequestView } from '../shared/request-view.ts'
import { StepsForm } from './steps-form.tsx'

const id = '0198a000-0000-7000-8000-000000000001'
const workplace = {
  session: { rolesIn: {} },
  organization: { Id: id },
  options: { allowed: {} },
} as Workplace
const request = { id, points: [] as RequestView['points'], currentVersion: 1 } as RequestView
const added: EditorPoint = {
  pointId: id,
  name: 'Бухгалтерия',
  type: 'InternalApprove',
  scope: 'common',
  isActive: true,
  organizationId: id,
  who: 'Бухгалтерия',
  bin: '',
  condition: null,
  termDays: null,
  escalation: null,
}

let shown: Awaited<ReturnType<typeof render>> | null = null

afterEach(async () => {
  await shown?.unmount()
  shown = null
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

test('the reason is shown beside the steps that the server refuses', async () => {
  const refusal = {
    ClassName: 'CustomValidationException',
    Type: 'Test',
    ExceptionData: { Alias: 'unsuccessful_point_state', Parameters: { pointIds: [id] } },
    Message: '',
  }
  const trial = { refusals: [], added: [], removed: [], isReordered: false, leaving: [], isSigned: false }
  const responseTo = (path: string) => {
    if (path.endsWith('/steps')) return new Response(JSON.stringify(refusal), { status: 409 })
    const isTrial = path.endsWith('/steps-trial')
    return new Response(JSON.stringify(isTrial ? trial : { items: [], totalCount: 0 }))
  }
  vi.stubGlobal('fetch', async (path: string) => responseTo(path))
  await loadTexts('requests', 'routes', 'points')
  keepDraft('steps', { comment: 'Нужна бухгалтерия', steps: [[added]] })
  shown = await render(
    <WorkplaceProvider value={workplace}>
      <StepsForm
        request={request}
        requestKey={{ organizationId: id, signingRequestId: id }}
        draft="steps"
        onKept={() => {}}
        onClose={() => {}}
      />
    </WorkplaceProvider>,
  )
  const { place } = shown
  await click(place.querySelector('button[type="submit"]'))
  await until(() => {
    expect(texts(place, '[role="alert"] p')).toEqual([expect.stringContaining('В группе точки никого нет')])
  })
})
