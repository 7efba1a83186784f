import type { ContactChannel } from '../relations/contact-rules.ts'
import type { CallMedia, CallType } from './protocol.ts'

/** The privacy setting that decides on a call. */
export const callChannels = { voice: 'voiceCall', video: 'videoCall' } as const satisfies Record<
  CallType,
  ContactChannel
>

/** A video call starts with the camera on, a voice call with it off; the microphone is on (specification 1, point 4). */
export function initialMedia(callType: CallType): CallMedia {
  return { isMicrophoneOn: true, isCameraOn: callType === 'video', isScreenShared: false }
}
