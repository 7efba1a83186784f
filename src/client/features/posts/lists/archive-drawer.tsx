import { type ReactNode, useMemo } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import { POST_UNARCHIVED_TEXT } from '../../../../shared/posts/texts.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { Sheet } from '../../../core/ui/dialogs/sheet.tsx'
import { createArchive } from '../state.ts'
import { ARCHIVE_TITLE } from '../texts.ts'
import { PostListView } from './post-list-view.tsx'

/** 'Arşiv': the viewer's archived posts. One that leaves it is reported (specification 2, point 4, "Archive"). */
export function ArchiveDrawer({ viewer, onClose }: OverlayProps & { viewer: Person }): ReactNode {
  const store = useMemo(() => createArchive(viewer.id, () => void toast(POST_UNARCHIVED_TEXT, 'info')), [viewer.id])
  return (
    <Sheet title={ARCHIVE_TITLE} titleId="post-archive-title" side="drawer" onClose={onClose}>
      <div className="panel-scroll">
        <PostListView store={store} ownerName={viewer.username} empty="Arşivinde gönderi yok." />
      </div>
    </Sheet>
  )
}
