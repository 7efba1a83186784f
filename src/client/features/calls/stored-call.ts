import type { CallRole } from '../../../shared/calls/protocol.ts'
import type { SafeStorage } from '../../core/platform/environment.ts'
import type { CallPerson } from '../../model/calls/call-person.ts'
import type { CallMedia, CallType } from './call-state.ts'

/** In the tab's storage. feature.ts loads the calls when it is there. */
export const STORED_CALL_KEY = 'call'

/** What a reloaded page needs to go on with its call. */
export interface StoredCall extends CallMedia {
  callId: string
  role: CallRole
  callType: CallType
  other: CallPerson
  isStaff: boolean
  isSpeakerOn: boolean
  connectedAt: number | null
}

/** Reads and deletes the call of the page before the reload; null without one, and for what cannot be read. */
export function takeStoredCall(storage: SafeStorage): StoredCall | null {
  const text = storage.get(STORED_CALL_KEY)
  storage.set(STORED_CALL_KEY, null)
  try {
    const stored: StoredCall | null = JSON.parse(text ?? 'null') // this module wrote it
    return typeof stored?.callId === 'string' && stored.other ? stored : null
  } catch {
    return null
  }
}

/** Null deletes it. */
export function storeCall(storage: SafeStorage, call: StoredCall | null): void {
  storage.set(STORED_CALL_KEY, call && JSON.stringify(call))
}
