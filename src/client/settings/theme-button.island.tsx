import type { ReactNode } from 'react'
import { MoonIcon, SunIcon } from '../ui/lazy-icons.tsx'
import { currentTheme, setTheme } from './theme.ts'
import './theme-button.css'

/** Changes between dark and light. Both drawings are there; CSS shows the one of the theme that would come. */
export function ThemeButton(): ReactNode {
  const change = (): void => setTheme(currentTheme() === 'dark' ? 'light' : 'dark')
  return (
    <button type="button" className="icon-button" aria-label="Temayı değiştir" title="Temayı değiştir" onClick={change}>
      <span className="in-dark">
        <SunIcon />
      </span>
      <span className="in-light">
        <MoonIcon />
      </span>
    </button>
  )
}
