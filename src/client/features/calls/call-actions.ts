import { unnamedDeviceText } from '../../../shared/calls/media-texts.ts'
import type { CallPerson } from '../../model/calls/call-person.ts'
import { browserCallPlatform } from './call-platform.ts'
import type { CallType } from './call-state.ts'
import { callStore } from './call-store.ts'
import { DeviceChoices } from './connection/device-choices.ts'
import { calls } from './state.ts'

/** A camera, microphone or speaker of this machine. */
export interface CallDevice {
  kind: MediaDeviceKind
  deviceId: string
  /** By the browser, or numbered by us where it has none. */
  label: string
  isSelected: boolean
}

const choices = new DeviceChoices(browserCallPlatform.environment.browserStorage)

/** Calls a user. Without a microphone no call is made, and its window says why. */
export function startCall(person: CallPerson, callType: CallType): Promise<void> {
  return calls.start(person, callType)
}

/** Accepts the incoming call. */
export function acceptCall(): Promise<void> {
  return calls.accept()
}

/** Declines the incoming call. */
export function declineCall(): void {
  calls.decline()
}

/** Ends the call, or gives up while it rings. */
export function endCall(): void {
  calls.end()
}

/** Turns the camera of a video call on or off. */
export async function toggleCamera(): Promise<void> {
  if (callStore.call.peek()?.callType === 'video') await calls.active?.toggleCamera()
}

/** Turns the microphone on or off. */
export async function toggleMicrophone(): Promise<void> {
  await calls.active?.toggleMicrophone()
}

/** Enables or disables the received audio. */
export function toggleSpeaker(): void {
  calls.active?.setSpeaker(!callStore.call.peek()?.isSpeakerOn)
}

/** Asks the other user to make the voice call a video call. */
export function askForVideo(): void {
  const { active } = calls
  if (!active || !canAskForVideo()) return
  callStore.patch({ videoRequest: 'sent' })
  void active.send('dmCallVideo', { action: 'ask' }).then((answer) => {
    if (!('success' in Object(answer))) callStore.patch({ videoRequest: null })
  })
}

function canAskForVideo(): boolean {
  const { callType, phase, videoRequest } = callStore.call.peek() ?? {}
  return callType === 'voice' && phase === 'connected' && videoRequest === null
}

/** Answers the other user's request for video. */
export async function answerVideo(accepted: boolean): Promise<void> {
  const { active } = calls
  if (!active || callStore.call.peek()?.videoRequest !== 'received') return
  callStore.patch({ videoRequest: null })
  void active.send('dmCallVideo', { action: accepted ? 'accept' : 'decline' })
  if (accepted) await active.becomeVideo()
}

/** Whether this browser can share its screen. */
export function canShareScreen(): boolean {
  return 'getDisplayMedia' in (browserCallPlatform.devices ?? {})
}

/** Shares the screen in place of the camera, or ends that. */
export async function toggleScreen(): Promise<void> {
  await calls.active?.toggleScreen()
}

/** Changes between the front and the back camera. */
export async function flipCamera(): Promise<void> {
  await calls.active?.media.flipCamera()
}

/** The devices of this machine; before the first permission the browser hides them. */
export async function listDevices(): Promise<CallDevice[]> {
  const devices = (await browserCallPlatform.devices?.enumerateDevices()) ?? []
  const { microphone, camera } = calls.active?.media ?? {}
  const used = [microphone?.getSettings().deviceId, camera?.getSettings().deviceId]
  const speaker = choices.get('audiooutput') ?? 'default'
  return Object.values(Object.groupBy(devices, ({ kind }) => kind)).flatMap((ofKind) =>
    ofKind
      .filter(({ deviceId }) => deviceId !== '')
      .map(({ kind, deviceId, label }, index) => ({
        ...{ kind, deviceId, label: label || unnamedDeviceText(kind, index + 1) },
        isSelected: kind === 'audiooutput' ? deviceId === speaker : used.includes(deviceId),
      })),
  )
}

/** Uses a device from now on, in later calls too. */
export async function selectDevice(kind: MediaDeviceKind, deviceId: string): Promise<void> {
  if (kind !== 'audiooutput') {
    choices.set(kind, deviceId)
    await calls.active?.media.select(kind, deviceId)
    return
  }
  choices.set(kind, deviceId)
  const stream = callStore.call.peek()?.remoteStream
  for (const element of document.querySelectorAll<HTMLMediaElement>('audio, video'))
    if (stream && element.srcObject === stream) await applySpeaker(element)
}

/** Plays on the chosen speaker; for each element that plays `remoteStream`. */
export async function applySpeaker(element: HTMLMediaElement): Promise<void> {
  const deviceId = choices.get('audiooutput')
  // Safari on iOS lacks it: the system chooses there. A speaker that is not there any more leaves the default.
  if (deviceId !== undefined && 'setSinkId' in element) await element.setSinkId(deviceId).catch(() => {})
}

/** Calls the other user of an ended call again. */
export async function callAgain(): Promise<void> {
  const { other, callType } = callStore.call.peek() ?? {}
  closeCall()
  if (other && callType) await startCall(other, callType)
}

/** Dismisses a call that has ended. */
export function closeCall(): void {
  calls.close()
}
