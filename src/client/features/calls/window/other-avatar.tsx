import type { ReactNode } from 'react'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import type { Call } from '../call-state.ts'
import '../../../core/ui/person/large-avatar.css'

/** The other participant's avatar; its place where they are not known yet. */
export function OtherAvatar({ call: { other }, size }: { call: Call; size: 48 | 96 | 128 }): ReactNode {
  return other ? <Avatar user={other} size={size} /> : <span className={`avatar avatar--${size}`} />
}
