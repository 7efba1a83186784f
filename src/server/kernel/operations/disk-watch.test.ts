import { describe, expect, it } from 'vitest'
import { type DiskLevel, DiskWatch, nextDiskLevel } from './disk-watch.ts'

const limits = { uploads: 0.9, guestMessages: 0.95 }

describe('the level of the disk', () => {
  it('[FILE-31] rises at its limits, and falls two percent below them', () => {
    let level: DiskLevel = 'normal'
    const levels = [0.89, 0.9, 0.885, 0.94, 0.95, 0.935, 0.97, 0.929, 0.95, 0.879, 0.89].map((usedRatio) => {
      level = nextDiskLevel(level, usedRatio, limits)
      return level
    })
    expect(levels).toEqual([
      'normal',
      ...['noUploads', 'noUploads', 'noUploads'],
      ...['noGuestMessages', 'noGuestMessages', 'noGuestMessages'],
      'noUploads',
      'noGuestMessages',
      ...['normal', 'normal'],
    ])
  })

  it('[FILE-29] is that of the fullest disk, and stays when one cannot be read', async () => {
    const ratios: Record<string, number> = { database: 0.96, files: 0.5 }
    let isBroken = false
    const readUsedRatio = (folder: string) =>
      isBroken ? Promise.reject(new Error('unreadable')) : Promise.resolve(ratios[folder] ?? 0)
    const disk = new DiskWatch({ folders: ['files', 'database'], limits, readUsedRatio })
    expect([disk.level, disk.refuseUpload()]).toEqual(['normal', null])
    await disk.measure()
    expect([disk.level, disk.usedRatio, disk.refuseUpload()?.body.code]).toEqual([
      'noGuestMessages',
      0.96,
      'StorageFull',
    ])
    isBroken = true
    await expect(disk.measure()).rejects.toThrow('unreadable')
    expect(disk.level).toBe('noGuestMessages')
  })
})
