import { type ReactNode, useState } from 'react'
import type { BlockedUser } from '../../../shared/relations/protocol.ts'
import { BLOCK_NOT_LIFTED, BLOCKED_USERS_LABEL, UNBLOCK_LABEL, unblockedText } from '../../../shared/relations/rules.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { blockedUserList, requestUnblock } from '../../model/relations/blocks.ts'
import '../../model/relations/relation-row.css'

/** 'Engellenen Kullanıcılar': the users whom the viewer has blocked, each with an unblock button. */
export function BlockedUsers({ onClose }: OverlayProps): ReactNode {
  return (
    <Modal title={BLOCKED_USERS_LABEL} dismissIcon="back" onClose={onClose}>
      <PagedList
        list={blockedUserList}
        empty="Henüz engellenmiş kullanıcı yok"
        row={(user) => <BlockedRow key={user.id} user={user} />}
      />
    </Modal>
  )
}

function BlockedRow({ user }: { user: BlockedUser }): ReactNode {
  const { id, blockedUsername: username, userDetails, isGuest, isGone } = user
  const [isBusy, setBusy] = useState(false)
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    // The event of the unblock removes the row.
    const isLifted = await requestUnblock({ id, username }, { done: unblockedText(username), failed: BLOCK_NOT_LIFTED })
    if (!isLifted) setBusy(false)
  }
  return (
    <li className="relation-row">
      {/* The page opens the profile of a clicked `data-person`. Another user may have the name of a guest who is gone. */}
      <button
        type="button"
        className="row-button grow semibold break"
        {...(isGone ? { disabled: true } : { 'data-person': username, 'aria-haspopup': 'dialog' as const })}
      >
        <Avatar user={{ id, isGuest, ...userDetails }} size={48} />
        <span className="stack gap-0 grow">
          <bdi className="semibold break">{username}</bdi>
          {isGone && <span className="faint small">ayrılmış misafir</span>}
        </span>
      </button>
      <button
        type="button"
        className="button button--compact"
        aria-label={`${UNBLOCK_LABEL}: ${username}`}
        aria-disabled={isBusy}
        onClick={lift}
      >
        {isBusy && <span className="spinner" />}
        {UNBLOCK_LABEL}
      </button>
    </li>
  )
}
