import { type ReactNode, useMemo, useState } from 'react'
import type { PostSort } from '../../../../shared/posts/post.ts'
import type { ProfileSectionProps } from '../../../model/profiles/profile-section.ts'
import { createPostList } from '../state.ts'
import { PostListView } from './post-list-view.tsx'
import { SortButton } from './sort-button.tsx'

/** The posts in somebody's profile. */
export function ProfilePosts({ answer }: ProfileSectionProps): ReactNode {
  const { id, username } = answer.profile
  const [sort, setSort] = useState<PostSort>('createdAt_DESC')
  const store = useMemo(() => createPostList(id, sort), [id, sort])
  return (
    <section className="profile-section" aria-label="Gönderiler">
      <SortButton label="Sıralama" sort={sort} onSort={setSort}>
        <h4>Gönderiler</h4>
      </SortButton>
      <PostListView key={sort} store={store} ownerName={username} empty="Henüz gönderi yok." />
    </section>
  )
}
