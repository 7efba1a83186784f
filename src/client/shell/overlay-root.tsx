import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { useSignal } from '../use-signal.ts'
import { renderBeside } from './beside.ts'
import {
  closeOverlays,
  type OpenOverlay,
  type OverlayInput,
  type OverlayName,
  type OverlayProps,
  overlays,
} from './open.ts'
import { forRootAdmins, overlayParts } from './overlay-parts.ts'

const none: readonly OpenOverlay[] = []
let keys = 0

/** Puts one more over the page. */
export function showOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): void {
  // What the part takes beside `onClose` is its input; TypeScript does not follow that through the table.
  const part = overlayParts[name] as ComponentType<OverlayProps>
  overlays.value = [...overlays.peek(), { key: ++keys, name, part, input }]
}

function Overlays(): ReactNode {
  const open = useSignal(overlays, none)
  return open.map(({ key, part: Part, input }) => <Part key={key} {...input} onClose={() => close(key)} />)
}

function close(key: number): void {
  overlays.value = overlays.peek().filter((overlay) => overlay.key !== key)
}

renderBeside('overlays', <Overlays />)

live.on('userProfileUpdated', () => {
  if (session.isRootAdmin() || !overlays.peek().some(({ name }) => forRootAdmins.has(name))) return
  overlays.value = overlays.peek().filter(({ name }) => !forRootAdmins.has(name))
})

// Closing gives the focus back to whatever opened them; on another page it belongs to what is new there.
document.addEventListener('meydan:navigated', () => {
  if (overlays.peek().length === 0) return
  flushSync(closeOverlays)
  document.querySelector('main')?.focus({ preventScroll: true })
})
