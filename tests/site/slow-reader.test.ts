// @module-tag deep
import { beforeAll, describe, expect, it } from 'vitest'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { MAX_MESSAGE_LENGTH } from '../../src/shared/room-chat/limits.ts'
import { expectAnswer, LiveConnection, signIn, signInAsGuest } from '../drivers/live-connection.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

/** Three bytes a letter, so that the systems' own buffers between the two ends are full soon. */
const LONG_MESSAGE = '字'.repeat(MAX_MESSAGE_LENGTH)

const SEND_CONCURRENCY = 16

async function enterRoom(site: SiteProcess, token: string): Promise<LiveConnection> {
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  return connection
}

async function readConnectionCount(site: SiteProcess): Promise<number> {
  const metrics = await (await fetch(`${site.origin}/metrics`)).text()
  return Number(/^meydan_connections (\d+)$/m.exec(metrics)?.[1])
}

describe('a reader that never reads', () => {
  let site: SiteProcess
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
    return () => site.stop()
  })

  it('[LIVE-25] is disconnected while the others go on sending', async () => {
    const password = await site.createRootAdmin('Konuşan')
    const talker = await enterRoom(site, (await signIn(site.origin, 'Konuşan', password)).token)
    const bystander = await enterRoom(site, (await signInAsGuest(site.origin, 'Dinleyen')).token)
    const sleeper = await enterRoom(site, (await signInAsGuest(site.origin, 'Uyuyan')).token)
    sleeper.socket.pause()

    let sentCount = 0
    while (!bystander.receivedEvents('user-left').some(({ username }) => username === 'Uyuyan')) {
      const answers = Array.from({ length: SEND_CONCURRENCY }, () =>
        talker.request('sendMessage', { roomId: 1, content: LONG_MESSAGE }),
      )
      for (const answer of await Promise.all(answers)) expect(expectAnswer(answer).id).toBe(++sentCount)
    }
    await bystander.waitFor(() => bystander.receivedEvents('message').length === sentCount)

    expect(await readConnectionCount(site)).toBe(2)
    sleeper.socket.resume()
    // The close frame lies behind all that was never read, so it may be cut before it gets that far.
    expect([CloseCode.rateLimited, 1006]).toContain(await sleeper.closed)
  })
})
