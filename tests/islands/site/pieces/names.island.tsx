import type { ReactNode } from 'react'

export function Names({ label, names }: { label: string; names: readonly string[] }): ReactNode {
  return (
    <ul aria-label={label}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}
