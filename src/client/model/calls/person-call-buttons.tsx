import type { ReactNode } from 'react'
import { callChannels } from '../../../shared/calls/rules.ts'
import { callButtonLabels } from '../../../shared/calls/window-texts.ts'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { PRIVACY_DEFAULTS } from '../../../shared/settings/rules.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { type ContactTarget, contactRefusalOf } from '../relations/contact-permission.ts'
import type { CallPerson } from './call-person.ts'
import { CallIcon, CameraIcon } from './icons.tsx'
import { placeCall } from './place-call.ts'

interface PersonCallButtonsProps {
  person: CallPerson
  /** What decides whether the viewer may call; null until it is known. */
  target: ContactTarget | null
  className: string
  iconSize: number
}

/** 'Görüntülü ara' and 'Sesli ara'. Where the viewer may not call, a click says why. */
export function PersonCallButtons({ person, target, className, iconSize }: PersonCallButtonsProps): ReactNode {
  if (session.isSelf(person.id)) return null
  return (['video', 'voice'] as const).map((callType) => {
    const refusalText = contactRefusalOf(callChannels[callType], session.user, target)
    const label = callButtonLabels[callType]
    const press = (): void => {
      if (refusalText === null) void placeCall(person, callType)
      else void toast(refusalText, 'warning')
    }
    return (
      <button
        key={callType}
        type="button"
        className={className}
        aria-label={label}
        aria-disabled={refusalText !== null}
        title={refusalText ?? label}
        onClick={press}
      >
        {callType === 'video' ? <CameraIcon size={iconSize} /> : <CallIcon size={iconSize} />}
      </button>
    )
  })
}

/** The buttons of a profile. */
export function ProfileCallButtons({ answer: { profile, status } }: { answer: ConsolidatedProfile }): ReactNode {
  const target = {
    ...PRIVACY_DEFAULTS,
    ...status,
    id: profile.id,
    // Across a block the profile has no settings; the block decides then.
    voiceCallPrivacy: profile.voiceCallPrivacy ?? PRIVACY_DEFAULTS.voiceCallPrivacy,
    videoCallPrivacy: profile.videoCallPrivacy ?? PRIVACY_DEFAULTS.videoCallPrivacy,
    isFollowing: status.followStatus === 'following',
    isFollowedBy: status.followBackStatus === 'following',
  }
  return <PersonCallButtons person={profile} target={target} className="button profile-icon-button" iconSize={18} />
}
