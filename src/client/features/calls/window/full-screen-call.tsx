import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { callTexts, callTypeNames } from '../../../../shared/calls/window-texts.ts'
import { useModal } from '../../../core/ui/dialogs/use-modal.ts'
import { ChevronIcon } from '../../../core/ui/lazy-icons.tsx'
import { closeCall } from '../call-actions.ts'
import { type Call, isOpen } from '../call-state.ts'
import { CallView } from './call-view.tsx'
import { isCallMinimised } from './call-window-state.ts'

const minimise = (): void => {
  isCallMinimised.value = true
}

/** The call of a phone. Esc and Back make it a bar and never end it. */
export function FullScreenCall({ call }: { call: Call }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = !isOpen(call)
  useModal(dialog, isOver ? closeCall : minimise, () => {})
  // Not a button: a key that is on its way must not accept or decline.
  useLayoutEffect(() => dialog.current?.focus(), [])
  return (
    <dialog
      ref={dialog}
      className="call-screen"
      {...(call.phase === 'incoming' && { role: 'alertdialog' })}
      aria-label={callTypeNames[call.callType]}
      aria-describedby="call-name call-status"
      tabIndex={-1}
    >
      <CallView call={call} frame="screen" sizeButton={null}>
        {!isOver && (
          <button type="button" className="icon-button" aria-label={callTexts.minimise} onClick={minimise}>
            <ChevronIcon size={24} />
          </button>
        )}
      </CallView>
    </dialog>
  )
}
