import { describe, expect, it } from 'vitest'
import { readConfig } from '../../kernel/config.ts'
import { legalPageProps } from './legal-page-props.ts'

const props = (environment: NodeJS.ProcessEnv = {}) => legalPageProps(readConfig(environment))
const textOf = ({ sections }: ReturnType<typeof props>['privacy']): string =>
  sections.flatMap(({ title, points }) => [title, ...points]).join('\n')

describe('the public pages', () => {
  it('[LEGAL-02] name the times and the cookies that the site uses', () => {
    const text = textOf(props({ MEYDAN_ROOM_MESSAGES_DAYS: '42' }).privacy)
    expect(text).toContain('gönderdiğin dosyalar: 42 gün')
    expect(text).not.toMatch(/undefined|NaN|\d\.\d/)
    for (const cookie of ['meydan_session', 'meydan_browser', 'meydan_device', 'meydan_admin', 'theme'])
      expect(text).toContain(`${cookie}:`)
  })

  it('[LEGAL-03] show the address of the owner, or how to reach a root admin without one', () => {
    const named = props({ MEYDAN_CONTACT: 'iletisim@meydan.example', MEYDAN_OWNER: 'Örnek Derneği' })
    expect(named.contact.contact).toBe('iletisim@meydan.example')
    expect(textOf(named.contact)).toContain('Bu siteyi Örnek Derneği işletir.')
    const unnamed = props()
    expect([unnamed.contact.contact, unnamed.privacy.contact]).toEqual([null, null])
    expect(textOf(unnamed.contact)).toContain('henüz bir e-posta adresi yayımlamadı')
    expect(() => props({ MEYDAN_CONTACT: 'kimse' })).toThrow('MEYDAN_CONTACT should be an e-mail address')
  })
})
