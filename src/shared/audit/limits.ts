/** The most UTF-16 units of a reason; the rest is cut off. */
export const MAX_ACTION_REASON_LENGTH = 500
/** The most details of an action. */
export const MAX_ACTION_DETAILS = 8
/** The most UTF-16 units of a detail; the rest is cut off. */
export const MAX_ACTION_DETAIL_LENGTH = 200
/** Actions of one page of the audit page. */
export const ACTIONS_PER_PAGE = 50
/** The most entries in the action log of one profile. */
export const MAX_PROFILE_ACTIONS = 100
/** Users of one name, the latest first, whose actions a search by name finds: guests may use a name one after another. */
export const MAX_PERSONS_OF_NAME = 20
