import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { session } from '../../accounts/session.ts'
import { live } from '../../live/state.ts'
import { mountPortal } from '../../ui/mount-portal.ts'
import { useSignal } from '../../use-signal.ts'
import { overlayRegistry, rootAdminOverlays } from './overlay-registry.ts'
import {
  closeOverlays,
  type OpenOverlay,
  type OverlayInput,
  type OverlayName,
  type OverlayProps,
  overlays,
} from './overlays.ts'

const noOverlays: readonly OpenOverlay[] = []
let lastKey = 0

/** Puts one more over the page. */
export function showOverlay<N extends OverlayName>(name: N, input: OverlayInput<N>): void {
  // What the part takes beside `onClose` is its input; TypeScript does not follow that through the table.
  const part = overlayRegistry[name] as ComponentType<OverlayProps>
  overlays.value = [...overlays.peek(), { key: ++lastKey, name, component: part, input }]
}

function OverlayRoot(): ReactNode {
  const open = useSignal(overlays, noOverlays)
  return open.map(({ key, component: Part, input }) => <Part key={key} {...input} onClose={() => closeOverlay(key)} />)
}

function closeOverlay(key: number): void {
  overlays.value = overlays.peek().filter((overlay) => overlay.key !== key)
}

mountPortal('overlays', <OverlayRoot />)

live.on('userProfileUpdated', () => {
  if (session.isRootAdmin() || !overlays.peek().some(({ name }) => rootAdminOverlays.has(name))) return
  overlays.value = overlays.peek().filter(({ name }) => !rootAdminOverlays.has(name))
})

// Closing gives the focus back to whatever opened them; on another page it belongs to what is new there.
document.addEventListener('meydan:navigated', () => {
  if (overlays.peek().length === 0) return
  flushSync(closeOverlays)
  document.querySelector('main')?.focus({ preventScroll: true })
})
