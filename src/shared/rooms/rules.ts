import type { Person } from '../accounts/protocol.ts'
import { unreachable } from '../protocol/unreachable.ts'
import { toKurus, toLira } from '../wallet/ledger.ts'

/** Added to the price of a room that is listed in 'Tüm Odalar' (specification 2, point 9). */
export const LISTING_SURCHARGE_LIRA = 10

/** Basis points of the whole: a discount of 10 percent is 1,000 of them. */
export const BASIS_POINTS = 10_000

export interface RoomPriceTerms {
  capacityPriceKurus: number
  /** 0 to 10,000. */
  discountBasisPoints: number
  /** Whether the surcharge is added; a renewal has none. */
  isList: boolean
}

/**
 * The price of a room in kuruş: the price of its capacity less the discount of its duration, and the surcharge, rounded
 * to the nearest lira, halves up (specification 2, point 9). In integers, so that server and browser agree.
 */
export function roomPriceKurus({ capacityPriceKurus, discountBasisPoints, isList }: RoomPriceTerms): number {
  const surchargeKurus = isList ? toKurus(LISTING_SURCHARGE_LIRA) : 0
  const scaled = capacityPriceKurus * (BASIS_POINTS - discountBasisPoints) + surchargeKurus * BASIS_POINTS
  const scaledLira = toKurus(1) * BASIS_POINTS
  return toKurus(Math.floor((scaled + scaledLira / 2) / scaledLira))
}

/** The same price in lira, from the options as the wire has them. */
export function roomPrice(
  capacity: { price: number },
  duration: { discountPercentage: number },
  isList: boolean,
): number {
  const discountBasisPoints = toBasisPoints(duration.discountPercentage)
  return toLira(roomPriceKurus({ capacityPriceKurus: toKurus(capacity.price), discountBasisPoints, isList }))
}

/** @param fraction 0 to 1 */
export function toBasisPoints(fraction: number): number {
  return Math.round(fraction * BASIS_POINTS)
}

/** Who may write to a room, and who may send pictures and recordings to it (product.md, Rooms). */
export const ROOM_PREFERENCES = ['everyone', 'members', 'premium', 'admins'] as const
export type RoomPreference = (typeof ROOM_PREFERENCES)[number]

/** Why a message is refused, for each preference that refuses some; then why a file is. */
const writeRefusalTexts = {
  members: 'Bu odaya yalnızca üyeler yazabilir.',
  premium: "Bu odaya yalnızca Premium'lar yazabilir.",
  admins: 'Bu odaya yalnızca oda adminleri yazabilir.',
} as const satisfies Record<Exclude<RoomPreference, 'everyone'>, string>
const mediaRefusalTexts = {
  members: 'Bu odaya yalnızca üyeler dosya gönderebilir.',
  premium: "Bu odaya yalnızca Premium'lar dosya gönderebilir.",
  admins: 'Bu odaya yalnızca oda adminleri dosya gönderebilir.',
} as const satisfies Record<Exclude<RoomPreference, 'everyone'>, string>

type Writer = Pick<Person, 'role' | 'isGuest' | 'premiumStatus'>

/** Whether a preference allows a person. Root admins and the room's own staff, its owner and admins, always may. */
function mayWriteByPreference(
  preference: RoomPreference,
  { role, isGuest, premiumStatus }: Writer,
  isStaff: boolean,
): boolean {
  if (isStaff || role === 'rootadmin') return true
  switch (preference) {
    case 'everyone':
      return true
    case 'members':
      return !isGuest
    case 'premium':
      return premiumStatus === 'premium'
    case 'admins':
      return false
    default:
      return unreachable(preference)
  }
}

/** Why a person may not write to a room, in Turkish; null where they may. */
export function writeRefusalText(preference: RoomPreference, person: Writer, isStaff: boolean): string | null {
  if (preference === 'everyone' || mayWriteByPreference(preference, person, isStaff)) return null
  return writeRefusalTexts[preference]
}

/** Why a person may not send files to a room, in Turkish; null where they may. */
export function mediaRefusalText(preference: RoomPreference, person: Writer, isStaff: boolean): string | null {
  if (preference === 'everyone' || mayWriteByPreference(preference, person, isStaff)) return null
  return mediaRefusalTexts[preference]
}
