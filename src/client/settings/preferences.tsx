import { type ReactNode, useState } from 'react'
import type { Theme } from '../live/environment.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Choices } from '../ui/choices.tsx'
import { MoonIcon, SunIcon } from '../ui/later-icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { PrivacyForm } from './privacy-form.tsx'
import { setTheme, theme } from './theme.ts'
import './preferences.css'

const themes = [
  { value: 'dark', label: 'Koyu', icon: <MoonIcon size={18} /> },
  { value: 'light', label: 'Açık', icon: <SunIcon size={18} /> },
] as const

/** 'Tercihlerim': how the site looks, and whom one lets come near. Each choice holds at once. */
export function Preferences({ onClose }: OverlayProps): ReactNode {
  const [chosen, setChosen] = useState(theme())
  const choose = (next: Theme): void => {
    setTheme(next)
    setChosen(next)
  }
  return (
    <Modal title="Tercihlerim" onClose={onClose}>
      <div className="preferences">
        <Choices legend="Görünüm" choices={themes} chosen={chosen} choose={choose} />
        <PrivacyForm />
      </div>
    </Modal>
  )
}
