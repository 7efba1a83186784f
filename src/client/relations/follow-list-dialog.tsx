import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { UserId } from '../../shared/protocol/ids.ts'
import type { FollowListEntry } from '../../shared/relations/follow-protocol.ts'
import { UNFOLLOW_LABEL } from '../../shared/relations/follow-rules.ts'
import { session } from '../accounts/session.ts'
import { GenderBadge } from '../profiles/user-badges.tsx'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { FollowListStore, type FollowSide } from './follow-list.ts'
import { fetchFollowPage, listenForFollows, requestUnfollow } from './follows.ts'
import './follows.css'
import './relation-row.css'

interface FollowListDialogProps extends OverlayProps {
  user: { id: UserId; username: string }
  side: FollowSide
}

const texts = {
  followers: { title: 'Takipçiler', empty: 'Henüz takipçi yok' },
  following: { title: 'Takip edilenler', empty: 'Henüz takip edilen yok' },
}

/** The followers of a user, or the users whom that user follows. */
export function FollowListDialog({ user, side, onClose }: FollowListDialogProps): ReactNode {
  const store = useMemo(
    () => new FollowListStore(user.id, side, (before) => fetchFollowPage(user.id, side, before)),
    [user.id, side],
  )
  const list = useSignalValue(store.list, null)
  useEffect(() => listenForFollows((change) => store.applyChange(change)), [store])
  const canUnfollow = side === 'following' && session.isSelf(user.id)
  return (
    <Modal title={texts[side].title} dismissIcon="back" onClose={onClose}>
      <PagedList
        list={list}
        load={(before) => store.load(before)}
        empty={texts[side].empty}
        row={(entry) => <FollowRow key={entry.id} entry={entry} canUnfollow={canUnfollow} />}
      />
    </Modal>
  )
}

function FollowRow({ entry, canUnfollow }: { entry: FollowListEntry; canUnfollow: boolean }): ReactNode {
  const { id, username } = entry
  const [isBusy, setBusy] = useState(false)
  const unfollow = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // The event of the unfollow removes the row.
    if (!(await requestUnfollow(id))) setBusy(false)
  }
  return (
    <li className="relation-row">
      {/* The page opens the profile of a pressed `data-person`. */}
      <button type="button" className="follow-person" data-person={username} aria-haspopup="dialog">
        <Avatar user={entry} size={48} />
        <bdi>{username}</bdi>
        <GenderBadge gender={entry.gender} />
      </button>
      {canUnfollow && (
        <button
          type="button"
          className="button"
          aria-label={`${UNFOLLOW_LABEL}: ${username}`}
          aria-disabled={isBusy}
          onClick={() => void unfollow()}
        >
          {isBusy && <span className="spinner" />}
          {UNFOLLOW_LABEL}
        </button>
      )}
    </li>
  )
}
