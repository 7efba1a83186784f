import { CONSECUTIVE_MESSAGES_PAUSE_MS, JOIN_WAIT_MS, MAX_CONSECUTIVE_MESSAGES } from './limits.ts'

/** Shown when a pause is over (specification 1, point 5). */
export const CAN_SEND_AGAIN_TEXT = 'Artık mesaj gönderebilirsiniz.'

/** The latest message of a room, as the chat limits need it. */
export interface PreviousMessage {
  isOwn: boolean
  /** Its position in its sender's run, 1 to 4; 0 for an exempt sender. */
  consecutiveCount: number
  ageMs: number
}

/** The slow mode of a room: the wait between two messages of one user. */
export interface SlowMode {
  intervalMs: number
  /** Since the user's own last message in this room; null without one. */
  sinceOwnMs: number | null
}

type RefusedLimit = { refused: 'JustJoined' | 'TooManyInARow' | 'SlowMode'; waitMs: number }
export type SendLimitVerdict = { consecutiveCount: number } | RefusedLimit

/**
 * Whether a user may send a message to a room now. `consecutiveCount` is stored with the message and is 0 for the exempt (root
 * admins, the room's owner and admins); a refusal names the longest wait. A clock that was set back makes no wait
 * longer than the rule's own time.
 */
export function checkSendLimits(asked: {
  exempt: boolean
  inRoomForMs: number
  last: PreviousMessage | null
  /** null when it is off. */
  slowMode?: SlowMode | null
}): SendLimitVerdict {
  const { exempt, inRoomForMs, last, slowMode } = asked
  if (exempt) return { consecutiveCount: 0 }
  const joinWait = remainingWaitMs(JOIN_WAIT_MS, inRoomForMs)
  if (joinWait > 0) return { refused: 'JustJoined', waitMs: joinWait }
  const run = checkRun(last)
  const slowWait = slowModeWaitMs(slowMode ?? null)
  const runWait = 'refused' in run ? run.waitMs : 0
  return slowWait > runWait ? { refused: 'SlowMode', waitMs: slowWait } : run
}

/** How long slow mode holds the user's next message. */
function slowModeWaitMs(slowMode: SlowMode | null): number {
  if (!slowMode || slowMode.sinceOwnMs === null) return 0
  return remainingWaitMs(slowMode.intervalMs, slowMode.sinceOwnMs)
}

function checkRun(last: PreviousMessage | null): SendLimitVerdict {
  if (!last?.isOwn) return { consecutiveCount: 1 }
  if (last.consecutiveCount < MAX_CONSECUTIVE_MESSAGES) return { consecutiveCount: last.consecutiveCount + 1 }
  const pause = remainingWaitMs(CONSECUTIVE_MESSAGES_PAUSE_MS, last.ageMs)
  return pause > 0 ? { refused: 'TooManyInARow', waitMs: pause } : { consecutiveCount: 1 }
}

function remainingWaitMs(waitMs: number, passedMs: number): number {
  return Math.abs(passedMs) < waitMs ? waitMs - Math.max(passedMs, 0) : 0
}
