import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { FingerprintBan, FingerprintKind } from '../../../shared/text-filters/linked-accounts-protocol.ts'
import { linkedTexts } from '../../../shared/text-filters/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'

/** The bans that cover browsers or addresses, by the ids of the bans. */
export const fingerprintBanList = new LiveList<FingerprintBan & { id: number }, number>({
  failureText: () => linkedTexts.bansNotLoaded,
  fetchPage: async (before) => {
    const answer = await callApi<'markBans'>(`/moderation/mark-bans${pageQuery(before)}`, { as: 'admin' })
    if (isFailure(answer)) return answer
    return { items: answer.markBans.map((ban) => ({ id: ban.ban.id, ...ban })), next: answer.next }
  },
})

const refresh = (): void => void fingerprintBanList.refresh()
live.on('markBansChanged', refresh)
live.on('userBanned', refresh)
live.on('banLifted', refresh)
live.on('resync', () => void fingerprintBanList.reload())

/** The accounts that share a browser or an address with this one, or why they were not found, in Turkish. */
export async function findLinkedAccounts(username: string): Promise<RouteAnswer<'linkedAccounts'> | string> {
  const body = { username }
  const answer = await callApi<'linkedAccounts'>('/moderation/linked-accounts', { as: 'admin', body })
  return isFailure(answer) ? failureText(answer, linkedTexts.notFound) : answer
}

/** Bans an account with its browsers or addresses; the result is shown in a toast. Returns whether it succeeded. */
export async function banFingerprints(terms: {
  username: string
  covers: FingerprintKind[]
  duration: BanDuration
  banReason: BanReason
}): Promise<boolean> {
  const answer = await callApi<'banMarks'>('/moderation/mark-bans', { as: 'admin', body: terms })
  if (toastIfFailed(answer, linkedTexts.banFailed)) return false
  void toast(linkedTexts.banDone, 'success')
  refresh()
  return true
}

/** Lifts the ban of browsers or addresses; the result is shown in a toast. Returns whether it succeeded. */
export async function liftFingerprintBan(banId: number, kind: FingerprintKind): Promise<boolean> {
  const body = { banId, kind }
  const answer = await callApi<'liftMarkBan'>('/moderation/mark-bans/lift', { as: 'admin', body })
  if (toastIfFailed(answer, linkedTexts.liftFailed)) return false
  void toast(linkedTexts.liftDone, 'success')
  refresh()
  return true
}
