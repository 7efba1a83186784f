import { beforeAll, describe, expect, it } from 'vitest'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { MAX_MESSAGE_LENGTH } from '../../src/shared/text/limits.ts'
import { enterAsGuest, granted, LiveLine, signIn } from '../live-line.ts'
import { makeRootAdmin, type Site, startSite } from '../site.ts'

/** Three bytes a letter, so that the systems' own buffers between the two ends are full soon. */
const LONG = '字'.repeat(MAX_MESSAGE_LENGTH)

const AT_ONCE = 16

async function enterRoom(site: Site, token: string): Promise<LiveLine> {
  const { line } = await LiveLine.open(site.origin, token)
  granted(await line.ask('joinRoom', { roomId: 1 }))
  return line
}

async function openConnections(site: Site): Promise<number> {
  const metrics = await (await fetch(`${site.origin}/metrics`)).text()
  return Number(/^meydan_connections (\d+)$/m.exec(metrics)?.[1])
}

describe('a reader that never reads', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
    return () => site.stop()
  })

  it('[LIVE-25] is cut off while the others go on talking', async () => {
    const password = await makeRootAdmin(site, 'Konuşan')
    const talker = await enterRoom(site, (await signIn(site.origin, 'Konuşan', password)).token)
    const bystander = await enterRoom(site, (await enterAsGuest(site.origin, 'Dinleyen')).token)
    const sleeper = await enterRoom(site, (await enterAsGuest(site.origin, 'Uyuyan')).token)
    sleeper.socket.pause()

    let said = 0
    while (!bystander.heard('user-left').some(({ username }) => username === 'Uyuyan')) {
      const answers = Array.from({ length: AT_ONCE }, () => talker.ask('sendMessage', { roomId: 1, content: LONG }))
      for (const answer of await Promise.all(answers)) expect(granted(answer).id).toBe(++said)
    }
    await bystander.until(() => bystander.heard('message').length === said)

    expect(await openConnections(site)).toBe(2)
    sleeper.socket.resume()
    // The close frame lies behind all that was never read, so it may be cut before it gets that far.
    expect([CloseCode.rateLimited, 1006]).toContain(await sleeper.closed)
  })
})
