/** The field of a room's composer, to which a skip link leads. */
export const COMPOSER_FIELD_ID = 'mesaj-yaz'
