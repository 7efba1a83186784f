import { type ReactNode, useEffect, useRef } from 'react'

interface DiscardPromptProps {
  leaveLabel: string
  stay: () => void
  leave: () => void
  /** What would be lost. */
  children: ReactNode
}

/** In place of a form's buttons: asks before the form is closed and what was entered is lost. */
export function DiscardPrompt({ leaveLabel, stay, leave, children }: DiscardPromptProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.scrollIntoView({ block: 'nearest' })
    button.current?.focus()
  }, [])
  return (
    <div className="stack gap-3 center" role="alert">
      <p>{children}</p>
      <div className="buttons">
        <button type="button" className="button button--danger" onClick={leave}>
          {leaveLabel}
        </button>
        <button ref={button} type="button" className="button button--accent" onClick={stay}>
          Düzenlemeye dön
        </button>
      </div>
    </div>
  )
}
