import { type ReactNode, useEffect, useState } from 'react'
import type { BlockStatus, Person, PublicProfile } from '../../shared/accounts/protocol.ts'
import { profileTexts } from '../../shared/profiles/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { HAS_BLOCKED_TEXT, IS_BLOCKED_TEXT } from '../../shared/relations/contact-rules.ts'
import { BLOCK_LABEL, UNBLOCK_LABEL } from '../../shared/relations/rules.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { session } from '../accounts/session.ts'
import { copyText } from '../copy-text.ts'
import { MessageButton } from '../direct-messages/message-button.tsx'
import { callApi } from '../http/call-api.ts'
import { live } from '../live/state.ts'
import { lastSeenText, onlineText } from '../presence/last-seen.ts'
import { OnlineDot } from '../presence/online-dot.tsx'
import { openBlockDialog, requestUnblock } from '../relations/blocks.ts'
import { FollowSection } from '../relations/follow-section.tsx'
import { roomUsers } from '../rooms/room-users-state.ts'
import { toast } from '../shell/toasts/toast.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { BlockIcon } from '../ui/lazy-icons.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { CopyIcon } from './icons.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ProfileDetailsView } from './profile-details.tsx'
import { TierLabel } from './tier-label.tsx'
import { GenderBadge, genderName, PlatformBadge, platformName } from './user-badges.tsx'
import '../ui/large-avatar.css'
import './profile-modal.css'

interface ProfileModalProps {
  username: string
  /** The user as a list showed them, until the profile has loaded. */
  initialUser: Person | null
  onClose: () => void
}

type ProfileLookup = PublicProfile | 'notFound' | null

/** A user's profile. */
export function ProfileModal({ username, initialUser, onClose }: ProfileModalProps): ReactNode {
  const { person, looked } = useProfileLookup(username, initialUser, onClose)
  useEffect(() => {
    document.addEventListener('panelChange', onClose)
    return () => document.removeEventListener('panelChange', onClose)
  }, [onClose])

  if (looked === 'notFound') {
    return (
      <Modal title="Profil" onClose={onClose}>
        <p className="profile-not-found">Profil bulunamadı.</p>
      </Modal>
    )
  }
  return (
    <Modal title="Profil" onClose={onClose}>
      {person ? <ProfileSummary person={person} face={looked} /> : <ProfileLoading />}
    </Modal>
  )
}

function ProfileSummary({ person, face }: { person: Person; face: PublicProfile | null }): ReactNode {
  return (
    <div className="profile">
      <span className="person-avatar profile-avatar">
        <Avatar user={{ ...person, avatarUrl: face?.largeAvatarUrl ?? person.avatarUrl }} size={96} />
        <OnlineDot isOnline={person.isOnline} />
      </span>
      <h3 className="profile-name">
        <bdi>{person.username}</bdi>
      </h3>
      <TierLabel person={person} />
      <p className="profile-seen" role="status">
        {face && (blockText(face) ?? presenceText(person.isOnline, face))}
      </p>
      {face && <ProfileDetailsView about={face} />}
      <ProfileFacts person={person} />
      <FollowSection user={person} status={face?.status} />
      <div className="profile-actions">
        <MessageButton person={person} />
        <button type="button" className="button" onClick={() => copyText(person.username)}>
          <CopyIcon size={18} />
          {profileTexts.copyUsername}
        </button>
        <PersonMenu person={face ? { ...face, ...person } : person} />
        {!session.isSelf(person.id) && <BlockButton person={person} status={face?.status} />}
      </div>
    </div>
  )
}

function ProfileFacts({ person }: { person: Person }): ReactNode {
  const gender = genderName(person.gender)
  return (
    <dl className="profile-details">
      <div>
        <dt>Platform</dt>
        <dd>
          <PlatformBadge platform={person.lastLoginPlatform} />
          {platformName(person.lastLoginPlatform)}
        </dd>
      </div>
      <div>
        <dt>Cinsiyet</dt>
        <dd>
          <GenderBadge gender={person.gender} />
          {gender ?? (person.gender === 'other' ? 'Diğer' : 'Belirtilmemiş')}
        </dd>
      </div>
    </dl>
  )
}

/**
 * The block or unblock button. It is invisible but takes its space until the block status is known, and when the
 * viewer is blocked by the person (specification 1, point 4, "Block").
 */
function BlockButton({ person, status }: { person: Person; status: BlockStatus | undefined }): ReactNode {
  const isBlocked = status?.hasBlockedProfile === true
  const isOffered = status?.isBlockedByProfile === false
  return (
    <button
      type="button"
      className={isBlocked ? 'button profile-block' : 'button button--danger profile-block'}
      data-offered={isOffered}
      disabled={!isOffered}
      onClick={() => (isBlocked ? requestUnblock(person) : openBlockDialog(person))}
    >
      <BlockIcon size={18} />
      {isBlocked ? UNBLOCK_LABEL : BLOCK_LABEL}
    </button>
  )
}

function ProfileLoading(): ReactNode {
  return (
    <div className="profile profile--wait">
      <span className="spinner" role="status" aria-label="Yükleniyor..." />
    </div>
  )
}

/** Why a block hides the profile, in the texts of a blocked composer (specification 1, point 2). */
function blockText({ status, lastActive }: PublicProfile): string | null {
  if (lastActive !== undefined) return null
  return status.hasBlockedProfile ? HAS_BLOCKED_TEXT : IS_BLOCKED_TEXT
}

/** The presence text; without a known time when the presence has changed since the lookup. */
function presenceText(isOnline: boolean, face: PublicProfile): string {
  const now = live.serverNow()
  if (isOnline) return onlineText(face.connectedAt ?? null, now)
  return lastSeenText(face.isOnline ? now : (face.lastActive ?? now), now)
}

/**
 * Loads a profile; `looked` is null until the answer. A failure is shown in a toast and closes a modal without data
 * (specification 1, point 8). It is loaded again when the person leaves the room or changes the profile.
 */
function useProfileLookup(
  username: string,
  known: Person | null,
  onClose: () => void,
): { person: Person | null; looked: ProfileLookup } {
  const [looked, setLooked] = useState<ProfileLookup>(null)
  const found = looked === null || looked === 'notFound' ? known : looked
  const here = useRoomMember(found?.id)
  useEffect(
    () =>
      live.on('userProfileUpdated', ({ user }) =>
        setLooked((before) => (isProfileOf(before, user.id) ? { ...before, ...user } : before)),
      ),
    [],
  )
  const changes = useProfileRevision(found?.id)
  const [wasHere, setWasHere] = useState(false)
  if (here && !wasHere) setWasHere(true)
  const hasLeft = wasHere && !here

  // biome-ignore lint/correctness/useExhaustiveDependencies: the lookup's own result must not repeat it
  useEffect(() => {
    let isOpen = true
    const name = found?.username ?? username
    const look = async (): Promise<void> => {
      const answer = await callApi<'userByName'>(`/users/username/${encodeURIComponent(name)}`, { as: 'user' })
      if (!isOpen) return
      if (answer === 'noAnswer' || (answer instanceof Refusal && answer.body.code !== 'NotFound')) {
        toast(profileTexts.notLoaded, 'error')
        if (!found) onClose()
      } else if (answer instanceof Refusal) setLooked('notFound')
      else if (foldName(answer.user.username) === foldName(name)) setLooked(answer.user)
    }
    void look()
    return () => {
      isOpen = false
    }
  }, [username, hasLeft, changes])
  return { person: found && here ? { ...found, ...here } : found, looked }
}

/**
 * Counts profile changes of a user and blocks between the user and the viewer; after each the profile must be loaded
 * again, as the events do not carry it.
 */
function useProfileRevision(id: UserId | undefined): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const noteFor = (...ids: UserId[]): void => {
      if (id !== undefined && ids.includes(id)) setChanges((before) => before + 1)
    }
    const ends = [
      live.on('userProfileUpdated', ({ user }) => noteFor(user.id)),
      live.on('userBlocked', ({ blockerId, blockedId }) => noteFor(blockerId, blockedId)),
      live.on('userUnblocked', ({ blockerId, blockedId }) => noteFor(blockerId, blockedId)),
    ]
    return () => ends.forEach((end) => void end())
  }, [id])
  return changes
}

/** A user as the list of the room's people has them now; undefined outside the room. */
function useRoomMember(id: UserId | undefined): Person | undefined {
  const { users } = useSignalValue(roomUsers, roomUsers.peek())
  return users.find((user) => user.id === id)
}

function isProfileOf(looked: ProfileLookup, id: UserId): looked is PublicProfile {
  return looked !== null && looked !== 'notFound' && looked.id === id
}
