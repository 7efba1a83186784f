import type { ReactNode } from 'react'
import './brand.css'

/** The logo: two arches that form an m, with a person in each (art/icon.svg). */
function BrandMark({ size = 32 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="6 14 52 40" aria-hidden="true">
      <path d="M12 50V29a10 10 0 0 1 20 0v21M32 50V29a10 10 0 0 1 20 0v21" />
      <circle cx="22" cy="33.5" r="3.7" />
      <circle cx="42" cy="33.5" r="3.7" />
      <path d="M17.2 50v-5.5a4.8 4.8 0 0 1 9.6 0V50ZM37.2 50v-5.5a4.8 4.8 0 0 1 9.6 0V50Z" />
    </svg>
  )
}

/** The logo with the name. */
export function Brand({ size = 34 }: { size?: number }): ReactNode {
  return (
    <span className="brand">
      <BrandMark size={size} />
      <span>meydan</span>
    </span>
  )
}
