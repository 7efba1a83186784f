// @module-tag deep
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { AddressedClient } from '../drivers/addressed-request.ts'
import { expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import type { AttackSite } from './attack-site.ts'
import { shareAttackSite } from './shared-attack-site.ts'

const ROOM_ID = 2
const PASSWORD = 'Parola-12345'

let site: AttackSite
beforeAll(async () => {
  site = await shareAttackSite()
})

let names = 0
/** A test that is tried again needs other names. */
function freshName(name: string): string {
  return `${name}${++names}`
}

async function enterAsGuest(address: string, name: string) {
  const client = new AddressedClient(site.origin, address)
  const { token, cookie } = await client.signInAsGuest(freshName(name))
  const { connection } = await LiveConnection.open(site.origin, token, { localAddress: address })
  expectAnswer(await connection.request('joinRoom', { roomId: ROOM_ID }))
  return { client, cookie, connection }
}

async function registerMember(client: AddressedClient, name: string) {
  const username = freshName(name)
  const answer = await client.postJson('/api/users/register', {
    username,
    password: PASSWORD,
    age: 30,
    termsAccepted: true,
  })
  expect(answer.status).toBe(200)
  return { username, ...(JSON.parse(answer.body) as { token: string }) } // the contract of the route
}

/** A multipart form with one file. */
function fileForm(field: string, file: Buffer, type: string): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'meydan-attack'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="x"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

describe('bystanders notice nothing', () => {
  it('of one address that asks for 60 pages a second of a room full of links', async () => {
    const writers = [await enterAsGuest('127.66.3.1', 'Bağlayan'), await enterAsGuest('127.66.3.2', 'Ekleyen')]
    const content = 'www.a '.repeat(333)
    for (let sent = 0; sent < 40; sent++) {
      await writers[sent % 2]?.connection.request('sendMessage', { roomId: ROOM_ID, content })
    }
    const { client, cookie } = writers[0] ?? expect.fail()
    await site.attack(() =>
      Promise.all([
        sleep(1_000),
        ...Array.from({ length: 60 }, () => client.request(`/room/${ROOM_ID}`, { headers: { Cookie: cookie } })),
      ]),
    )
    for (const writer of writers) {
      writer.connection.terminate()
      writer.client.close()
    }
  })

  it('of two guests of one address who take turns to write long messages with mentions', async () => {
    const writers = [await enterAsGuest('127.66.3.3', 'Yazan'), await enterAsGuest('127.66.3.3', 'Çizen')]
    const content = '@Seyirci1 @Seyirci2 '.padEnd(2_000, 'ş')
    let accepted = 0
    await site.attack(async () => {
      for (const { connection } of writers) {
        const outcome = await connection.request('sendMessage', { roomId: ROOM_ID, content })
        if ('success' in outcome) accepted++
        else await sleep(20)
      }
    })
    expect(accepted * content.length).toBeLessThan(1_000_000)
    for (const writer of writers) writer.connection.terminate()
  })

  it('of guests who search without pause', async () => {
    const searchers = await Promise.all([4, 5, 6, 7].map((n) => enterAsGuest(`127.66.3.${n}`, `Arayan${n}`)))
    await site.attack(async () => {
      const searches = searchers.flatMap(({ connection }) =>
        Array.from({ length: 10 }, () => connection.request('searchMessages', { roomId: ROOM_ID, text: 'www a ş y' })),
      )
      await Promise.all([...searches, sleep(250)])
    })
    for (const searcher of searchers) searcher.connection.terminate()
  })

  it('of 1,200 logins from 1,200 networks, and the owner on a familiar device signs in meanwhile', async () => {
    const owner = new AddressedClient(site.origin, '127.66.4.1')
    const { username } = await registerMember(owner, 'Sahip')
    const login = { username, password: PASSWORD }
    const familiar = await owner.postJson('/api/users/login', login)
    expect(familiar.status).toBe(200)
    const cookie = (familiar.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    let network = 0
    let ownerStatus = 0
    await site.attack(async () => {
      const strangers = Array.from({ length: 100 }, () => {
        network++
        return new AddressedClient(site.origin, `127.${80 + Math.floor(network / 250)}.${network % 250}.1`)
      })
      const attempts = strangers.map((stranger) =>
        stranger.postJson('/api/users/login', { username, password: 'yanlış' }).catch(() => null),
      )
      ownerStatus = (await owner.postJson('/api/users/login', login, { Cookie: cookie })).status
      expect(ownerStatus).toBe(200)
      await Promise.all([...attempts, sleep(1_000)])
      for (const stranger of strangers) stranger.close()
    })
    owner.close()
  })

  it('of 12 avatars of 25 megapixels in a few hundred bytes', async () => {
    const member = new AddressedClient(site.origin, '127.66.5.1')
    const { token } = await registerMember(member, 'Ressam')
    const background = { r: 200, g: 30, b: 30 }
    const bomb = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background } })
      .avif({ effort: 0 })
      .toBuffer()
    const form = fileForm('avatar', bomb, 'image/avif')
    await site.attack(async () => {
      const uploads = Array.from({ length: 12 }, () =>
        member.request('/api/users/profile', {
          method: 'PUT',
          ...form,
          headers: { ...form.headers, Authorization: `Bearer ${token}` },
        }),
      )
      const statuses = (await Promise.all(uploads)).map(({ status }) => status)
      expect(statuses.filter((status) => ![400, 413, 415, 429, 503].includes(status))).toEqual([])
      await sleep(500)
    })
    member.close()
  })
})
