import { describe, expect, it } from 'vitest'
import { canViewProfile, type ProfileViewFacts, profileViewVerdict } from './view-rules.ts'

const stranger: ProfileViewFacts = {
  isSelf: false,
  viewerRole: 'member',
  accountPrivacy: 'public',
  followStatus: 'not_following',
  hasBlocked: false,
  isBlocked: false,
}
const closed: ProfileViewFacts = { ...stranger, accountPrivacy: 'private' }
const blocked: ProfileViewFacts = { ...closed, followStatus: 'following', hasBlocked: true, isBlocked: true }

describe('the content of a profile', () => {
  it.each([
    ['a public account', stranger, 'allowed'],
    ['a public account, to a guest', { ...stranger, viewerRole: 'guest' }, 'allowed'],
    ['a private account', closed, 'private'],
    ['a private account, to a pending follower', { ...closed, followStatus: 'pending' }, 'private'],
    ['a private account, to a follower', { ...closed, followStatus: 'following' }, 'allowed'],
    ['whoever blocked the viewer', { ...stranger, isBlocked: true }, 'isBlocked'],
    ['whom the viewer blocked', { ...stranger, hasBlocked: true }, 'hasBlocked'],
    ['a followed account across a block', blocked, 'hasBlocked'],
    ['oneself', { ...blocked, isSelf: true }, 'allowed'],
    ['anybody, to a root admin', { ...blocked, viewerRole: 'rootadmin' }, 'allowed'],
  ] as const)('[POST-19] of %s', (_, facts, verdict) => {
    expect(profileViewVerdict(facts)).toBe(verdict)
    expect(canViewProfile(facts)).toBe(verdict === 'allowed')
  })
})
