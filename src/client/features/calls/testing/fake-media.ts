/** An event target that counts its listeners. */
export class CountedTarget extends EventTarget {
  listeners = 0

  override addEventListener(...[type, listener, options]: Parameters<EventTarget['addEventListener']>): void {
    this.listeners++
    const { signal } = typeof options === 'object' ? options : {}
    signal?.addEventListener('abort', () => this.listeners--)
    super.addEventListener(type, listener, options)
  }
}

export class FakeTrack extends EventTarget {
  readonly kind: string
  readonly deviceId: string
  enabled = true
  contentHint = ''
  readyState: 'live' | 'ended' = 'live'

  constructor(kind: string, deviceId: string) {
    super()
    this.kind = kind
    this.deviceId = deviceId
  }

  stop(): void {
    this.readyState = 'ended'
  }

  /** The device is removed, or the browser's own bar ends it. */
  end(): void {
    this.readyState = 'ended'
    this.dispatchEvent(new Event('ended'))
  }

  getSettings(): { deviceId: string } {
    return { deviceId: this.deviceId }
  }
}

export class FakeStream {
  readonly tracks: FakeTrack[]

  constructor(tracks: FakeTrack[] = []) {
    this.tracks = [...tracks]
  }

  getTracks(): FakeTrack[] {
    return [...this.tracks]
  }

  addTrack(track: FakeTrack): void {
    if (!this.tracks.includes(track)) this.tracks.push(track)
  }

  removeTrack(track: FakeTrack): void {
    this.tracks.splice(this.tracks.indexOf(track), 1)
  }
}

interface Wanted {
  audio?: boolean | MediaTrackConstraints
  video?: boolean | MediaTrackConstraints
}

/** The devices of a machine with a microphone, two cameras and a screen. */
export class FakeDevices {
  /** What fails, by the kind of the track: the name of the exception. */
  readonly failures = new Map<'audio' | 'video' | 'screen', string>()
  readonly requests: Wanted[] = []
  readonly opened: FakeTrack[] = []
  /** Set to make the user take their time with the browser's question. */
  permission: Promise<void> = Promise.resolve()

  getUserMedia = async (wanted: Wanted): Promise<FakeStream> => {
    this.requests.push(wanted)
    await this.permission
    const kinds = (['audio', 'video'] as const).filter((kind) => wanted[kind])
    for (const kind of kinds) this.failIfAsked(kind)
    return this.open(kinds.map((kind) => new FakeTrack(kind, deviceIdOf(kind, wanted[kind]))))
  }

  getDisplayMedia = async (): Promise<FakeStream> => {
    this.failIfAsked('screen')
    return this.open([new FakeTrack('video', 'screen')])
  }

  liveTracks(): FakeTrack[] {
    return this.opened.filter(({ readyState }) => readyState === 'live')
  }

  last(kind: string): FakeTrack {
    const track = this.opened.findLast((opened) => opened.kind === kind)
    if (!track) throw new Error(`no ${kind} was opened`)
    return track
  }

  private open(tracks: FakeTrack[]): FakeStream {
    this.opened.push(...tracks)
    return new FakeStream(tracks)
  }

  private failIfAsked(kind: 'audio' | 'video' | 'screen'): void {
    const name = this.failures.get(kind)
    if (name) throw new DOMException('as the test asked', name)
  }
}

function deviceIdOf(kind: string, constraints: boolean | MediaTrackConstraints | undefined): string {
  const { deviceId, facingMode } = typeof constraints === 'object' ? constraints : {}
  const chosen = typeof deviceId === 'object' && 'ideal' in deviceId ? deviceId.ideal : undefined
  const facing = typeof facingMode === 'object' && 'exact' in facingMode ? facingMode.exact : undefined
  return String(chosen ?? facing ?? `default ${kind}`)
}
