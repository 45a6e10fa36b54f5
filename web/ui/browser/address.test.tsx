// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { render } from '../testing/render.tsx'
import { useAddress } from './address.ts'

function Shown() {
  return <pre>{JSON.stringify(useAddress().search)}</pre>
}

async function searchAt(address: string): Promise<unknown> {
  const { place, unmount } = await render(<Shown />, address)
  const search: unknown = JSON.parse(place.querySelector('pre')!.textContent)
  await unmount()
  return search
}

test.each([
  ['?page=2&name=акт', { page: 2, name: 'акт' }],
  ['?sort=1&take=5000&page=-1', {}],
  ['?name=a&name=b&returnUri=/a&returnUri=/b&sort=-name&sort=date', {}],
  ['?documents=7&unknown=1', {}],
])('a page at %s gets %j', async (address, expected) => {
  expect(await searchAt(`/${address}`)).toEqual(expected)
})

test.each(['document.', 'request.', 'proposal.'])('a file %s… can be compared', async (kind) => {
  const after = `${kind}0190a7c2-7b6a-7c3e-9a51-0d2f5b8c1e11.1`
  expect(await searchAt(`/?after=${after}`)).toEqual({ after })
})
