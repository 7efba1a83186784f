import type { ReactNode } from 'react'

export const title = (): string => 'Framed'

export function Frame({ main }: { main: ReactNode }): ReactNode {
  return (
    <div>
      <aside>Frame</aside>
      {main}
    </div>
  )
}

export function Page(): ReactNode {
  return <h1>Framed</h1>
}
