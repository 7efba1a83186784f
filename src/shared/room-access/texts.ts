/** The length of a room's password, in characters. */
export const MIN_ROOM_PASSWORD_LENGTH = 4
export const MAX_ROOM_PASSWORD_LENGTH = 128
export const ROOM_PASSWORD_TOO_SHORT = `Oda şifresi en az ${MIN_ROOM_PASSWORD_LENGTH} karakter olmalıdır.`
export const ROOM_PASSWORD_TOO_LONG = `Oda şifresi en fazla ${MAX_ROOM_PASSWORD_LENGTH} karakter olabilir.`

/** Failures without a text of the server (specification 2, point 8). */
export const SET_PASSWORD_FAILED = 'Failed to set room password.'
export const REMOVE_PASSWORD_FAILED = 'Failed to remove room password.'
export const VERIFY_PASSWORD_FAILED = 'Failed to verify room password.'

export const ROOM_PASSWORD_LABEL = 'Oda şifresi'
export const ROOM_PASSWORD_MISSING = 'Oda şifresini yaz.'

/** Leads out of a room that is closed. */
export const OTHER_ROOM_LABEL = 'Başka odaya geç'

/** 'Yasaklılar': the bans of a room, and the menu entry that adds one. */
export const ROOM_BANS_LABEL = 'Yasaklılar'
export const BAN_FROM_ROOM_LABEL = 'Odadan Yasakla'
