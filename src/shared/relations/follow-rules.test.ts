import { describe, expect, it } from 'vitest'
import { followVerdict } from './follow-rules.ts'

const attempt = {
  isRequest: false,
  isSelf: false,
  target: { isGuest: false, accountPrivacy: 'public' },
  isBlocked: false,
} as const

describe('the verdict on a follow', () => {
  it('[REL-24] follows a public account directly and asks a private one', () => {
    const target = { isGuest: false, accountPrivacy: 'private' } as const
    expect(followVerdict(attempt)).toEqual({ status: 'following' })
    expect(followVerdict({ ...attempt, target, isRequest: true })).toEqual({ status: 'pending' })
  })

  it.each([
    ['isPrivate', { target: { isGuest: false, accountPrivacy: 'private' } }],
    ['isPublic', { isRequest: true }],
    ['isGuest', { target: { isGuest: true, accountPrivacy: 'public' } }],
    ['isBlocked', { isBlocked: true }],
    ['isSelf', { isSelf: true, isBlocked: true }],
  ] as const)('[REL-24] [REL-25] refuses with %s', (refused, change) => {
    expect(followVerdict({ ...attempt, ...change })).toEqual({ refused })
  })
})
