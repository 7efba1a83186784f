import { type ReactNode, useMemo, useState } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import type { PostSort } from '../../../../shared/posts/post.ts'
import { canPost } from '../../../../shared/posts/rules.ts'
import { PREMIUM_REQUIRED_TEXT } from '../../../../shared/posts/texts.ts'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { createPostList } from '../state.ts'
import { ARCHIVE_TITLE, NEW_POST_TITLE } from '../texts.ts'
import { PostListView } from './post-list-view.tsx'
import { SortButton } from './sort-button.tsx'

/** 'Gönderilerim': the viewer's posts, with the new-post form, the archive and the order in a menu. */
export function OwnPostsPanel({ viewer }: { viewer: Person }): ReactNode {
  const [sort, setSort] = useState<PostSort>('createdAt_DESC')
  const store = useMemo(() => createPostList(viewer.id, sort), [viewer.id, sort])
  const openNewPost = (): void => {
    // The server decides; here only the form is not opened in vain.
    if (canPost(viewer)) void openOverlay('newPost', { viewer })
    else void toast(PREMIUM_REQUIRED_TEXT, 'warning')
  }
  const actions = [
    { label: NEW_POST_TITLE, run: openNewPost },
    { label: ARCHIVE_TITLE, run: () => void openOverlay('postArchive', { viewer }) },
  ]
  return (
    <div className="panel-scroll">
      <SortButton
        label="Paylaşım, arşiv ve sıralama"
        text="Seçenekler"
        sort={sort}
        onSort={setSort}
        actions={actions}
      />
      <PostListView
        key={sort}
        store={store}
        ownerName={viewer.username}
        empty={
          <div className="list-note">
            <p>Henüz bir gönderin yok.</p>
            <button type="button" className="button button--accent" onClick={openNewPost}>
              {NEW_POST_TITLE}
            </button>
          </div>
        }
      />
    </div>
  )
}
