import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { openModals } from '../../../core/ui/dialogs/open-modals.ts'
import { mountPortal } from '../../../core/ui/mount-portal.ts'
import { moveToTopLayer } from '../../../core/ui/top-layer.ts'
import { useMediaQuery } from '../../../core/ui/use-media-query.ts'
import { FULL_SCREEN_QUERY } from '../../../core/ui/windows/floating-rect.ts'
import { startCallEffects } from '../call-effects.ts'
import { call } from '../call-store.ts'
import { CallBar } from './call-bar.tsx'
import { CallBox } from './call-box.tsx'
import { isCallEnlarged, isCallMinimised } from './call-window-state.ts'
import { FullScreenCall } from './full-screen-call.tsx'
import './call-window.later.css'

/** The call of a phone covers the screen. */
function CallScreen(): ReactNode {
  const present = useSignalValue(call, null)
  const isMinimised = useSignalValue(isCallMinimised, false)
  const isFullScreen = useMediaQuery(FULL_SCREEN_QUERY, false)
  return present && isFullScreen && !isMinimised && <FullScreenCall call={present} />
}

/** The box of a desktop, or the bar of a minimised call, above everything else. */
function CallLayer(): ReactNode {
  const present = useSignalValue(call, null)
  const isMinimised = useSignalValue(isCallMinimised, false)
  const isFullScreen = useMediaQuery(FULL_SCREEN_QUERY, false)
  const layer = useRef<HTMLDivElement>(null)
  const content = present && (isFullScreen ? isMinimised && 'bar' : 'box')
  useLayoutEffect(() => openModals.subscribe(() => moveToTopLayer(layer.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other content is shown
  useLayoutEffect(() => moveToTopLayer(layer.current), [content])
  return (
    <div ref={layer} className="call-layer" popover="manual">
      {present && content === 'bar' && <CallBar call={present} />}
      {present && content === 'box' && <CallBox call={present} />}
    </div>
  )
}

let hasCall = false
// Each call begins unfolded.
call.subscribe((present) => {
  if (present && !hasCall) {
    isCallMinimised.value = false
    isCallEnlarged.value = false
  }
  hasCall = present !== null
})
startCallEffects()
mountPortal('call-layer', <CallLayer />)
mountPortal('call-screen', <CallScreen />)
