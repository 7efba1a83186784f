import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Form } from '../../pieces/form.island.tsx'

export const title = (): string => 'Form'

export function Page(): ReactNode {
  return <Island is={Form} on="interaction" />
}
