// @module-tag deep
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, it } from 'vitest'
import { FrameHead, openRawWebSocket, rawFrame, repeatFrame } from '../../src/server/testing/fixtures/raw-websocket.ts'
import { AddressedClient } from '../drivers/addressed-request.ts'
import { LiveConnection } from '../drivers/live-connection.ts'
import type { AttackSite } from './attack-site.ts'
import { writeAll } from './raw-connections.ts'
import { shareAttackSite } from './shared-attack-site.ts'

let site: AttackSite
/** A test that is tried again needs another name. */
let guests = 0
beforeAll(async () => {
  site = await shareAttackSite()
})

/** Opens a WebSocket, writes the frames before hello, and leaves. */
async function flood(localAddress: string, frames: Buffer): Promise<void> {
  const { socket } = await openRawWebSocket(site.origin, localAddress)
  await writeAll(socket, frames)
  await sleep(100)
  socket.destroy()
}

describe('bystanders notice nothing', () => {
  it('of 7 MB of one-byte fragments', async () => {
    const fragments = repeatFrame(rawFrame(FrameHead.continuation, Buffer.from([1])), 1_000_000)
    const frames = Buffer.concat([rawFrame(FrameHead.unfinishedBinary, Buffer.from([1])), fragments])
    await site.attack(() => flood('127.66.2.1', frames))
  })

  it('of a million unsolicited pongs before hello', async () => {
    const frames = repeatFrame(rawFrame(FrameHead.pong), 1_000_000)
    await site.attack(() => flood('127.66.2.2', frames))
  })

  it('of 60,000 pings of 100 bytes whose pongs are not read', async () => {
    const frames = repeatFrame(rawFrame(FrameHead.ping, Buffer.alloc(100)), 60_000)
    await site.attack(() => flood('127.66.2.3', frames))
  })

  it('of a guest who sends commands without waiting for answers', async () => {
    const client = new AddressedClient(site.origin, '127.66.2.4')
    const { token } = await client.signInAsGuest(`Aceleci${++guests}`)
    await site.attack(async () => {
      const { connection } = await LiveConnection.open(site.origin, token, { localAddress: client.address })
      const answers = Array.from({ length: 5_000 }, () => connection.request('joinRoom', { roomId: 2 }))
      await Promise.race([Promise.allSettled(answers), sleep(2_000)])
      connection.terminate()
    })
    client.close()
  })
})
