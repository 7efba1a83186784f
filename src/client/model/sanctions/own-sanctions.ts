import type { RoomId, WarningId } from '../../../shared/protocol/ids.ts'
import type { OwnMute, Warning } from '../../../shared/sanctions/protocol.ts'
import { formatMuteNotice, mutePlaceText } from '../../../shared/sanctions/texts.ts'
import type { EventHandlers } from '../../core/live/event-handlers.ts'
import { browserEnvironment, type Cancel, type Environment } from '../../core/platform/environment.ts'
import { batch, signal } from '../../core/signals/signal.ts'
import type { ComposerNoticeState } from '../conversation/conversation.ts'

/** The parts of the tab's connection that the store uses. */
interface SanctionsLive extends Pick<EventHandlers, 'on'> {
  onConnected(run: (resumed: boolean) => void): void
  serverNow(): number
}

/** The viewer's own warnings and mutes, kept current by events; a mute ends by itself at its time. */
export class OwnSanctions {
  /** Warnings that are not confirmed, the oldest first. */
  readonly warnings = signal<readonly Warning[]>([])
  readonly mutes = signal<readonly OwnMute[]>([])
  private live: SanctionsLive | null = null
  private readonly environment: Pick<Environment, 'setTimer' | 'now'>
  private cancelTimer: Cancel | null = null

  constructor(environment: Pick<Environment, 'setTimer' | 'now'>) {
    this.environment = environment
  }

  /** Watches the events of a connection. */
  watch(live: SanctionsLive): void {
    this.live = live
    // Without a resume the server sends the present state, or nothing if it is empty.
    live.onConnected((resumed) => !resumed && this.reset())
    live.on('ownSanctions', ({ warnings, mutes }) => this.reset(warnings, mutes))
    live.on('newWarning', (warning) => {
      this.warnings.value = [...this.warnings.peek().filter(({ id }) => id !== warning.id), warning]
    })
    live.on('warningClosed', ({ id }) => this.closeWarning(id))
    live.on('ownMuteChanged', ({ roomId, mute }) => {
      const others = this.mutes.peek().filter((one) => one.roomId !== roomId)
      this.setMutes(mute ? [...others, mute] : others)
    })
  }

  closeWarning(id: WarningId): void {
    this.warnings.value = this.warnings.peek().filter((warning) => warning.id !== id)
  }

  /** The mute that holds in a room, or outside of rooms (null); the one that ends last. Reads a signal. */
  muteIn(roomId: RoomId | null): OwnMute | null {
    const here = this.mutes.value.filter((mute) => mute.roomId === null || mute.roomId === roomId)
    return here.toSorted((a, b) => endOf(b) - endOf(a))[0] ?? null
  }

  /** What the field of a muted viewer says; the notice has the reason and the end. null where they may write. Reads a signal. */
  muteLabel(roomId: RoomId | null): string | null {
    const mute = this.muteIn(roomId)
    return mute && mutePlaceText(mute)
  }

  /** The notice of a mute with its countdown; null where there is none. Reads a signal. */
  muteNotice(roomId: RoomId | null): ComposerNoticeState | null {
    const mute = this.muteIn(roomId)
    if (!mute || !this.live) return null
    const endsAt = mute.endsAt === null ? null : mute.endsAt - this.live.serverNow() + this.environment.now()
    return { kind: 'warning', text: formatMuteNotice(mute), endsAt }
  }

  private reset(warnings: readonly Warning[] = [], mutes: readonly OwnMute[] = []): void {
    batch(() => {
      this.warnings.value = warnings
      this.setMutes(mutes)
    })
  }

  /** Stores the mutes that have not ended, and waits for the next end. */
  private setMutes(mutes: readonly OwnMute[]): void {
    const now = this.live?.serverNow() ?? 0
    const active = mutes.filter((mute) => endOf(mute) > now)
    this.mutes.value = active
    this.cancelTimer?.()
    const next = Math.min(...active.map(endOf))
    this.cancelTimer = Number.isFinite(next)
      ? this.environment.setTimer(next - now, () => this.setMutes(this.mutes.peek()))
      : null
  }
}

function endOf({ endsAt }: OwnMute): number {
  return endsAt ?? Number.POSITIVE_INFINITY
}

/** Those of this tab's viewer. */
export const ownSanctions = new OwnSanctions(browserEnvironment)
