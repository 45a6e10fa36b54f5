import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillPath, pathParameters } from './endpoint.ts'

test('values go into the path, the rest into query or body', () => {
  const input = { organizationId: 'a/b', skip: 0, take: 10, name: 'x' }
  expect(fillPath('/api/Members/:organizationId/:skip/:take', input)).toEqual({
    path: '/api/Members/a%2Fb/0/10',
    rest: { name: 'x' },
  })
})

test('a value cannot become another part of the path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const { path } = fillPath('/api/:a/:b/end', { a: value, b: ':a' })
      expect(path.split('/')).toHaveLength(5)
      expect(path).not.toMatch(/[?#]/)
      expect(decodeURIComponent(path.split('/')[2] ?? '')).toBe(value)
      expect(decodeURIComponent(path.split('/')[3] ?? '')).toBe(':a')
    }),
  )
})

test('the parameters of a path are listed in order', () => {
  expect(pathParameters('/api/x/:organizationId/:skip/:take')).toEqual(['organizationId', 'skip', 'take'])
})
