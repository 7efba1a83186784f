import { session } from '../accounts/session.ts'
import type { CallPerson, CallType } from './call-state.ts'
import { callStore } from './call-store.ts'

/** A camera, microphone or speaker of this machine. */
export interface CallDevice {
  kind: MediaDeviceKind
  deviceId: string
  /** By the browser, or numbered by us where it has none. */
  label: string
  isSelected: boolean
}

/** Calls a user. Without a microphone no call is made, and its window says why. */
export async function startCall(person: CallPerson, callType: CallType): Promise<void> {
  callStore.apply({ kind: 'start', callType, selfUsername: session.username(), other: person })
}

/** Accepts the incoming call. */
export async function acceptCall(): Promise<void> {
  callStore.apply({ kind: 'accept' })
}

/** Declines the incoming call. */
export function declineCall(): void {
  closeCall()
}

/** Ends the call, or gives up while it rings. */
export function endCall(): void {
  callStore.apply({ kind: 'end', text: null })
}

export async function toggleCamera(): Promise<void> {
  callStore.patch({ isCameraOn: !callStore.call.peek()?.isCameraOn })
}

export async function toggleMicrophone(): Promise<void> {
  callStore.patch({ isMicrophoneOn: !callStore.call.peek()?.isMicrophoneOn })
}

/** Enables or disables the received audio. */
export function toggleSpeaker(): void {
  callStore.patch({ isSpeakerOn: !callStore.call.peek()?.isSpeakerOn })
}

/** Asks the other user to make the voice call a video call. */
export function askForVideo(): void {
  callStore.patch({ videoRequest: 'sent' })
}

/** Answers the other user's request for video. */
export async function answerVideo(accepted: boolean): Promise<void> {
  callStore.patch({ videoRequest: null, ...(accepted && { callType: 'video', isCameraOn: true }) })
}

/** Whether this browser can share its screen. */
export function canShareScreen(): boolean {
  return 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices
}

/** Shares the screen in place of the camera, or ends that. */
export async function toggleScreen(): Promise<void> {
  callStore.patch({ isScreenShared: !callStore.call.peek()?.isScreenShared })
}

/** Changes between the front and the back camera. */
export async function flipCamera(): Promise<void> {
  callStore.patch({ cameraFacing: callStore.call.peek()?.cameraFacing === 'user' ? 'environment' : 'user' })
}

/** The devices of this machine, without those that the browser hides. */
export async function listDevices(): Promise<CallDevice[]> {
  return []
}

/** Uses a device from now on, in later calls too. */
export async function selectDevice(_kind: MediaDeviceKind, _deviceId: string): Promise<void> {}

/** Plays on the chosen speaker; for each element that plays `remoteStream`. */
export async function applySpeaker(_element: HTMLMediaElement): Promise<void> {}

/** Calls the other user of an ended call again. */
export async function callAgain(): Promise<void> {
  const { other, callType } = callStore.call.peek() ?? {}
  closeCall()
  if (other && callType) await startCall(other, callType)
}

/** Dismisses a call that has ended. */
export function closeCall(): void {
  callStore.apply({ kind: 'reset' })
}
