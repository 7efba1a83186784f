import type { ReactNode } from 'react'
import { BLOCK_LABEL } from '../../../shared/relations/rules.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { type BlockTarget, requestBlock } from '../../model/relations/blocks.ts'

interface BlockDialogProps extends OverlayProps {
  target: BlockTarget
}

/** Asks before a user is blocked. */
export function BlockDialog({ target, onClose }: BlockDialogProps): ReactNode {
  return (
    <ConfirmDialog title={BLOCK_LABEL} confirmLabel={BLOCK_LABEL} run={() => requestBlock(target)} onClose={onClose}>
      <bdi>{target.username}</bdi> ne yazarsa yazsın görmezsin; profilini de göremezsin, o da seninkini. Bunu istediğin
      zaman geri alabilirsin.
    </ConfirmDialog>
  )
}
