import type { ReactNode } from 'react'
import type { Action, ActionPerson } from '../../../shared/audit/protocol.ts'
import { ERASED_NAME, SERVER_NAME } from '../../../shared/audit/texts.ts'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import { live } from '../../core/live/state.ts'
import { closeOverlays } from '../../core/shell/overlays/overlays.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
import { linkOf } from '../../model/audit/action-link.ts'
import { knownKinds } from './known-kinds.ts'

/** An entry of the action log: who, whom, where, what, why and until when, with links. */
export function ActionRow({ action }: { action: Action }): ReactNode {
  const { kind, actor, target, room, at } = action
  const link = linkOf(action)
  return (
    <li className="action">
      <p className="action-head">
        <b>{knownKinds[kind]?.label ?? kind}</b>
        <time dateTime={new Date(at).toISOString()}>
          {dayName(at, live.serverNow())} {clockTime(at)}
        </time>
      </p>
      <p className="action-people">
        {actor ? <PersonButton person={actor} /> : <span className="action-server">{SERVER_NAME}</span>}
        {target && (
          <>
            <ArrowIcon size={16} />
            <PersonButton person={target} />
          </>
        )}
        {room && (
          <a className="action-room" href={`/room/${room.id}`} onClick={closeOverlays}>
            #<bdi>{room.name}</bdi>
          </a>
        )}
      </p>
      <ActionFacts action={action} />
      {link && (
        <button type="button" className="link-button action-link" onClick={() => link.open(action)}>
          {link.label}
        </button>
      )}
    </li>
  )
}

/** The name at the time, which opens the profile of the name that the person has now. */
function PersonButton({ person: { username, currentUsername } }: { person: ActionPerson }): ReactNode {
  if (username === null) return <span className="action-gone">{ERASED_NAME}</span>
  if (currentUsername === null) return <bdi className="action-gone">{username}</bdi>
  return (
    <button type="button" className="action-person" data-person={currentUsername} aria-haspopup="dialog">
      <bdi>{username}</bdi>
    </button>
  )
}

function ActionFacts({ action: { kind, reason, endsAt, details } }: { action: Action }): ReactNode {
  const spec = knownKinds[kind]
  const isBan = spec?.logType === 'ban' || spec?.logType === 'system_ban'
  const facts: (readonly [label: string, value: string])[] = [
    ...(reason === null ? [] : [['Sebep', reason] as const]),
    ...(endsAt === null
      ? isBan
        ? [['Bitiş', 'süresiz'] as const]
        : []
      : [['Bitiş', formatDateTime(endsAt)] as const]),
    ...Object.entries(spec?.details ?? {}).flatMap(([name, label]) => {
      const value = details[name]
      return value === undefined || value === null || value === ''
        ? []
        : [[label, valueText(value, spec?.values)] as const]
    }),
  ]
  if (facts.length === 0) return null
  return (
    <dl className="action-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function valueText(value: string | number | boolean, labels: Readonly<Record<string, string>> = {}): string {
  if (typeof value === 'boolean') return value ? 'Evet' : 'Hayır'
  return typeof value === 'number' ? value.toLocaleString('tr-TR') : (labels[value] ?? value)
}
