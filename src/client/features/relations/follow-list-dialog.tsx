import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import { REMOVE_FOLLOWER_LABEL, UNFOLLOW_LABEL } from '../../../shared/relations/follow-rules.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { GenderBadge } from '../../core/ui/person/user-badges.tsx'
import { applyFollowChange, type FollowList, type FollowSide } from '../../model/relations/follow-list.ts'
import {
  createFollowList,
  listenForFollows,
  requestRemoveFollower,
  requestUnfollow,
} from '../../model/relations/follows.ts'
import '../../model/relations/relation-row.css'

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
  const userId = user.id
  const follows = useMemo(() => createFollowList(userId, side), [userId, side])
  useEffect(
    () => listenForFollows((change) => applyFollowChange(follows, { userId, side }, change)),
    [follows, userId, side],
  )
  useClosingWithAccess(userId, follows, onClose)
  const isOwn = session.isSelf(userId)
  return (
    <Modal title={texts[side].title} dismissIcon="back" onClose={onClose}>
      <PagedList
        list={follows}
        empty={texts[side].empty}
        row={(entry) => <FollowRow key={entry.id} entry={entry} end={isOwn ? ownEnds[side] : null} />}
      />
    </Modal>
  )
}

/** Closes the list when the account became private and the viewer may not see it any more. */
function useClosingWithAccess(userId: UserId, follows: FollowList, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(
    () =>
      live.on('profileViewChanged', async (change) => {
        if (change.userId === userId && (await follows.reload()) !== null) close.current()
      }),
    [follows, userId],
  )
}

/** How the owner of a list ends a follow in it. */
const ownEnds = {
  followers: { label: REMOVE_FOLLOWER_LABEL, request: requestRemoveFollower },
  following: { label: UNFOLLOW_LABEL, request: requestUnfollow },
}

interface FollowRowProps {
  entry: FollowListEntry
  /** null in the lists of others. */
  end: (typeof ownEnds)[FollowSide] | null
}

function FollowRow({ entry, end }: FollowRowProps): ReactNode {
  const { id, username } = entry
  const [isBusy, setBusy] = useState(false)
  const endFollow = async (): Promise<void> => {
    if (isBusy || !end) return
    setBusy(true)
    // The event of the change removes the row.
    if (!(await end.request(id))) setBusy(false)
  }
  return (
    <li className="relation-row">
      {/* The page opens the profile of a clicked `data-person`. */}
      <button type="button" className="row-button grow semibold break" data-person={username} aria-haspopup="dialog">
        <Avatar user={entry} size={48} />
        <bdi>{username}</bdi>
        <GenderBadge gender={entry.gender} />
      </button>
      {end && (
        <button
          type="button"
          className="button button--compact"
          aria-label={`${end.label}: ${username}`}
          aria-disabled={isBusy}
          onClick={() => void endFollow()}
        >
          {isBusy && <span className="spinner" />}
          {end.label}
        </button>
      )}
    </li>
  )
}
