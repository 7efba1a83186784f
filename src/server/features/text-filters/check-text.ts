import { refuse } from '../../../shared/protocol/refusals.ts'
import { applyFilter, type FilteringEntry, type FilterResult } from '../../../shared/text-filters/apply-filter.ts'
import { findLinkRefusal } from '../../../shared/text-filters/link-rule.ts'
import { NAME_REFUSED_TEXT } from '../../../shared/text-filters/texts.ts'
import { RecordedRefusal } from '../../kernel/database/commands/recorded-refusal.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { type FilterStateRow, filterState, parseHosts } from '../../model/text-filters/queries.ts'
import { toPlaceColumns } from '../../model/text-filters/show-place.ts'
import type { TextDraft } from '../../model/text-screening/transactions.ts'
import { raiseAlert } from './alerts.ts'
import { getFilterMatcher } from './compiled-filter.ts'
import { findHeldText, holdText } from './held-texts.ts'
import { logHits, shortenText } from './hits.ts'

/** Checks a text by the rule of links and the word filter. Root admins are exempt. */
export function checkSubmittedText(tx: Transaction, draft: TextDraft): void {
  if (draft.refusal || draft.text === '' || draft.sender.role === 'rootadmin') return
  const state = tx.cached.get(filterState)
  if (!state) return
  if (draft.place.kind === 'name') {
    if (state.entryCount > 0) checkName(tx, draft, state)
    return
  }
  const message = refusedLink(draft, state, tx.now)
  if (message !== null) draft.refusal = refuse('LinkRefused', { message })
  else if (state.entryCount > 0) applyWordFilter(tx, draft, state)
}

function refusedLink({ sender, text }: TextDraft, state: FilterStateRow, now: number): string | null {
  const { linkMinDays: minDays, guestsMayLink } = state
  if (minDays === 0 && guestsMayLink === 1) return null
  const allowedHosts = [...parseHosts(state.allowedHosts), ...parseHosts(state.ownHosts)]
  const rule = { minDays, guestsMayLink: guestsMayLink === 1, allowedHosts }
  return findLinkRefusal(text, { isGuest: sender.isGuest === 1, registeredAt: registrationTime(sender) }, rule, now)
}

/** A guest who registers keeps the row, so the time of the first visit is not that of the registration. */
function registrationTime({ termsAcceptedAt, createdAt }: UserRow): number {
  return termsAcceptedAt ?? createdAt
}

function applyWordFilter(tx: Transaction, draft: TextDraft, state: FilterStateRow): void {
  const result = applyFilter(getFilterMatcher(tx, state), draft.text, draft.maxLength)
  if (result.hits.length === 0) return
  if (result.isHeldBack) {
    const held = findHeldText(tx, draft)
    // A released text passes as it is; one that waits already is answered as before.
    if (held) {
      draft.refusal = held.releasedAt === null ? recordedRefusal('TextHeld') : null
      return
    }
    draft.refusal = recordedRefusal(holdText(tx, draft, result.hits) ? 'TextHeld' : 'TextRefused')
  }
  logHits(tx, draft, result.hits)
  if (!result.isHeldBack) raiseWordAlerts(tx, draft, result.hits)
  draft.text = result.text
}

/** A name cannot wait, and no other one is given: it is refused where another text would be held back or changed. */
function checkName(tx: Transaction, draft: TextDraft, state: FilterStateRow): void {
  const { hits } = applyFilter(getFilterMatcher(tx, state), draft.text, draft.maxLength)
  if (hits.some(({ entry }) => entry.action !== 'alert')) {
    draft.refusal = refuse('UsernameReserved', { path: 'username', message: NAME_REFUSED_TEXT })
    return
  }
  logHits(tx, draft, hits)
  raiseWordAlerts(tx, draft, hits)
}

function raiseWordAlerts(tx: Transaction, draft: TextDraft, hits: FilterResult<FilteringEntry>['hits']): void {
  for (const { entry, word } of hits) {
    if (entry.action !== 'alert') continue
    raiseAlert(tx, {
      kind: 'word',
      cause: `word ${draft.sender.id} ${entry.pattern}`,
      userId: draft.sender.id,
      ...toPlaceColumns(draft.place),
      clientId: draft.message?.clientId ?? null,
      details: {
        pattern: entry.pattern,
        word,
        excerpt: draft.place.kind === 'direct' ? null : shortenText(draft.text, word),
      },
    })
  }
}

function recordedRefusal(code: 'TextHeld' | 'TextRefused'): RecordedRefusal {
  return new RecordedRefusal(refuse(code).body)
}
