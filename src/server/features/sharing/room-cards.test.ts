import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { PictureProcessor } from '../../kernel/files/picture-processor.ts'
import { roomCardSvg } from './card-svg.ts'
import { CARD_MAX_AGE_MS, RoomCards } from './room-cards.ts'

const pictures = new PictureProcessor({ maxBytes: 640 * 1024 * 1024 })
afterAll(() => pictures.close())

const draw = async (name: string, people: number) => {
  const picture = await pictures.draw(roomCardSvg({ name, people }))
  if (picture === null) throw new Error('not drawn')
  return picture
}

interface Region {
  left: number
  top: number
  width: number
  height: number
}

const NAME: Region = { left: 60, top: 180, width: 1100, height: 135 }
const BELOW_ARCHES: Region = { left: 60, top: 440, width: 1100, height: 190 }

/** Bytes of a part of the picture, as grey pixels. */
const greyOf = async (picture: Buffer, region: Region) => sharp(picture).extract(region).greyscale().raw().toBuffer()

/** The mean difference of two pictures in a region, of 255. */
async function difference(one: Buffer, other: Buffer, region: Region): Promise<number> {
  const [a, b] = [await greyOf(one, region), await greyOf(other, region)]
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

/** How many of the pixels of a region are bright. */
const brightShare = async (picture: Buffer, region: Region) => {
  const grey = await greyOf(picture, region)
  return grey.filter((value) => value > 150).length / grey.length
}

describe('a drawn card', () => {
  it('[SHARE-01] is a JPEG of 1,200 by 630 that shows the name and how many people are in', async () => {
    const [empty, four, other] = [await draw('Meydan', 0), await draw('Meydan', 4), await draw('Müzik', 4)]
    expect(await sharp(four).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    expect(await brightShare(four, NAME)).toBeGreaterThan(0.02)
    // The same name is the same pixels; another name and another number are not.
    expect(await difference(empty, four, NAME)).toBeLessThan(0.5)
    expect(await difference(four, other, NAME)).toBeGreaterThan(3)
    expect(await difference(empty, four, BELOW_ARCHES)).toBeGreaterThan(3)
    // Amber is the stroke of an arch with somebody below it.
    const { data } = await sharp(four)
      .extract({ left: 80, top: 560, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([...data].map((value) => Math.round(value / 64))).toEqual([4, 3, 1])
  })

  it.each(['A', 'Ağaçlık Yolda Oturanlar 123456', 'W'.repeat(30), '_.-'.repeat(10)])(
    '[SHARE-01] keeps the name %s inside its margins',
    async (name) => {
      const [blank, card] = [await draw(' ', 3), await draw(name, 3)]
      expect(await difference(blank, card, { left: 1160, top: 150, width: 40, height: 200 })).toBeLessThan(0.5)
    },
  )

  it.each([
    '</text><rect width="1200" height="630" fill="#fff"/>',
    '"/><image href="file:///etc/passwd"/>',
    '&lol;<!ENTITY lol "x">',
    ']]><script>alert(1)</script>',
    'ad\u0000\u0007\u001b[31m\ud800\uffff',
    '\u202e\u2066çevrik',
  ])('[SHARE-02] is drawn with the name %j as text', async (name) => {
    const [plain, hostile] = [await draw('Meydan', 2), await draw(name, 2)]
    // Around the name the picture is the same: nothing was added, and nothing is missing.
    expect(await difference(plain, hostile, BELOW_ARCHES)).toBeLessThan(0.5)
    expect(await difference(plain, hostile, { left: 0, top: 0, width: 1200, height: 150 })).toBeLessThan(0.5)
    expect(roomCardSvg({ name, people: 2 })).not.toMatch(/<(?:image|script|!)|\p{Cc}/u)
  })
})

describe('RoomCards', () => {
  const MINUTE = CARD_MAX_AGE_MS
  function open(answer: (svg: string) => Promise<Buffer | null> = async (svg) => Buffer.from(svg)) {
    const drawn: string[] = []
    const clock = { now: 1_000 }
    const drawing = async (svg: string) => {
      drawn.push(svg)
      return answer(svg)
    }
    const cards = new RoomCards({ draw: drawing }, () => clock.now)
    const get = (roomId: number, name: string, people: number, mayDraw = true) =>
      cards.get({ roomId, name, people }, () => mayDraw)
    return { get, drawn, clock }
  }

  it('[SHARE-03] draws again after a minute when the number has changed, and at once when the name has', async () => {
    const { get, drawn, clock } = open()
    const first = await get(1, 'Meydan', 2)
    expect(await get(1, 'Meydan', 3)).toBe(first)
    clock.now += MINUTE - 1
    expect(await get(1, 'Meydan', 3)).toBe(first)
    clock.now += 1
    const second = await get(1, 'Meydan', 3)
    expect(second?.etag).not.toBe(first?.etag)
    clock.now += 60 * MINUTE
    expect(await get(1, 'Meydan', 3)).toBe(second)
    expect(drawn).toHaveLength(2)
    expect((await get(1, 'Müzik', 3))?.picture.toString()).toContain('#Müzik')
    expect(drawn).toHaveLength(3)
  })

  it('[SHARE-03] draws once for requests at the same time, and one picture at a time; more than eight do not wait', async () => {
    let finish = () => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { get, drawn } = open(async (svg) => {
      await gate
      return Buffer.from(svg)
    })
    const same = [get(1, 'Meydan', 2), get(1, 'Meydan', 2)]
    const others = Array.from({ length: 10 }, (_, index) => get(index + 2, `Oda ${index}`, 1))
    await expect(Promise.all(others.slice(8))).resolves.toEqual([null, null])
    expect(drawn).toHaveLength(1)
    finish()
    const [one, other] = await Promise.all(same)
    expect(one).toBe(other)
    expect(await Promise.all(others.slice(0, 8))).not.toContain(null)
    expect(drawn).toHaveLength(9)
  })

  it('[SHARE-03] does not repeat a failed drawing within a minute, and keeps the card before it', async () => {
    let isBroken = true
    const { get, drawn, clock } = open(async (svg) => (isBroken ? null : Buffer.from(svg)))
    expect([await get(1, 'Meydan', 2), await get(1, 'Meydan', 3)]).toEqual([null, null])
    expect(drawn).toHaveLength(1)
    isBroken = false
    clock.now += MINUTE
    const card = await get(1, 'Meydan', 4)
    isBroken = true
    clock.now += MINUTE
    expect([card?.etag, await get(1, 'Meydan', 5)]).toEqual([expect.any(String), card])
  })

  it('[SHARE-04] gives the last card of the same name where it may not draw', async () => {
    const { get, drawn, clock } = open()
    expect(await get(1, 'Meydan', 2, false)).toBeNull()
    const card = await get(1, 'Meydan', 2)
    clock.now += MINUTE
    expect(await get(1, 'Meydan', 3, false)).toBe(card)
    expect(await get(1, 'Müzik', 3, false)).toBeNull()
    expect(drawn).toHaveLength(1)
  })
})
