import { type ReactNode, useCallback, useLayoutEffect, useMemo } from 'react'
import type { Post } from '../../../../shared/posts/post.ts'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { computed, type ReadonlySignal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { PagedList } from '../../../core/ui/lists/paged-list.tsx'
import type { ViewableMedia } from '../../../model/conversation/media/media-viewer.tsx'
import { PostCard } from '../post-card.tsx'
import type { PostList } from './post-list.ts'
import '../posts.lazy.css'

interface PostListViewProps {
  store: PostList
  /** Whose posts they are. */
  ownerName: string
  /** What an empty list shows. */
  empty: ReactNode
}

/** Posts below each other, which load as the viewer scrolls. */
export function PostListView({ store, ownerName, empty }: PostListViewProps): ReactNode {
  const isClosed = useSignalValue(store.isClosed, false)
  const photos = useMemo(() => photosOf(store, ownerName), [store, ownerName])
  // Before the list loads its first page, which would be without events otherwise.
  useLayoutEffect(() => store.open(), [store])
  const openPhoto = useCallback(
    ({ id }: Post) => void openOverlay('mediaViewer', { source: photos, firstKey: String(id) }),
    [photos],
  )
  if (isClosed) return <p className="list-note">Bu gönderileri artık göremezsin.</p>
  return (
    <div className="posts">
      <PagedList
        list={store}
        empty={empty}
        isEndless
        row={(post) => (
          <li key={post.id}>
            <PostCard post={post} store={store} ownerName={ownerName} onOpenPhoto={openPhoto} />
          </li>
        )}
      />
    </div>
  )
}

/** The loaded photos, as the media viewer steps through them. */
function photosOf(store: PostList, username: string): ReadonlySignal<readonly ViewableMedia[]> {
  return computed(() =>
    (store.list.value?.items ?? [])
      .filter(({ type }) => type === 'photo')
      .map(({ id, url, mediumUrl, width, height, description, createdAt }) => ({
        key: String(id),
        media: { mediaType: 'image' as const, originalPath: url, thumbnailPath: mediumUrl, width, height },
        content: description,
        sender: { username },
        createdAt,
      })),
  )
}
