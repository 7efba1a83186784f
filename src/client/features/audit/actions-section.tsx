import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Action, ActionFilter, ActionPerson } from '../../../shared/audit/protocol.ts'
import {
  ACTIONS_NOT_LOADED,
  ERASED_NAME,
  NEW_ACTIONS_TEXT,
  NO_ACTIONS_TEXT,
  NO_MATCHING_ACTIONS_TEXT,
  SERVER_NAME,
} from '../../../shared/audit/texts.ts'
import { live } from '../../core/live/state.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { ArrowIcon, ReloadIcon } from '../../core/ui/lazy-icons.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import type { ModerationSectionProps } from '../../model/moderation/moderation-section.ts'
import { ActionFilterForm } from './action-filter-form.tsx'
import './audit.lazy.css'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { closeOverlays } from '../../core/shell/overlays/overlays.ts'
import { LiveList, type PagedItems } from '../../core/signals/live-list.ts'
import { computed, signal } from '../../core/signals/signal.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import { linkOf } from '../../model/audit/action-link.ts'
import { knownKinds } from './known-kinds.ts'

export type ActionPage = PagedItems<Action, string>

/** 'Hareketler' of 'Moderasyon': what root admins, room admins and the server did. */
export function ActionsSection({ parameter }: ModerationSectionProps<'actions'>): ReactNode {
  const [filter, setFilter] = useState<ActionFilter>(parameter ?? {})
  return (
    <div className="actions">
      <ActionFilterForm filter={filter} onChange={setFilter} />
      <Actions key={JSON.stringify(filter)} filter={filter} />
    </div>
  )
}

function Actions({ filter }: { filter: ActionFilter }): ReactNode {
  const actions = useMemo(() => new ActionList((before) => fetchActions(filter, before)), [filter])
  const hasNew = useSignalValue(actions.hasNew, false)
  useEffect(() => actions.watch(live), [actions])
  return (
    <>
      <div role="status">
        {hasNew && (
          <button type="button" className="button wide" onClick={() => void actions.load(null)}>
            <ReloadIcon size={18} />
            {NEW_ACTIONS_TEXT}
          </button>
        )}
      </div>
      <PagedList
        list={actions}
        empty={Object.keys(filter).length === 0 ? NO_ACTIONS_TEXT : NO_MATCHING_ACTIONS_TEXT}
        isEndless
        row={(action) => <ActionRow key={action.id} action={action} />}
      />
    </>
  )
}

/** The entries of the action log by a filter: the page at a cursor, or the first one. */
async function fetchActions(filter: ActionFilter, before: string | null): Promise<Result<ActionPage>> {
  const answer = await callApi<'actions'>(`/moderation/actions${queryOf(filter, before)}`, { as: 'admin' })
  return isFailure(answer) ? answer : { items: answer.actions, next: answer.next }
}

function queryOf(filter: ActionFilter, before: string | null): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filter, before: before ?? undefined })) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size > 0 ? `?${query}` : ''
}

/** Some entries of the action log. New ones are announced, so that what is being read stays in its place. */
export class ActionList extends LiveList<Action, string> {
  /** Whether the list lacks entries that were added since its first page was asked for. */
  readonly hasNew = computed(() => {
    const list = this.list.value
    return list !== null && this.announcedId.value > (list.items[0]?.id ?? 0)
  })
  /** The latest entry that was announced since then. */
  private readonly announcedId = signal(0)

  constructor(fetchPage: (before: string | null) => Promise<Result<ActionPage>>) {
    super({ fetchPage, failureText: () => ACTIONS_NOT_LOADED })
  }

  /** A first page that is under way may lack what was announced, so that another one follows it. */
  override async load(before: string | null): Promise<string | null> {
    if (before !== null) return super.load(before)
    const announcedId = this.announcedId.peek()
    this.announcedId.value = 0
    const failure = await (this.list.peek() ? this.reload() : super.load(null))
    if (failure !== null) this.announce(announcedId)
    return failure
  }

  /** Watches for new entries until the returned function is called. */
  watch(live: Pick<LiveClient, 'on'>): () => void {
    const ends = [
      live.on('actionRecorded', ({ actionId }) => this.announce(actionId)),
      live.on('resync', () => this.announce(Number.POSITIVE_INFINITY)),
    ]
    return () => ends.forEach((end) => void end())
  }

  private announce(actionId: number): void {
    this.announcedId.value = Math.max(this.announcedId.peek(), actionId)
  }
}

/** An entry of the action log: who, whom, where, what, why and until when, with links. */
function ActionRow({ action }: { action: Action }): ReactNode {
  const { kind, actor, target, room, at } = action
  const link = linkOf(action)
  return (
    <li className="action">
      <p className="action-head">
        <b>{knownKinds[kind]?.label ?? kind}</b>
        <time className="soft small tabular" dateTime={new Date(at).toISOString()}>
          {dayName(at, live.serverNow())} {clockTime(at)}
        </time>
      </p>
      <p className="action-people">
        {actor ? <PersonButton person={actor} /> : <span>{SERVER_NAME}</span>}
        {target && (
          <>
            <ArrowIcon size={16} />
            <PersonButton person={target} />
          </>
        )}
        {room && (
          <a href={`/room/${room.id}`} onClick={closeOverlays}>
            #<bdi>{room.name}</bdi>
          </a>
        )}
      </p>
      <ActionFacts action={action} />
      {link && (
        <button type="button" className="link-button" onClick={() => link.open(action)}>
          {link.label}
        </button>
      )}
    </li>
  )
}

/** The name at the time, which opens the profile of the name that the person has now. */
function PersonButton({ person: { username, currentUsername } }: { person: ActionPerson }): ReactNode {
  if (username === null) return <span>{ERASED_NAME}</span>
  if (currentUsername === null) return <bdi>{username}</bdi>
  return (
    <button type="button" data-person={currentUsername} aria-haspopup="dialog">
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
    <dl>
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
