/** The name of a bank account's holder, in UTF-16 units. */
export const MAX_SENDER_NAME_LENGTH = 100
