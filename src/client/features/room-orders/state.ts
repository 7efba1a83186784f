import { useEffect } from 'react'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import type { OwnRoomTab } from '../../../shared/room-orders/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { signal } from '../../core/signals/signal.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'

/** One list of the viewer's rooms, current while something watches it. */
export class OwnRooms {
  /** null before the first answer. */
  readonly rooms = signal<readonly OwnRoom[] | null>(null)
  readonly hasFailed = signal(false)
  private readonly fetchRooms: () => Promise<readonly OwnRoom[] | null>
  private watchers = 0
  /** Rises with every request, so that the answer to an older one is ignored. */
  private generation = 0

  /** @param fetchRooms resolves with null when the request failed */
  constructor(live: Pick<LiveClient, 'on' | 'onConnected'>, fetchRooms: () => Promise<readonly OwnRoom[] | null>) {
    this.fetchRooms = fetchRooms
    for (const name of ['ownRoomsChanged', 'roomAdminAdded', 'roomAdminRemoved'] as const)
      live.on(name, () => this.refresh())
    live.onConnected((resumed) => {
      if (!resumed) this.refresh()
    })
  }

  /** Keeps the list current until the returned function is called. */
  watch(): () => void {
    this.watchers++
    if (this.watchers === 1) void this.load()
    return () => {
      this.watchers--
    }
  }

  async load(): Promise<void> {
    const generation = ++this.generation
    this.hasFailed.value = false
    const rooms = await this.fetchRooms()
    if (generation !== this.generation) return
    if (rooms) this.rooms.value = rooms
    this.hasFailed.value = rooms === null
  }

  private refresh(): void {
    if (this.watchers > 0) void this.load()
  }
}

/** The viewer's rooms, by tab. */
const lists: Record<OwnRoomTab, OwnRooms> = {
  created: createList<'roomsCreatedBy'>('created-by'),
  admin: createList<'adminRooms'>('admin-rooms'),
  inactive: createList<'inactiveRooms'>('inactive'),
}

function createList<N extends 'roomsCreatedBy' | 'adminRooms' | 'inactiveRooms'>(path: string): OwnRooms {
  return new OwnRooms(live, async () => {
    const answer = await callApi<N>(`/rooms/${path}/${session.userId()}`, { as: 'user' })
    return isFailure(answer) ? null : answer.rooms
  })
}

export interface ShownRooms {
  /** null before they have loaded. */
  rooms: readonly OwnRoom[] | null
  hasFailed: boolean
  reload: () => void
}

/** A list of the viewer's rooms while the component is shown. Guests have none. */
export function useOwnRooms(tab: OwnRoomTab): ShownRooms {
  const list = lists[tab]
  const rooms = useSignalValue(list.rooms, null)
  const hasFailed = useSignalValue(list.hasFailed, false)
  useEffect(() => (session.isGuest() ? undefined : list.watch()), [list])
  return { rooms, hasFailed, reload: () => void list.load() }
}
