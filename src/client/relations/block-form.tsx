import type { ReactNode } from 'react'
import { BLOCK_LABEL } from '../../shared/relations/rules.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Confirm } from '../ui/confirm.tsx'
import { block, type Whom } from './blocks.ts'

interface BlockFormProps extends OverlayProps {
  whom: Whom
}

/** Asks before somebody is blocked. */
export function BlockForm({ whom, onClose }: BlockFormProps): ReactNode {
  return (
    <Confirm title={BLOCK_LABEL} deed={BLOCK_LABEL} run={() => block(whom)} onClose={onClose}>
      <bdi>{whom.username}</bdi> ne yazarsa yazsın görmezsin, birbirinizin profilini de göremezsiniz. Bunu istediğin
      zaman geri alabilirsin.
    </Confirm>
  )
}
