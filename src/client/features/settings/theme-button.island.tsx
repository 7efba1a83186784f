import type { ReactNode } from 'react'
import { MoonIcon, SunIcon } from '../../core/ui/lazy-icons.tsx'
import { toggleTheme } from './theme.ts'
import './theme-button.css'

/** Switches between dark and light. Both icons are rendered; CSS shows the one of the other theme. */
export function ThemeButton(): ReactNode {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Temayı değiştir"
      title="Temayı değiştir"
      onClick={toggleTheme}
    >
      <span className="in-dark">
        <SunIcon />
      </span>
      <span className="in-light">
        <MoonIcon />
      </span>
    </button>
  )
}
