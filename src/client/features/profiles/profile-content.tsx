import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { profileTexts } from '../../../shared/profiles/rules.ts'
import { PROFILE_HIDDEN_TEXT } from '../../../shared/profiles/view-rules.ts'
import { HAS_BLOCKED_TEXT, IS_BLOCKED_TEXT } from '../../../shared/relations/contact-rules.ts'
import { BLOCK_LABEL, UNBLOCK_LABEL } from '../../../shared/relations/rules.ts'
import { useLazy } from '../../core/loading/use-lazy.ts'
import { OnlineDot } from '../../core/presence/online-dot.tsx'
import { session } from '../../core/session/session.ts'
import { copyText } from '../../core/shell/copy-text.ts'
import { BlockIcon, MailIcon } from '../../core/ui/lazy-icons.tsx'
import { LIST_NOT_LOADED, ListFailure } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { CopyIcon } from '../../core/ui/person/icons.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { GenderBadge, PlatformBadge } from '../../core/ui/person/user-badges.tsx'
import { ProfileCallButtons } from '../../model/calls/person-call-buttons.tsx'
import { type ProfileSection, profileSections } from '../../model/profiles/profile-section.ts'
import { openBlockDialog, requestUnblock } from '../../model/relations/blocks.ts'
import { FollowSection, ProfileFollowButton } from '../../model/relations/follow-section.tsx'
import { ProfileDetailsView } from './profile-details.tsx'
import '../../core/ui/person/large-avatar.css'
import { openDirectWindow } from '../../model/direct-messages/open-window.ts'

interface ProfileContentProps {
  /** As far as the user is known; null before anything is. */
  person: Person | null
  /** null until it has loaded. */
  answer: ConsolidatedProfile | null
  isFailed: boolean
  reload: () => Promise<void>
}

/** A user with everything that the viewer may see, and the buttons to follow, block, call and write to them. */
export function ProfileContent({ person, answer, isFailed, reload }: ProfileContentProps): ReactNode {
  return (
    <div className="panel-scroll profile">
      <ProfileHead person={person} largeAvatarUrl={answer?.profile.largeAvatarUrl ?? null} />
      {answer && (
        <>
          <ProfileDetailsView about={answer.profile} />
          <ProfileNotice answer={answer} />
          <FollowSection answer={answer} reload={reload} />
          <ProfileActions answer={answer} reload={reload} />
          {profileSections.all
            .filter((section) => section.isShown(answer))
            .map((section) => (
              <LoadedSection key={section.order} section={section} answer={answer} />
            ))}
        </>
      )}
      {!answer && isFailed && <ListFailure reason={LIST_NOT_LOADED} reload={() => void reload()} />}
      {!answer && !isFailed && <ProfileSkeleton />}
    </div>
  )
}

function ProfileHead({ person, largeAvatarUrl }: { person: Person | null; largeAvatarUrl: string | null }): ReactNode {
  if (!person) {
    return (
      <div className="profile-head">
        <span />
        <span />
      </div>
    )
  }
  return (
    <div className="profile-head">
      <span className="person-avatar">
        <Avatar user={{ ...person, avatarUrl: largeAvatarUrl ?? person.avatarUrl }} size={128} />
        <OnlineDot isOnline={person.isOnline} />
      </span>
      <div className="row">
        <PlatformBadge platform={person.lastLoginPlatform} />
        <h3>
          <bdi>{person.username}</bdi>
        </h3>
        <GenderBadge gender={person.gender} />
      </div>
      <TierLabel person={person} />
    </div>
  )
}

/** Why content is missing: a block, or a private account that the viewer does not follow. */
function ProfileNotice({ answer: { profile, status } }: { answer: ConsolidatedProfile }): ReactNode {
  if (status.hasBlockedProfile) return <p className="profile-notice">{HAS_BLOCKED_TEXT}</p>
  if (status.isBlockedByProfile) return <p className="profile-notice">{IS_BLOCKED_TEXT}</p>
  if (status.canViewProfile || profile.isGuest) return null
  return (
    <p className="profile-notice">
      <b>{PROFILE_HIDDEN_TEXT}</b> {profileTexts.hiddenHint}
    </p>
  )
}

/** In the order of specification 1, point 2, "Profile panel". */
function ProfileActions({
  answer,
  reload,
}: Pick<ProfileContentProps, 'reload'> & { answer: ConsolidatedProfile }): ReactNode {
  const { profile, status } = answer
  return (
    <div className="row wrap profile-actions">
      <ProfileFollowButton answer={answer} reload={reload} />
      <IconButton
        label={profileTexts.copyUsername}
        icon={<CopyIcon size={18} />}
        run={() => copyText(profile.username)}
      />
      {/* Nobody who is blocked may block in return here (specification 1, point 4, "Block"); the menu keeps it. */}
      {!session.isSelf(profile.id) && !status.isBlockedByProfile && (
        <BlockButton person={profile} isBlocked={status.hasBlockedProfile} />
      )}
      <ProfileCallButtons answer={answer} />
      <MessageButton person={profile} />
    </div>
  )
}

/** A button without a text, which the profile has no space for. */
function IconButton({ label, icon, run }: { label: string; icon: ReactNode; run: () => unknown }): ReactNode {
  return (
    <button type="button" className="button profile-icon-button" aria-label={label} title={label} onClick={run}>
      {icon}
    </button>
  )
}

function BlockButton({ person, isBlocked }: { person: Person; isBlocked: boolean }): ReactNode {
  if (!isBlocked) {
    return <IconButton label={BLOCK_LABEL} icon={<BlockIcon size={18} />} run={() => openBlockDialog(person)} />
  }
  return (
    <button type="button" className="button" onClick={() => requestUnblock(person)}>
      <BlockIcon size={18} />
      {UNBLOCK_LABEL}
    </button>
  )
}

function LoadedSection({ section, answer }: { section: ProfileSection; answer: ConsolidatedProfile }): ReactNode {
  const part = useLazy(section.load)
  return part && <part.component answer={answer} />
}

/** Takes the space of what loads: details, counts and buttons. */
function ProfileSkeleton(): ReactNode {
  return (
    <div className="profile-skeleton" role="status" aria-label="Yükleniyor...">
      <span />
      <span />
      <span />
      <span />
    </div>
  )
}

/** The profile's button that opens the conversation with a user. */
function MessageButton({ person }: { person: Person }): ReactNode {
  if (session.isSelf(person.id)) return null
  return (
    <button type="button" className="button" onClick={() => void openDirectWindow(person)}>
      <MailIcon size={18} />
      Mesaj
    </button>
  )
}
