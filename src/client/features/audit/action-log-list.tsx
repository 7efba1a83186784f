import type { ReactNode } from 'react'
import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { live } from '../../core/live/state.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import './action-log.css'

/** The entries of a profile's action log. */
export function ActionLogList({ actions }: { actions: readonly ActionLogEntry[] }): ReactNode {
  const now = live.serverNow()
  return (
    <ul className="action-log">
      {actions.map((entry, index) => (
        <li key={index}>
          <span>{actionText(entry)}</span>
          <time dateTime={new Date(entry.timestamp).toISOString()}>
            {dayName(entry.timestamp, now)} {clockTime(entry.timestamp)}
          </time>
        </li>
      ))}
    </ul>
  )
}

/** An action in one line, without the names that are unknown. */
function actionText(entry: ActionLogEntry): string {
  const { type, senderUsername, recipientUsername, giftName } = entry
  const people = [entry.banningUsername, entry.targetUsername].filter((name) => name !== undefined)
  const where = entry.roomName && `#${isolateBidi(entry.roomName)}`
  const rest = [people.map(isolateBidi).join(' → ') || undefined, where, entry.reason, endText(entry)]
  const texts: Record<ActionLogEntry['type'], readonly (string | undefined)[]> = {
    ban: ['Oda yasağı', ...rest],
    system_ban: ['Site yasağı', ...rest],
    send_gift: ['Hediye gönderdi', recipientUsername, giftName],
    receive_gift: ['Hediye aldı', senderUsername, giftName],
    other: [entry.label ?? 'Diğer işlem', ...rest],
  }
  return texts[type].filter((part) => part !== undefined).join(' · ')
}

function endText({ type, endsAt }: ActionLogEntry): string | undefined {
  if (endsAt !== undefined) return `bitiş ${formatDateTime(endsAt)}`
  return type === 'ban' || type === 'system_ban' ? 'süresiz' : undefined
}
