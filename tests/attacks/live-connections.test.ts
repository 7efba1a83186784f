import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, it } from 'vitest'
import { AddressedClient } from '../drivers/addressed-request.ts'
import { LiveConnection } from '../drivers/live-connection.ts'
import type { AttackSite } from './attack-site.ts'
import { clientFrame, openRaw, upgradeRaw, writeAll } from './raw-connections.ts'
import { shareAttackSite } from './shared-attack-site.ts'

const CONTINUATION = 0x00
const UNFINISHED_BINARY = 0x02
const PONG = 0x8a
const PING = 0x89

let site: AttackSite
beforeAll(async () => {
  site = await shareAttackSite()
})

/** Opens a WebSocket before hello, writes the frames, and leaves. */
async function flood(localAddress: string, frames: Buffer): Promise<void> {
  const socket: Socket = await openRaw(site.port, localAddress)
  if (!(await upgradeRaw(socket, site.origin))) return
  await writeAll(socket.resume(), frames)
  await sleep(100)
  socket.destroy()
}

function repeatFrame(frame: Buffer, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frame))
}

describe('bystanders notice nothing', () => {
  it('of 7 MB of one-byte fragments', async () => {
    const fragments = repeatFrame(clientFrame(CONTINUATION, Buffer.from([1])), 1_000_000)
    const frames = Buffer.concat([clientFrame(UNFINISHED_BINARY, Buffer.from([1])), fragments])
    await site.attack(() => flood('127.66.2.1', frames))
  })

  it('of a million unsolicited pongs before hello', async () => {
    const frames = repeatFrame(clientFrame(PONG), 1_000_000)
    await site.attack(() => flood('127.66.2.2', frames))
  })

  it('of a million pings whose answers nobody reads', async () => {
    const frames = repeatFrame(clientFrame(PING, Buffer.alloc(100)), 60_000)
    await site.attack(() => flood('127.66.2.3', frames))
  })

  it('of a guest who sends commands without waiting for answers', async () => {
    const client = new AddressedClient(site.origin, '127.66.2.4')
    const { token } = await client.signInAsGuest('Aceleci')
    await site.attack(async () => {
      const { connection } = await LiveConnection.open(site.origin, token, { localAddress: client.address })
      const answers = Array.from({ length: 5_000 }, () => connection.request('joinRoom', { roomId: 2 }))
      await Promise.race([Promise.allSettled(answers), sleep(2_000)])
      connection.terminate()
    })
    client.close()
  })
})
