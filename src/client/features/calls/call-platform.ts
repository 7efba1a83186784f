import type { LiveClient } from '../../core/live/live-client.ts'
import { live } from '../../core/live/state.ts'
import { browserEnvironment, type Cancel, type Environment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

/** What calls use of a browser; tests replace it. */
export interface CallPlatform {
  environment: Environment
  live: LiveClient
  /** Null where the page is not secure: the browser has none there. */
  devices: MediaDevices | null
  /** False in a browser without WebRTC. */
  canConnect: boolean
  /** Whether the browser opens the microphone, and the camera where it is wanted, without asking the user. */
  mayOpenDevices(withCamera: boolean): Promise<boolean>
  createConnection(configuration: RTCConfiguration): RTCPeerConnection
  createStream(tracks?: MediaStreamTrack[]): MediaStream
  /** The video codecs that this browser sends. */
  videoCodecs(): readonly RTCRtpCodec[]
  selfUsername(): string
  /** Calls `run` when the machine has another network, or one again. */
  onNetworkChange(run: () => void): Cancel
  /** Shows a text for a moment. */
  notify(text: string): void
}

export const browserCallPlatform: CallPlatform = {
  environment: browserEnvironment,
  live,
  get devices() {
    return navigator.mediaDevices ?? null
  },
  get canConnect() {
    return 'RTCPeerConnection' in window
  },
  mayOpenDevices,
  createConnection: (configuration) => new RTCPeerConnection(configuration),
  createStream: (tracks = []) => new MediaStream(tracks),
  videoCodecs: () => RTCRtpSender.getCapabilities?.('video')?.codecs ?? [],
  selfUsername: () => session.username(),
  onNetworkChange,
  notify: (text) => void toast(text),
}

async function mayOpenDevices(withCamera: boolean): Promise<boolean> {
  const names = ['microphone', ...(withCamera ? ['camera'] : [])] as PermissionName[] // not every version of the types has them
  try {
    const states = await Promise.all(names.map((name) => navigator.permissions.query({ name })))
    return states.every(({ state }) => state === 'granted')
  } catch {
    return false // A browser that does not know them.
  }
}

/** The Network Information API, which phones have; the DOM's types lack it. */
interface NetworkInformation extends EventTarget {
  type?: string
}

function onNetworkChange(run: () => void): Cancel {
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('online', run, { signal })
  const { connection } = navigator as Navigator & { connection?: NetworkInformation } // as above
  let type = connection?.type
  const onChange = (): void => {
    // The event also comes for each new estimate of the bandwidth.
    if (connection?.type === type) return
    type = connection?.type
    if (navigator.onLine) run()
  }
  connection?.addEventListener('change', onChange, { signal })
  return () => listening.abort()
}
