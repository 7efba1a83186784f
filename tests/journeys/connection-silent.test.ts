import { describe, expect } from 'vitest'
import { CONNECT_TIMEOUT_MS } from '../../src/shared/text/limits.ts'
import { makeRootAdmin } from '../site.ts'
import { CUT, cutLine, isTold, lineJourney, messagesOf, named } from './connection.ts'

/** Longer than any line is silent that still lives. */
const NIGHT_MS = 8 * 60 * 60_000

describe('a line that nobody closed', () => {
  lineJourney(
    '[LIVE-36] [CHAT-14] swallows what is said: it goes out on the next line, and arrives once though the old one brings it too',
    async ({ site, network, desktop }) => {
      const name = named('Yutulan')
      const writer = await desktop({ baseURL: network.url })
      await writer.page.clock.install()
      await writer.signIn(name, await makeRootAdmin(site, name))
      writer.errors.expect(cutLine)
      const words = `Boşluğa ${name}`

      network.hold()
      await writer.say(words)
      await writer.bubble(words, 'pending').waitFor()
      await writer.page.clock.fastForward(CONNECT_TIMEOUT_MS)
      await isTold(writer, CUT)
      await writer.bubble(words, 'pending').waitFor()
      expect(messagesOf(site)).not.toContain(words)

      network.mend()
      await writer.page.clock.fastForward(6_000)
      await writer.reads(words)
      expect(messagesOf(site).filter((content) => content === words)).toHaveLength(1)
      expect((await writer.thread()).filter((content) => content === words)).toHaveLength(1)
    },
  )

  lineJourney(
    '[LIVE-36] is noticed by a phone that has changed its network, within seconds',
    async ({ site, network, phone, desktop }) => {
      const [name, other] = [named('Gezgin'), named('Oturan')]
      const away = await (await phone({ baseURL: network.url })).signIn(name, await makeRootAdmin(site, name))
      const there = await (await desktop()).signIn(other, await makeRootAdmin(site, other))
      away.errors.expect(cutLine)

      network.change()
      await away.page.context().setOffline(true)
      await away.say(`Yoldan ${name}`)
      await there.say(`Yoldayken ${name}`)
      await there.reads(`Yoldayken ${name}`)
      await away.bubble(`Yoldan ${name}`, 'pending').waitFor()
      await away.page.context().setOffline(false)

      for (const visitor of [away, there]) {
        await visitor.reads(`Yoldan ${name}`)
        expect((await visitor.thread()).slice(-2)).toEqual([`Yoldayken ${name}`, `Yoldan ${name}`])
      }
    },
  )

  lineJourney(
    '[LIVE-36] is left by a laptop that slept, which comes back to what was said meanwhile, in order',
    async ({ site, network, desktop }) => {
      const [name, other] = [named('Uyuyan'), named('Uyanık')]
      const sleeper = await desktop({ baseURL: network.url })
      await sleeper.page.clock.install()
      await sleeper.enterAsGuest(name)
      sleeper.errors.expect(cutLine)
      await sleeper.composer.fill('uykudan önce')
      const awake = await (await desktop()).signIn(other, await makeRootAdmin(site, other))

      const browser = await sleeper.page.context().newCDPSession(sleeper.page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      network.change()
      const said = [1, 2, 3].map((count) => `Gece ${count} ${name}`)
      for (const words of said) await awake.say(words)
      await awake.reads(said.at(-1) ?? '')
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      // As Playwright has it: what a lid does that is closed and opened.
      await sleeper.page.clock.fastForward(NIGHT_MS)
      await isTold(sleeper, CUT)
      await sleeper.page.clock.fastForward(6_000)
      await sleeper.reads(said.at(-1) ?? '')
      expect((await sleeper.thread()).slice(-3)).toEqual(said)
      expect(await sleeper.composer.inputValue()).toBe('uykudan önce')
    },
  )
})
