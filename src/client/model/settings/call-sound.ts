import { browserEnvironment } from '../../core/platform/environment.ts'
import { signal } from '../../core/signals/signal.ts'

/** Whether calls ring and vibrate on this device. */
type CallSound = 'audible' | 'silent'

const CALL_SOUND_KEY = 'callSound'
const { browserStorage } = browserEnvironment

/** The choice of this browser; a call that rings follows it at once. */
export const callSound = signal<CallSound>(browserStorage.get(CALL_SOUND_KEY) === 'silent' ? 'silent' : 'audible')

export function setCallSound(next: CallSound): void {
  callSound.value = next
  browserStorage.set(CALL_SOUND_KEY, next === 'silent' ? 'silent' : null)
}
