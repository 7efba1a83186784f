import { type ReactNode, useState } from 'react'
import type { Theme } from '../../../shared/settings/theme.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import { ComputerIcon, MoonIcon, SunIcon } from '../../core/ui/lazy-icons.tsx'
import { callSound, setCallSound } from '../../model/settings/call-sound.ts'
import { PrivacyForm } from './privacy-form.tsx'
import { currentTheme, setTheme } from './theme.ts'
import './preferences.css'

const themes = [
  { value: 'dark', label: 'Koyu', icon: <MoonIcon size={18} /> },
  { value: 'light', label: 'Açık', icon: <SunIcon size={18} /> },
  { value: 'system', label: 'Sistem', icon: <ComputerIcon size={18} /> },
] as const

const callSounds = [
  { value: 'audible', label: 'Sesli' },
  { value: 'silent', label: 'Sessiz' },
] as const

/** 'Tercihlerim': theme, the sound of calls and privacy. Each choice is saved at once. */
export function Preferences({ onClose }: OverlayProps): ReactNode {
  const [chosen, setChosen] = useState(currentTheme())
  const sound = useSignalValue(callSound, callSound.peek())
  const choose = (next: Theme): void => {
    setTheme(next)
    setChosen(next)
  }
  return (
    <Modal title="Tercihlerim" onClose={onClose}>
      <div className="preferences">
        <RadioList legend="Görünüm" options={themes} value={chosen} onChange={choose} />
        <RadioList legend="Arama sesi" options={callSounds} value={sound} onChange={setCallSound} />
        <PrivacyForm />
      </div>
    </Modal>
  )
}
