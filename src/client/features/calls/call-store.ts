import { type ReadonlySignal, type Signal, signal } from '../../core/signals/signal.ts'
import { type Call, type CallTransition, transition } from './call-state.ts'

/** What changes within a phase; `transition` alone changes the phase and the fields that follow from it. */
type CallDetails = Omit<
  Call,
  'callId' | 'phase' | 'isCalling' | 'incomingCall' | 'callAccepted' | 'callDeclined' | 'endText' | 'canCallAgain'
>

/** Holds the call of this tab. */
export class CallStore {
  private readonly state: Signal<Call | null> = signal<Call | null>(null)
  readonly call: ReadonlySignal<Call | null> = this.state

  /** Applies a transition, and returns whether the phase has it. */
  apply(change: CallTransition): boolean {
    const before = this.state.peek()
    this.state.value = transition(before, change)
    return this.state.peek() !== before
  }

  /** Changes details of the present call; nothing without one. */
  patch(details: Partial<CallDetails>): void {
    const present = this.state.peek()
    if (present) this.state.value = { ...present, ...details }
  }
}

export const callStore = new CallStore()

/** The call of this tab: null while it has none. */
export const call: ReadonlySignal<Call | null> = callStore.call
