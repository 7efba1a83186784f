import { describe, expect, it } from 'vitest'
import { PRIVACY_DEFAULTS, type Privacy, type PrivacySettings } from '../settings/rules.ts'
import { type ContactChannel, type ContactFacts, contactRefusalText, contactVerdict } from './contact-rules.ts'

const channels: ContactChannel[] = ['message', 'messageImage', 'messageAudio', 'voiceCall', 'videoCall']
const everywhere = (privacy: Privacy): PrivacySettings => ({
  ...PRIVACY_DEFAULTS,
  ...Object.fromEntries(channels.map((channel) => [`${channel}Privacy`, privacy])),
})
const facts: ContactFacts = {
  isSelf: false,
  senderRole: 'member',
  recipientPrivacy: everywhere('everyone'),
  senderFollows: false,
  recipientFollows: false,
  hasBlocked: false,
  isBlocked: false,
}

describe('the verdict on contact', () => {
  it.each(channels)('[REL-32] decides %s by its own privacy setting', (channel) => {
    const decide = (privacy: Privacy, change: Partial<ContactFacts> = {}) =>
      contactVerdict(channel, { ...facts, recipientPrivacy: everywhere(privacy), ...change })
    expect(decide('everyone')).toBe('allowed')
    expect(decide('nobody', { senderFollows: true, recipientFollows: true })).toBe('nobody')
    expect(decide('followers', { recipientFollows: true })).toBe('followers')
    expect(decide('followers', { senderFollows: true })).toBe('allowed')
    expect(decide('following', { senderFollows: true })).toBe('following')
    expect(decide('following', { recipientFollows: true })).toBe('allowed')
    const others = { ...everywhere('nobody'), [`${channel}Privacy`]: 'everyone' }
    expect(contactVerdict(channel, { ...facts, recipientPrivacy: others })).toBe('allowed')
  })

  it.each(channels)('[REL-33] refuses %s across a block in either direction, and to oneself', (channel) => {
    expect(contactVerdict(channel, { ...facts, hasBlocked: true, senderFollows: true })).toBe('hasBlocked')
    expect(contactVerdict(channel, { ...facts, isBlocked: true })).toBe('isBlocked')
    expect(contactVerdict(channel, { ...facts, isSelf: true, senderRole: 'rootadmin' })).toBe('self')
  })

  it.each(channels)('[REL-34] allows root admins %s across privacy and blocks', (channel) => {
    const closed = { ...facts, recipientPrivacy: everywhere('nobody'), hasBlocked: true, isBlocked: true }
    expect(contactVerdict(channel, { ...closed, senderRole: 'rootadmin' })).toBe('allowed')
  })

  it('[REL-35] has a sentence for each refusal', () => {
    const texts = channels.flatMap((channel) =>
      (['nobody', 'followers', 'following'] as const).map((refusal) => contactRefusalText(channel, refusal)),
    )
    expect(new Set(texts).size).toBe(15)
    expect(contactRefusalText('messageImage', 'nobody')).toBe('Bu kişi hiçkimseden resim veya video almak istemiyor.')
    expect(contactRefusalText('messageAudio', 'nobody')).toBe('Bu kişi hiçkimseden ses kaydı almak istemiyor.')
    expect(contactRefusalText('message', 'followers')).toMatch(/^Mesaj izniniz yok/)
    expect(contactRefusalText('voiceCall', 'nobody')).toMatch(/^Sesli arama yapmak için izniniz yok\. /)
    expect(contactRefusalText('videoCall', 'following')).toMatch(/^Video araması yapmak için izniniz yok\. /)
    expect(contactRefusalText('message', 'self')).toBe('Kendinize mesaj gönderemezsiniz')
    expect(contactRefusalText('voiceCall', 'self')).toBe('Kendini arayamazsın')
    expect(contactRefusalText('message', 'hasBlocked')).toBe('Kullanıcıyı engellediniz')
    expect(contactRefusalText('message', 'isBlocked')).toBe('Kullanıcı sizi engelledi')
  })
})
