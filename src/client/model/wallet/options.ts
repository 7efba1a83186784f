import type { RouteAnswer, RouteName } from '../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type {
  BankDetails,
  PremiumTerms,
  StarOption,
  WithdrawalOption,
} from '../../../shared/wallet/options/protocol.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { LiveValue } from './live-value.ts'
import { OptionStore } from './option-store.ts'

const byAmount = (a: { amount: number }, b: { amount: number }) => a.amount - b.amount
const isActive = ({ status }: { status: string }) => status === 'active'

/** Fetches a list of options; null when it failed. */
export async function fetchOptions<N extends RouteName>(
  path: string,
  as: 'user' | 'admin' = 'user',
): Promise<Exclude<RouteAnswer<N>, string> | null> {
  const answer = await callApi<N>(path, { as })
  return isFailure(answer) ? null : (answer as Exclude<RouteAnswer<N>, string>) // no route answers a string
}

/** The amounts that can be loaded, and those that can be withdrawn, the lowest first. */
export const starOptions = new OptionStore<StarOption>({
  fetchOptions: () => fetchOptions<'availableStarOptions'>('/star-options/available'),
  compare: byAmount,
  isListed: isActive,
})
export const withdrawalOptions = new OptionStore<WithdrawalOption>({
  fetchOptions: () => fetchOptions<'withdrawalOptions'>('/withdrawal-options'),
  compare: byAmount,
  isListed: isActive,
})

/** The same with inactive ones, for root admins. */
export const allStarOptions = new OptionStore<StarOption>({
  fetchOptions: () => fetchOptions<'allStarOptions'>('/root-admin/star-options', 'admin'),
  compare: byAmount,
})
export const allWithdrawalOptions = new OptionStore<WithdrawalOption>({
  fetchOptions: () => fetchOptions<'allWithdrawalOptions'>('/root-admin/withdrawal-options', 'admin'),
  compare: byAmount,
})

/** Premium's price, which is 50 lira until it is loaded (specification 2, point 9), and its days. */
export const premiumTerms = new LiveValue<PremiumTerms>({ premiumCost: 50, days: 30 }, () =>
  fetchOptions<'premiumCost'>('/users/premium-cost'),
)

/** The account to which loads are paid; undefined before the first load, null while it is not set. */
export const bankDetails = new LiveValue<{ bank: BankDetails | null } | undefined>(undefined, () =>
  fetchOptions<'bankDetails'>('/wallet/bank-details'),
)

for (const store of [starOptions, allStarOptions]) {
  live.on('starOptionAdded', (option) => store.put(option))
  live.on('starOptionUpdated', (option) => store.put(option))
  live.on('starOptionDeleted', ({ id }) => store.remove(id))
}
for (const store of [withdrawalOptions, allWithdrawalOptions]) {
  live.on('withdrawalOptionAdded', (option) => store.put(option))
  live.on('withdrawalOptionUpdated', (option) => store.put(option))
  live.on('withdrawalOptionDeleted', ({ id }) => store.remove(id))
}
live.on('premiumCostUpdated', (terms) => premiumTerms.update(() => terms))
live.on('bankDetailsUpdated', (details) => bankDetails.update(() => details))
