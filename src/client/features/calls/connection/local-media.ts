import {
  CAMERA_LOST_TEXT,
  CAMERA_REPLACED_TEXT,
  cameraFailureTexts,
  type MediaFailure,
  MICROPHONE_LOST_TEXT,
  MICROPHONE_REPLACED_TEXT,
  microphoneFailureTexts,
} from '../../../../shared/calls/media-texts.ts'
import type { CallPlatform } from '../call-platform.ts'
import { DeviceChoices } from './device-choices.ts'

type Facing = 'user' | 'environment'
type OwnTrack = 'microphone' | 'camera' | 'screen'

interface LocalMediaListener {
  /** Other tracks are sent from now on, or one is off that was on. */
  onChange(): void
  /** What the user should know about a device; null takes the last text away. */
  onNotice(text: string | null): void
}

/** The microphone, camera and shared screen of this side of a call. */
export class LocalMedia {
  microphone: MediaStreamTrack | null = null
  camera: MediaStreamTrack | null = null
  screen: MediaStreamTrack | null = null
  facing: Facing = 'user'
  readonly choices: DeviceChoices
  private readonly platform: CallPlatform
  private readonly listener: LocalMediaListener
  private isStopped = false
  /** The browser may be asking the user. */
  isOpening = false

  constructor(platform: CallPlatform, listener: LocalMediaListener) {
    this.platform = platform
    this.listener = listener
    this.choices = new DeviceChoices(platform.environment.browserStorage)
  }

  /**
   * Opens the microphone, and the camera where it is wanted, with one question of the browser. Without the camera it goes
   * on with a notice. Returns why there is no microphone, in Turkish; null when there is one.
   */
  async open(withCamera: boolean): Promise<string | null> {
    this.isOpening = true
    const failureText = await this.openBoth(withCamera)
    this.isOpening = false
    return failureText
  }

  private async openBoth(withCamera: boolean): Promise<string | null> {
    const { devices } = this.platform
    if (!devices) return microphoneFailureTexts.insecure
    const audio = this.audioConstraints()
    try {
      const video = withCamera && this.videoConstraints()
      this.use(await devices.getUserMedia({ audio, video }))
    } catch (error) {
      if (!withCamera) return microphoneFailureTexts[failureOf(error)]
      const failureText = await this.openBoth(false)
      if (failureText !== null || this.isStopped) return failureText
      // The browser does not say which of the two it was, so the camera is asked for alone.
      return this.openCamera().then(() => null)
    }
    return null
  }

  /** Opens the camera; without one a notice says why. Returns whether there is one. */
  async openCamera(constraints: MediaTrackConstraints = this.videoConstraints()): Promise<boolean> {
    const { devices } = this.platform
    try {
      if (!devices) throw new DOMException('No devices', 'SecurityError')
      this.use(await devices.getUserMedia({ video: constraints }))
      this.listener.onNotice(null)
    } catch (error) {
      this.listener.onNotice(cameraFailureTexts[failureOf(error)])
    }
    return this.camera !== null
  }

  /** Opens the microphone again, after it was lost. Returns whether there is one. */
  async openMicrophone(): Promise<boolean> {
    const failureText = await this.openBoth(false)
    this.listener.onNotice(failureText)
    return failureText === null
  }

  /** Shares a screen that the user chooses. False: it failed; a user who chose none knows. */
  async openScreen(): Promise<boolean> {
    try {
      const stream = await this.platform.devices?.getDisplayMedia({ video: { frameRate: { max: 15 } }, audio: false })
      if (stream) this.use(stream, 'screen')
      return this.screen !== null
    } catch (error) {
      return failureOf(error) === 'denied'
    }
  }

  closeScreen(): void {
    this.drop('screen')
    if (!this.isStopped) this.listener.onChange()
  }

  /** Uses the front camera instead of the back one, or the reverse. Returns whether the other one is used. */
  async flipCamera(): Promise<boolean> {
    const facing = this.facing === 'user' ? 'environment' : 'user'
    const isOn = this.camera?.enabled ?? true
    // A phone opens one camera at a time.
    this.drop('camera')
    this.choices.set('videoinput', undefined)
    const isFlipped = await this.openCamera({ ...this.videoConstraints(), facingMode: { exact: facing } })
    if (isFlipped) this.facing = facing
    else await this.openCamera()
    if (this.camera) this.camera.enabled = isOn
    this.listener.onChange()
    return isFlipped
  }

  /** Uses a chosen device from now on. */
  async select(kind: 'audioinput' | 'videoinput', deviceId: string): Promise<void> {
    this.choices.set(kind, deviceId)
    const name = kind === 'audioinput' ? 'microphone' : 'camera'
    const present = this[name]
    if (!present) return
    const isOn = present.enabled
    if (name === 'camera') {
      this.drop('camera')
      await this.openCamera()
    } else await this.openMicrophone()
    const track = this[name]
    if (track) track.enabled = isOn
    this.listener.onChange()
  }

  /** Stops all tracks, and those that the browser gives later. */
  stop(): void {
    this.isStopped = true
    for (const name of ['microphone', 'camera', 'screen'] as const) this.drop(name)
  }

  /** Takes the tracks of a stream in place of those that it replaces. */
  private use(stream: MediaStream, video: 'camera' | 'screen' = 'camera'): void {
    for (const track of stream.getTracks()) {
      if (this.isStopped) {
        track.stop()
        continue
      }
      const name = track.kind === 'audio' ? 'microphone' : video
      this.drop(name)
      this[name] = track
      track.addEventListener('ended', () => void this.onEnded(name, track))
    }
    if (!this.isStopped) this.listener.onChange()
  }

  private drop(name: OwnTrack): void {
    const track = this[name]
    this[name] = null
    track?.stop()
  }

  /** The device was removed, or the browser's own bar ended the shared screen; `stop` does not cause it. */
  private async onEnded(name: OwnTrack, track: MediaStreamTrack): Promise<void> {
    if (this[name] !== track) return
    if (name === 'screen') return this.closeScreen()
    const wasOn = track.enabled
    this.drop(name)
    this.choices.set(name === 'microphone' ? 'audioinput' : 'videoinput', undefined)
    const isReplaced = name === 'microphone' ? await this.openMicrophone() : wasOn && (await this.openCamera())
    if (this.isStopped) return
    const replacement = this[name]
    if (replacement) replacement.enabled = wasOn
    const texts = lostTexts[name]
    this.listener.onNotice(isReplaced ? texts.replaced : texts.lost)
    this.listener.onChange()
  }

  private audioConstraints(): MediaTrackConstraints {
    const processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
    return { ...processing, ...this.deviceConstraint('audioinput') }
  }

  private videoConstraints(): MediaTrackConstraints {
    const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } }
    return { ...size, facingMode: this.facing, ...this.deviceConstraint('videoinput') }
  }

  /** A device that is not there any more is no reason to have none. */
  private deviceConstraint(kind: MediaDeviceKind): MediaTrackConstraints {
    const deviceId = this.choices.get(kind)
    return deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }
  }
}

const lostTexts = {
  microphone: { lost: MICROPHONE_LOST_TEXT, replaced: MICROPHONE_REPLACED_TEXT },
  camera: { lost: CAMERA_LOST_TEXT, replaced: CAMERA_REPLACED_TEXT },
}

/** Why `getUserMedia` failed (Media Capture and Streams, section 10.2.1). */
function failureOf(error: unknown): MediaFailure {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'SecurityError' || error instanceof TypeError ? 'insecure' : 'busy'
}
