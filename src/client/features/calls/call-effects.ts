import { incomingTitle } from '../../../shared/calls/window-texts.ts'
import { computed, effect } from '../../core/signals/signal.ts'
import { rememberCall } from '../../model/calls/latest-calls.ts'
import { callSound } from '../../model/settings/call-sound.ts'
import { isActivePhase, remoteName } from './call-status.ts'
import { call } from './call-store.ts'
import { playTone } from './sound/play-tone.ts'
import { ringTones } from './sound/ring-tones.ts'

/** The number of what is unread, which the title begins with (notifications/feature.ts). */
const COUNT = /^\(\d+\) /

/** How long the tone of an end lasts. */
const END_TONE_MS = 1_500
/** Milliseconds of vibration and pause, as long as the phrase of the ringtone. */
const VIBRATION_MS = [400, 200, 400, 2_600]

const phase = computed(() => call.value?.phase ?? null)
const ringing = computed(() => {
  const isAudible = callSound.value === 'audible'
  return isAudible && (phase.value === 'incoming' || phase.value === 'outgoing') ? phase.value : null
})
const title = computed(() => (call.value?.phase === 'incoming' ? incomingTitle(remoteName(call.value)) : null))
const isActive = computed(() => phase.value !== null && isActivePhase(phase.value))

/** What a call does besides its window: it rings, vibrates, changes the tab's title, keeps the screen on and is remembered. */
export function startCallEffects(): void {
  effect(() => {
    if (ringing.value === null) return
    const stopTone = playTone(ringTones[ringing.value])
    const stopVibration = ringing.value === 'incoming' ? vibrate() : null
    return () => {
      stopTone()
      stopVibration?.()
    }
  })
  effect(() => {
    const prefix = title.value
    if (prefix === null) return
    const show = (): void => addTitlePrefix(prefix)
    show()
    // The new page has its own title.
    document.addEventListener('meydan:navigated', show)
    return () => {
      document.removeEventListener('meydan:navigated', show)
      removeTitlePrefix(prefix)
    }
  })
  effect(() => (isActive.value ? keepScreenOn() : undefined))
  effect(() => {
    const { callId = null, other = null } = call.value ?? {}
    if (callId !== null && other) rememberCall(other.id, callId)
  })
  effect(() => {
    if ((phase.value !== 'ended' && phase.value !== 'declined') || callSound.peek() === 'silent') return
    const stop = playTone(ringTones.ended)
    const timer = setTimeout(stop, END_TONE_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  })
}

/** Vibrates like the ringtone, until the returned function is called. Browsers refuse it before the first click. */
function vibrate(): () => void {
  const start = (): void => {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS)
  }
  start()
  const timer = setInterval(
    start,
    VIBRATION_MS.reduce((sum, ms) => sum + ms, 0),
  )
  return () => {
    clearInterval(timer)
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0)
  }
}

/**
 * Keeps the screen on until the returned function is called. The browser releases the lock of a hidden page, so it is taken
 * again when the page is shown; one that is refused, as with an empty battery, is done without.
 */
export function keepScreenOn(): () => void {
  const held = new AbortController()
  let lock: WakeLockSentinel | null = null
  const request = async (): Promise<void> => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    const taken = await navigator.wakeLock.request('screen').catch(() => null)
    if (held.signal.aborted) void taken?.release()
    else lock = taken
  }
  void request()
  document.addEventListener('visibilitychange', () => void request(), { signal: held.signal })
  return () => {
    held.abort()
    void lock?.release()
  }
}

/** Puts a text after the number of what is unread, once. */
function addTitlePrefix(prefix: string): void {
  document.title = prefixed(document.title, prefix)
}

function removeTitlePrefix(prefix: string): void {
  document.title = unprefixed(document.title, prefix)
}

export function prefixed(title: string, prefix: string): string {
  const plain = unprefixed(title, prefix)
  const [count = ''] = COUNT.exec(plain) ?? []
  return `${count}${prefix}${plain.slice(count.length)}`
}

export function unprefixed(title: string, prefix: string): string {
  const [count = ''] = COUNT.exec(title) ?? []
  const rest = title.slice(count.length)
  return rest.startsWith(prefix) ? count + rest.slice(prefix.length) : title
}
