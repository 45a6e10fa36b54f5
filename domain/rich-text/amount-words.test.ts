import { describe, expect, test } from 'vitest'
import { wordsAfter } from './amount-words.ts'

const sum = (value: string) => ({ name: 'Сумма', type: 'number', value }) as const
const words = (value: string, name = 'Сумма прописью') => ({ name, type: 'text', value }) as const

describe('the amount in words', () => {
  test('follows the number beside it', () => {
    expect(wordsAfter([sum(''), words('')], { name: 'Сумма', value: '2' })).toEqual([
      { name: 'Сумма прописью', value: 'два тенге 00 тиынов' },
    ])
    expect(wordsAfter([sum('2'), words('два тенге 00 тиынов')], { name: 'Сумма', value: '21' })).toEqual([
      { name: 'Сумма прописью', value: 'двадцать один тенге 00 тиынов' },
    ])
  })

  test('is in Kazakh if the name of its variable is', () => {
    const kazakh = words('', 'Сома сөзбен')
    expect(wordsAfter([sum(''), kazakh], { name: 'Сумма', value: '5' })).toEqual([
      { name: 'Сома сөзбен', value: 'бес теңге 00 тиын' },
    ])
  })

  test('stays as somebody wrote it, and is empty without an amount', () => {
    expect(wordsAfter([sum('2'), words('две сотни')], { name: 'Сумма', value: '3' })).toEqual([])
    expect(wordsAfter([sum('2'), words('два тенге 00 тиынов')], { name: 'Сумма', value: '' })).toEqual([
      { name: 'Сумма прописью', value: '' },
    ])
  })

  test('belongs, among several numbers, to the one whose name its own name begins with', () => {
    const advance = { name: 'Аванс', type: 'number', value: '' } as const
    const variables = [sum(''), advance, words('', 'Аванс прописью'), words('', 'Всего прописью')]
    expect(wordsAfter(variables, { name: 'Аванс', value: '1' })).toEqual([
      { name: 'Аванс прописью', value: 'один тенге 00 тиынов' },
    ])
    expect(wordsAfter(variables, { name: 'Сумма', value: '1' })).toEqual([])
  })
})
