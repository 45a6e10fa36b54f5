import { expect, test } from 'vitest'
import { filesOfCheckPage } from './build-offline.ts'

type Output = Parameters<typeof filesOfCheckPage>[0]

const chunk = (fileName: string, more: object = {}) => ({
  type: 'chunk',
  fileName,
  imports: [],
  dynamicImports: [],
  facadeModuleId: null,
  code: '',
  ...more,
})
const asset = (fileName: string, source = '') => ({ type: 'asset', fileName, source })

test('the offline files are all that the check page loads, also later, and none of other pages', () => {
  const output = [
    asset('verify.html', '<script src="/assets/verify-1.js"></script><link href="/assets/verify-1.css">'),
    asset('index.html', '<script src="/assets/index-1.js"></script>'),
    chunk('assets/index-1.js'),
    chunk('assets/verify-1.js', {
      imports: ['assets/shared-1.js'],
      dynamicImports: ['assets/result-1.js', 'assets/ru-verify-1.js', 'assets/ru-points-1.js'],
    }),
    chunk('assets/shared-1.js'),
    chunk('assets/result-1.js', { code: 'new Worker("/assets/check-worker-1.js"); "/assets/pdf/font.ttf"' }),
    chunk('assets/ru-verify-1.js', { facadeModuleId: '/src/texts/ru/verify.json' }),
    chunk('assets/ru-points-1.js', { facadeModuleId: '/src/texts/ru/points.json' }),
    asset('assets/check-worker-1.js'),
    asset('assets/pdf/font.ttf'),
    asset('assets/verify-1.css', 'url(golos-text-latin-400-1.woff2) url(golos-text-hebrew-400-1.woff2)'),
    asset('assets/golos-text-latin-400-1.woff2'),
    asset('assets/golos-text-hebrew-400-1.woff2'),
  ] as unknown as Output
  expect(filesOfCheckPage(output)).toEqual([
    'assets/check-worker-1.js',
    'assets/golos-text-latin-400-1.woff2',
    'assets/result-1.js',
    'assets/ru-verify-1.js',
    'assets/shared-1.js',
    'assets/verify-1.css',
    'assets/verify-1.js',
  ])
})

test('a build without the check page is an error', () => {
  expect(() => filesOfCheckPage([])).toThrow('no check page')
})
