import type { ComponentType, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { live } from '../../live/state.ts'
import { session } from '../../session/session.ts'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import { mountPortal } from '../../ui/mount-portal.ts'
import {
  closeOverlays,
  type OpenOverlay,
  type OverlayProps,
  type OverlayRegistration,
  openOverlays,
} from './overlays.ts'

const noOverlays: readonly OpenOverlay[] = []
let lastKey = 0

/** Shows an overlay on top of the open ones, at once: Esc and Back reach it from now on. */
export function showOverlayOnTop(registration: OverlayRegistration, input: object): void {
  const open = openOverlays.peek()
  const isReplaced = registration.isSingle === true && open.at(-1)?.component === registration.component
  flushSync(() => {
    openOverlays.value = [...(isReplaced ? open.slice(0, -1) : open), { ...registration, key: ++lastKey, input }]
  })
}

function OverlayRoot(): ReactNode {
  const open = useSignalValue(openOverlays, noOverlays)
  return open.map((overlay) => <OverlayLayer key={overlay.key} overlay={overlay} />)
}

function OverlayLayer({ overlay: { key, component, input } }: { overlay: OpenOverlay }): ReactNode {
  // `openOverlay` has checked the input against the component.
  const Overlay = component as ComponentType<OverlayProps>
  return <Overlay {...input} onClose={() => closeOverlay(key)} />
}

function closeOverlay(key: number): void {
  openOverlays.value = openOverlays.peek().filter((overlay) => overlay.key !== key)
}

flushSync(() => mountPortal('overlays', <OverlayRoot />))

live.on('userProfileUpdated', () => {
  const open = openOverlays.peek()
  if (session.isRootAdmin() || open.every(({ access }) => access === 'everyone')) return
  openOverlays.value = open.filter(({ access }) => access === 'everyone')
})

// Closing gives the focus back to the element that opened an overlay; on another page it belongs to the new content.
document.addEventListener('meydan:navigated', () => {
  if (openOverlays.peek().length === 0) return
  flushSync(closeOverlays)
  document.querySelector('main')?.focus({ preventScroll: true })
})
