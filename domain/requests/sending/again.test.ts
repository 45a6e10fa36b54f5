import { describe, expect, test } from 'vitest'
import { whyNotSendAgain, type EndedRequest } from './again.ts'
import { requestStatuses } from '../status.ts'

const author = { id: 'author', organizationId: 'ours' }
const ended: EndedRequest = {
  organizationId: 'ours',
  authorId: 'author',
  status: 'Rejected',
  isFollowed: false,
}

describe('sending again', () => {
  test('is possible after a rejection and a withdrawal, and in no other status', () => {
    const possible = requestStatuses.names.filter(
      (status) => whyNotSendAgain({ ...ended, status }, author) === null,
    )
    expect(possible).toEqual(['Rejected', 'Revoked'])
  })

  test('is possible only for the author, who acts for the sender', () => {
    expect(whyNotSendAgain(ended, { ...author, id: 'owner' })).toBe('not-the-author')
    expect(whyNotSendAgain(ended, { ...author, organizationId: 'theirs' })).toBe('not-the-author')
    expect(whyNotSendAgain(ended, { ...author, organizationId: null })).toBe('not-the-author')
  })

  test('is possible once', () => {
    expect(whyNotSendAgain({ ...ended, isFollowed: true }, author)).toBe('request-sent-again')
  })
})
