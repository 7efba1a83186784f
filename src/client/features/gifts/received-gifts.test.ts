import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProfileGifts, ReceivedGift } from '../../../shared/gifts/protocol.ts'
import { addGifts } from './received-gifts.tsx'

interface Gift {
  id: number
  giftKindId: number
  name: string
  drawing: string
}

const kinds = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 })
const toGift = (giftKindId: number, index: number): Gift => {
  return { id: index + 1, giftKindId, name: `Hediye ${giftKindId}`, drawing: 'cay' }
}

/** What the server answers after these gifts. */
function profileAfter(gifts: readonly Gift[]): ProfileGifts {
  const byKind = Map.groupBy(gifts, ({ giftKindId }) => giftKindId)
  const received = [...byKind].map(([id, ofKind]) => {
    const { name = '', drawing = '' } = ofKind[0] ?? {}
    return { id, name, drawing, count: ofKind.length }
  })
  return { received, latestId: gifts.at(-1)?.id ?? 0 }
}

const byId = (gifts: readonly ReceivedGift[]) => gifts.toSorted((a, b) => a.id - b.id)

describe('the gifts of an open profile', () => {
  it('[GIFT-18] equal those of a profile that is read again, whichever events it has seen already', () => {
    fc.assert(
      fc.property(kinds, fc.nat(20), fc.nat(20), (all, readAfter, heardFrom) => {
        const gifts = all.map(toGift)
        const known = profileAfter(gifts.slice(0, readAfter))
        const heard = gifts.slice(Math.min(heardFrom, readAfter))
        expect(byId(addGifts(known, heard))).toEqual(byId(profileAfter(gifts).received))
      }),
    )
  })
})
