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
