import type { CapacityOptionId, DurationOptionId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { OPTION_GONE } from '../../../shared/room-orders/texts.ts'
import { roomPriceKurus } from '../../../shared/rooms/rules.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { capacityOptionById, durationOptionById } from '../../model/rooms/options/queries.ts'
import { insertRow } from '../../model/schema/query.ts'
import { refuseChangedPrice, spendBalance } from '../../model/wallet/transactions.ts'

/** The chosen options, and the price that was shown, in lira. */
export interface ChosenOptions {
  capacityOptionId: CapacityOptionId
  durationOptionId: DurationOptionId
  price?: number | undefined
}

/** What is bought. */
export interface Terms extends Omit<ChosenOptions, 'price'> {
  capacity: number
  months: number
  discountBasisPoints: number
  priceKurus: number
}

const insertOrder = insertRow('roomOrder', [
  'roomId',
  'userId',
  'isRenewal',
  'capacityOptionId',
  'durationOptionId',
  'capacity',
  'months',
  'discountBasisPoints',
  'priceKurus',
  'createdAt',
  'expiryDate',
])

/** The terms of the options as they are now. Refuses with NotFound or PriceChanged. */
export function termsOf(
  tx: Pick<Transaction, 'get'>,
  { capacityOptionId, durationOptionId, price }: ChosenOptions,
  isList: boolean,
): Terms | Refusal {
  const capacity = tx.get(capacityOptionById, { id: capacityOptionId })
  if (!capacity) return refuse('NotFound', { path: 'capacityOptionId', message: OPTION_GONE })
  const duration = tx.get(durationOptionById, { id: durationOptionId })
  if (!duration) return refuse('NotFound', { path: 'durationOptionId', message: OPTION_GONE })
  const { discountBasisPoints } = duration
  const priceKurus = roomPriceKurus({ capacityPriceKurus: capacity.priceKurus, discountBasisPoints, isList })
  const changed = refuseChangedPrice(price, priceKurus)
  if (changed) return changed
  const bought = { capacity: capacity.numberOfPeople, months: duration.durationInMonths, discountBasisPoints }
  return { capacityOptionId, durationOptionId, ...bought, priceKurus }
}

/** Charges the buyer and records the purchase. Refuses with InsufficientBalance. */
export function pay(
  tx: Transaction,
  terms: Terms,
  { roomId, userId, isRenewal, expiryDate }: { roomId: RoomId; userId: UserId; isRenewal: boolean; expiryDate: number },
): null | Refusal {
  const { priceKurus: amountKurus } = terms
  const paid = spendBalance(tx, userId, {
    amountKurus,
    kind: isRenewal ? 'roomRenewal' : 'roomOrder',
    referenceId: roomId,
    credits: [{ account: { kind: 'roomIncome' }, amountKurus }],
  })
  if (paid instanceof Refusal) return paid
  tx.run(insertOrder, { ...terms, roomId, userId, isRenewal: isRenewal ? 1 : 0, createdAt: tx.now, expiryDate })
  return null
}
