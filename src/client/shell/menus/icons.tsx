import { icon } from '../../ui/icons.tsx'

/** Drawings of the side menu alone. */
export const SlidersIcon = icon(
  <path d="M4 7.5h9M18.5 7.5H20M4 16.5h1.5M11 16.5h9M18.5 7.5a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0ZM11 16.5a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z" />,
)
export const PencilIcon = icon(
  <path d="M4 20l1-4.2L15.8 5a2 2 0 0 1 2.8 0l.4.4a2 2 0 0 1 0 2.8L8.2 19 4 20ZM14 6.8l3.2 3.2" />,
)
