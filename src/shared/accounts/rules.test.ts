import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { foldName } from '../text/turkish.ts'
import { Username } from './protocol.ts'
import { isReservedName } from './reserved-names.ts'
import { GUEST_NAME_HOLD_MS, isGuestNameExpired, parseAge } from './rules.ts'

describe('the schema of new names', () => {
  it.each([
    ['Ali', 'Ali'],
    ['ığdır_34', 'ığdır_34'],
    ['Çiğdem.Öz-Ünlü', 'Çiğdem.Öz-Ünlü'],
    ['3silahşor', '3silahşor'],
    ['  Ayşe  ', 'Ayşe'],
    ['Ａｌｉ', 'Ali'],
    ['Ays\u0327e', 'Ayşe'],
    ['a'.repeat(20), 'a'.repeat(20)],
  ])('[ACC-01] accepts %j', (given, parsed) => {
    expect(v.parse(Username, given)).toBe(parsed)
  })

  it.each([
    ['too short', 'Al'],
    ['too short without its spaces', ' Al '],
    ['too long', 'a'.repeat(21)],
    ['empty', ''],
    ['only spaces', '    '],
    ['starting with a separator', '_ali'],
    ['with a space', 'ali veli'],
    ['with a zero-width space', 'al\u200bi'],
    ['with a zero-width joiner at its end', 'ali\u200d'],
    ['with a right-to-left override', 'ali\u202e'],
    ['with a soft hyphen', 'a\u00adli'],
    ['in Cyrillic that looks like Latin', 'аdmin'],
    ['in Greek', 'Αλί'],
    ['in small capitals', 'ᴀᴅᴍɪɴ'],
    ['with a phonetic letter', 'ɑli'],
    ['with HTML', '<b>ali'],
    ['with an emoji', 'ali😀'],
    ['with an at-sign', '@ali'],
    ['with a line break', 'ali\nveli'],
    ['with a lone surrogate', 'ali\ud800'],
    ['with a multiplication sign', 'al×i'],
  ])('[ACC-01] refuses a name that is %s', (_, given) => {
    expect(v.is(Username, given)).toBe(false)
  })

  it('[ACC-02] turns full-width letters into plain ones that fold alike', () => {
    expect(foldName(v.parse(Username, 'ＩＳＩＬ'))).toBe(foldName('ışıl'.replaceAll('ş', 's')))
  })

  it.each([
    'meydan',
    'MEYDAN',
    'Meydan34',
    'admin',
    'ADMİN',
    'admın',
    'admin1',
    '1admin',
    'admin_ali',
    'ali.admin',
    'a.d.m.i.n',
    '4dm1n',
    'r00t',
    'root',
    'Moderatör',
    'moderator-2',
    'Sistem',
    'SİSTEM',
    'destek',
    'Destek_7-24',
    'misafir',
    'Misafir123',
    'Yönetici',
    'rootadmin',
    'ádmin',
    'ＡＤＭＩＮ',
    'ađmin',
    'Meyđan',
    'røøt',
    'sisŧem',
    'aðmin_ali',
    'adm1n1',
    '7adm1n34',
    'kraladmin',
    'adminton',
    'Meydancı',
    'rootbeer',
    'gercekdestek',
  ])('[ACC-03] reserves %s', (name) => {
    expect(isReservedName(name)).toBe(true)
  })

  it.each(['AdmIn', 'adrnin', 'admln', 'Mod3ratör', 'Meydɑn', 'sıstemci', 'yönetım34'])(
    '[ACC-86] reserves the look-alike %s',
    (name) => {
      expect(isReservedName(name)).toBe(true)
    },
  )

  it.each([
    'desteksiz',
    'Badminton',
    'Groot',
    'Admiral',
    'Adem',
    'Mina',
    'Misafirperver',
    'Resmiye',
    'Mahmod',
    'Ali',
    'modacı',
    'x_y',
    '12345',
    'sistematik',
    'ayse.34',
  ])('[ACC-03] does not reserve %s', (name) => {
    expect(isReservedName(name)).toBe(false)
  })
})

describe('an age', () => {
  it('[ACC-69] is a number or text of two digits, from 18 to 99', () => {
    expect([18, 99, '18', ' 99 '].map(parseAge)).toEqual([18, 99, 18, 99])
    for (const given of [17, 100, 18.5, '17', '100', '018', '1e1', ''])
      expect(parseAge(given), `${given}`).toBeUndefined()
  })
})

describe("a guest's name", () => {
  it('[ACC-04] expires 30 minutes after the guest was last seen', () => {
    expect(isGuestNameExpired(0, GUEST_NAME_HOLD_MS - 1)).toBe(false)
    expect(isGuestNameExpired(0, GUEST_NAME_HOLD_MS)).toBe(true)
    expect(GUEST_NAME_HOLD_MS).toBe(30 * 60 * 1000)
  })
})
