import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { DiskLimits } from '../config.ts'

/** What is refused while the disk is nearly full: nothing, uploads, or uploads and the messages of guests. */
export type DiskLevel = 'normal' | 'noUploads' | 'noGuestMessages'

/** A level ends this far below its limit, so that it does not change with every file. */
const HYSTERESIS = 0.02

/** The level after a measurement of the share of the disk that is in use. */
export function nextDiskLevel(level: DiskLevel, usedRatio: number, limits: DiskLimits): DiskLevel {
  const isReached = (limit: number, isActive: boolean) => usedRatio >= (isActive ? limit - HYSTERESIS : limit)
  if (isReached(limits.guestMessages, level === 'noGuestMessages')) return 'noGuestMessages'
  return isReached(limits.uploads, level !== 'normal') ? 'noUploads' : 'normal'
}

export interface DiskWatchOptions {
  /** Folders that grow; they may be on different disks. */
  folders: readonly string[]
  limits: DiskLimits
  /** The share of the folder's disk that is in use. */
  readUsedRatio: (folder: string) => Promise<number>
}

/** How full the disks of this region are. `measure` updates it. */
export class DiskWatch {
  private readonly options: DiskWatchOptions
  private currentLevel: DiskLevel = 'normal'
  private currentRatio = 0

  constructor(options: DiskWatchOptions) {
    this.options = options
  }

  get level(): DiskLevel {
    return this.currentLevel
  }

  /** Of the fullest disk. */
  get usedRatio(): number {
    return this.currentRatio
  }

  /** Reads the disks. Rejects when one cannot be read; the level stays then. */
  async measure(): Promise<void> {
    const { folders, limits, readUsedRatio } = this.options
    this.currentRatio = Math.max(...(await Promise.all(folders.map(readUsedRatio))))
    this.currentLevel = nextDiskLevel(this.currentLevel, this.currentRatio, limits)
  }

  /** The refusal of what would be stored as a file; null while there is space. */
  refuseUpload(): Refusal | null {
    return this.currentLevel === 'normal' ? null : refuse('StorageFull')
  }
}
