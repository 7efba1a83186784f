import { describe, expect, it } from 'vitest'
import { nameSkeleton } from './name-skeleton.ts'
import { foldName } from './turkish.ts'

describe('the skeleton of a name', () => {
  it.each([
    ['Kemal', 'KemaI'],
    ['Kemal', 'kema1'],
    ['Akmin', 'Aĸmin'],
    ['Merve', 'rnerve'],
    ['Kerem', 'Kerern'],
    ['Oya', '0ya'],
    ['Işıl', 'lşil'],
    ['Wanda', 'vvanda'],
    ['Ardal', 'Arđal'],
    ['Polat', 'Połat'],
    ['Onur', 'Ønur'],
    ['Caesar', 'Cæsar'],
    ['ALİ', 'alİ'],
  ])('[ACC-85] is the same for %s and %s', (name, other) => {
    expect(nameSkeleton(other)).toBe(nameSkeleton(name))
  })

  it.each([
    ['Ayşe', 'Ayse'],
    ['Çağla', 'Cagla'],
    ['Gül', 'Gul'],
    ['Ali', 'Ala'],
    ['ada2', 'ada3'],
    ['Selin', 'Selim'],
    ['Nur', 'Nuri'],
    ['Ali', 'All'],
    ['ali.can', 'ali_can'],
  ])('[ACC-85] differs for %s and %s', (name, other) => {
    expect(nameSkeleton(other)).not.toBe(nameSkeleton(name))
  })

  it('[ACC-85] is stable, and the same for a name of plain letters in lower case', () => {
    for (const name of ['KemaI', 'Aĸmin', 'Œuvre', 'ğüşiöç', 'WMI10']) {
      const skeleton = nameSkeleton(name)
      expect(nameSkeleton(skeleton)).toBe(skeleton)
    }
    for (const name of ['ada', 'ece', 'şule', 'kerem2']) expect(nameSkeleton(foldName(name))).toBe(nameSkeleton(name))
  })
})
