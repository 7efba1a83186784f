import type { ReactNode } from 'react'
import type { ActionLogEntry } from '../../shared/audit/action-log.ts'
import { formatDateTime } from '../../shared/moderation/rules.ts'
import { live } from '../live/state.ts'
import type { ProfileSectionProps } from '../profiles/profile-section.ts'
import { clockTime, dayName } from '../ui/format/turkish-time.ts'
import './action-log.css'

/** 'Hareketler:' of a member's profile, for root admins. */
export function ActionLog({ answer: { actions = [] } }: ProfileSectionProps): ReactNode {
  return (
    <section className="profile-section">
      <h4>Hareketler:</h4>
      <ActionLogList actions={actions} />
    </section>
  )
}

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

/** An action in one line; what is not known is left out. */
function actionText(entry: ActionLogEntry): string {
  const { type, banningUsername, targetUsername, senderUsername, recipientUsername, giftName } = entry
  const roomName = entry.roomName && `#${entry.roomName}`
  const terms = [entry.reason, endText(entry)]
  const texts: Record<ActionLogEntry['type'], readonly (string | undefined)[]> = {
    ban: ['Oda yasağı', targetUsername, roomName, banningUsername, ...terms],
    system_ban: ['Site yasağı', targetUsername, banningUsername, ...terms],
    send_gift: ['Hediye gönderdi', recipientUsername, giftName],
    receive_gift: ['Hediye aldı', senderUsername, giftName],
    other: [entry.label ?? 'Diğer işlem', targetUsername, roomName, banningUsername, ...terms],
  }
  return texts[type].filter((part) => part !== undefined).join(' · ')
}

function endText({ type, endsAt }: ActionLogEntry): string | undefined {
  if (endsAt !== undefined) return `bitiş ${formatDateTime(endsAt)}`
  return type === 'ban' || type === 'system_ban' ? 'süresiz' : undefined
}
