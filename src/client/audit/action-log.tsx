import type { ReactNode } from 'react'
import type { ActionLogEntry } from '../../shared/audit/action-log.ts'
import { live } from '../live/state.ts'
import type { ProfileSectionProps } from '../profiles/profile-section.ts'
import { clockTime, dayName } from '../ui/format/turkish-time.ts'
import './action-log.css'

/** 'Hareketler:' of a profile, for root admins. */
export function ActionLog({ answer: { actions = [] } }: ProfileSectionProps): ReactNode {
  const now = live.serverNow()
  return (
    <section className="profile-section">
      <h4>Hareketler:</h4>
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
    </section>
  )
}

/** An action in one line; names that are not known are left out. */
function actionText(entry: ActionLogEntry): string {
  const { type, banningUsername, targetUsername, roomName, senderUsername, recipientUsername, giftName } = entry
  const texts: Record<ActionLogEntry['type'], readonly (string | undefined)[]> = {
    ban: ['Oda yasağı', targetUsername, roomName && `#${roomName}`, banningUsername],
    system_ban: ['Site yasağı', targetUsername, banningUsername],
    send_gift: ['Hediye gönderdi', recipientUsername, giftName],
    receive_gift: ['Hediye aldı', senderUsername, giftName],
    other: ['Diğer işlem', targetUsername, banningUsername],
  }
  return texts[type].filter((part) => part !== undefined).join(' · ')
}
