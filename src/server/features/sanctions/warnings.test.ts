import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { confirmWarning } from './confirm-warning.ts'
import { warnUser } from './warn-user.ts'

let region: TestRegion
let room: OwnedRoom
beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  room = await createOwnedRoom(region)
})
afterAll(() => region.destroy())

const warn = (who: TestUser, target: TestUser, text = 'Kurallara uy.') =>
  region.appContext.execute(warnUser, who, { username: target.username, text })
async function warningOf(target: TestUser, text?: string): Promise<number> {
  const answer = await warn(room.root, target, text)
  return answer instanceof Refusal ? expect.unreachable(answer.body.code) : answer.warningId
}

describe('a warning', () => {
  it.each(['owner', 'admin', 'member', 'guest'] as const)('[SANCTION-01] is refused to the %s', async (who) => {
    expect(await warn(room[who], room.premium)).toMatchObject({ body: { code: 'Forbidden' } })
  })

  it('[SANCTION-01] never strikes oneself, a root admin or an unknown person', async () => {
    const other = await region.createRootAdmin('başkakök')
    expect(await warn(room.root, room.root)).toMatchObject({ body: { message: 'Kendini uyaramazsın.' } })
    expect(await warn(room.root, other)).toMatchObject({ body: { message: 'Root adminler uyarılamaz.' } })
    expect(await warn(room.root, { ...other, username: 'hiçyok' })).toMatchObject({ body: { code: 'NotFound' } })
  })

  it('[SANCTION-02] reaches all connections of the person, those that come later, and nobody else', async () => {
    const { roomId, guest } = room
    const [one, other] = [await region.connectAs(guest, roomId), await region.connectAs(guest)]
    const bystander = await region.connectAs(room.member, roomId)
    const admin = await region.connectAs(room.root)
    const id = await warningOf(guest, 'Hakaret etme.')
    const warning = { id, text: 'Hakaret etme.', at: expect.any(Number) }
    for (const client of [one, other]) expect(await client.waitForEvent('newWarning')).toEqual(warning)
    const later = await region.connectAs(guest)
    expect(await later.waitForEvent('ownSanctions')).toEqual({ warnings: [warning], mutes: [] })
    for (const client of [bystander, admin]) {
      await client.request('getRooms', {})
      expect(client.countEvents('newWarning') + client.countEvents('ownSanctions')).toBe(0)
    }
  })

  it('[SANCTION-03] is confirmed once on all devices, and only by the person', async () => {
    const { member } = room
    const [one, other] = [await region.connectAs(member), await region.connectAs(member)]
    const stranger = await region.connectAs(room.premium)
    const [first, second] = [await warningOf(member), await warningOf(member)]
    expect(await stranger.request('confirmWarning', { warningId: first })).toMatchObject({ code: 'NotFound' })
    expect(await stranger.request('confirmWarning', { warningId: 9_999 })).toMatchObject({ code: 'NotFound' })
    expect(await one.request('confirmWarning', { warningId: first })).toEqual({ success: true })
    expect(await other.waitForEvent('warningClosed')).toEqual({ id: first })
    const cursor = region.appContext.reader.cursor()
    expect(await other.request('confirmWarning', { warningId: first })).toEqual({ success: true })
    expect(region.appContext.reader.cursor()).toBe(cursor)
    const later = await region.connectAs(member)
    expect(await later.waitForEvent('ownSanctions')).toMatchObject({ warnings: [{ id: second }] })
    expect(await region.appContext.execute(confirmWarning, null, { warningId: second })).toMatchObject({
      body: { code: 'NotFound' },
    })
    await one.request('confirmWarning', { warningId: second })
    const last = await region.connectAs(member)
    await last.request('getRooms', {})
    expect(last.countEvents('ownSanctions')).toBe(0)
  })

  it('[SANCTION-04] is refused to a person with 20 that are not confirmed', async () => {
    const target = await region.createMember('çokuyarılan')
    const ids = []
    for (let count = 0; count < 20; count++) ids.push(await warningOf(target))
    expect(await warn(room.root, target)).toMatchObject({ body: { code: 'TooManyWarnings' } })
    await region.appContext.execute(confirmWarning, target, { warningId: ids[3] ?? 0 })
    expect(await warn(room.root, target)).toMatchObject({ success: true })
  })
})
