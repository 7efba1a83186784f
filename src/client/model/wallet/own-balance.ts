import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import { live } from '../../core/live/state.ts'
import { LiveValue } from './live-value.ts'

type Balance = Pick<RouteAnswer<'balance'>, 'balance' | 'withdrawable'>

/** The viewer's balance in lira; null before the first load. */
export const ownBalance = new LiveValue<Balance | null>(null, async () => {
  const answer = await callApi<'balance'>('/users/balance', { as: 'user' })
  return isFailure(answer) ? null : answer
})

live.on('balanceUpdated', (balance) => ownBalance.update(() => balance))
live.on('resync', () => {
  if (ownBalance.value.peek()) void ownBalance.load()
})
