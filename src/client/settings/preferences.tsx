import { type ReactNode, useState } from 'react'
import { session } from '../accounts/session.ts'
import type { Theme } from '../live/environment.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Choices } from '../ui/choices.tsx'
import { MoonIcon, SunIcon } from '../ui/later-icons.tsx'
import { Modal } from '../ui/modal.tsx'

const themes = [
  { value: 'dark', label: 'Koyu', icon: <MoonIcon size={18} /> },
  { value: 'light', label: 'Açık', icon: <SunIcon size={18} /> },
] as const

/** 'Tercihlerim': how the site looks. */
export function Preferences({ onClose }: OverlayProps): ReactNode {
  const [theme, setTheme] = useState(session.theme())
  const choose = (next: Theme): void => {
    session.setTheme(next)
    setTheme(next)
  }
  return (
    <Modal title="Tercihlerim" onClose={onClose}>
      <Choices legend="Görünüm" choices={themes} chosen={theme} choose={choose} />
    </Modal>
  )
}
