import type { SafeStorage } from '../../../core/platform/environment.ts'

/** In the browser's storage, for later calls. */
const DEVICES_KEY = 'callDevices'

/** The devices that the user has chosen, by kind; the browser chooses the others. */
export class DeviceChoices {
  private readonly storage: SafeStorage

  constructor(storage: SafeStorage) {
    this.storage = storage
  }

  get(kind: MediaDeviceKind): string | undefined {
    const deviceId = this.read()[kind]
    return typeof deviceId === 'string' ? deviceId : undefined
  }

  /** Undefined leaves it to the browser again. */
  set(kind: MediaDeviceKind, deviceId: string | undefined): void {
    this.storage.set(DEVICES_KEY, JSON.stringify({ ...this.read(), [kind]: deviceId }))
  }

  private read(): Partial<Record<MediaDeviceKind, unknown>> {
    try {
      return JSON.parse(this.storage.get(DEVICES_KEY) ?? '{}') ?? {}
    } catch {
      return {} // Written by something else: the browser chooses.
    }
  }
}
