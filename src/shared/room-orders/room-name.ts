import * as v from 'valibot'
import { isReservedName } from '../accounts/reserved-names.ts'

export const MAX_ROOM_NAME_LENGTH = 30
const ROOM_NAME_BLANK = 'Oda adınız en az 1 harf olmalıdır!'
const ROOM_NAME_RESERVED = 'Bu oda adı kullanılamaz.'

const namePattern = /^[A-Za-zÀ-ÖØ-öø-ſ0-9][A-Za-zÀ-ÖØ-öø-ſ0-9_.-]*(?: [A-Za-zÀ-ÖØ-öø-ſ0-9_.-]+)*$/u

/** A new room's name: 1 to 30 letters of the Turkish and Latin alphabets, digits, `_`, `-`, `.` and single spaces. */
export const RoomName = v.pipe(
  v.string(ROOM_NAME_BLANK),
  v.normalize('NFKC'),
  v.trim(),
  v.minLength(1, ROOM_NAME_BLANK),
  v.maxLength(MAX_ROOM_NAME_LENGTH, `Oda adı en fazla ${MAX_ROOM_NAME_LENGTH} karakter olabilir.`),
  v.regex(
    namePattern,
    'Oda adı harf ya da rakamla başlamalı; yalnızca harf, rakam, tek boşluk, nokta, tire ve alt çizgi içerebilir.',
  ),
  v.check((name) => !isReservedName(name), ROOM_NAME_RESERVED),
)

/** Why a name cannot be a room's, in Turkish; null when it can. Whether it is taken, the server knows. */
export function roomNameError(name: string): string | null {
  const { issues } = v.safeParse(RoomName, name)
  return issues?.[0].message ?? null
}
