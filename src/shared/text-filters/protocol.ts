import * as v from 'valibot'
import { UserSummary } from '../accounts/protocol.ts'
import { Count, idText, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { FilterEntryId, FilterHitId, HeldTextId, MessageId, PostId, RoomId } from '../protocol/ids.ts'
import { FILTER_ACTIONS } from './apply-filter.ts'
import {
  FILTER_CHANGE_LIMIT,
  MAX_ADDED_ENTRIES,
  MAX_ALLOWED_HOSTS,
  MAX_EXCEPTIONS,
  MAX_HOST_LENGTH,
  MAX_LINK_MIN_DAYS,
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_LETTERS,
  MAX_REPLACEMENT_LENGTH,
  MAX_TESTED_TEXT_LENGTH,
  MIN_PATTERN_LETTERS,
  ROWS_PER_PAGE,
} from './limits.ts'
import { INVALID_HOST_TEXT, PATTERN_TOO_LONG_TEXT, PATTERN_TOO_SHORT_TEXT } from './texts.ts'
import { countPatternLetters } from './word-matcher.ts'

export const FilterAction = v.picklist(FILTER_ACTIONS)

const Word = v.pipe(Text(MAX_PATTERN_LENGTH), v.trim(), v.minLength(1))
const Pattern = v.pipe(
  Word,
  v.check((pattern) => countPatternLetters(pattern) >= MIN_PATTERN_LETTERS, PATTERN_TOO_SHORT_TEXT),
  v.check((pattern) => countPatternLetters(pattern) <= MAX_PATTERN_LETTERS, PATTERN_TOO_LONG_TEXT),
)
const entryFields = {
  /** `word`: the whole word; `stem`: every word that begins with it. */
  match: v.picklist(['word', 'stem']),
  action: FilterAction,
  /** Of `replace`; null for stars. */
  replacement: v.nullable(v.pipe(Text(MAX_REPLACEMENT_LENGTH), v.trim(), v.minLength(1))),
  /** Words that do not match; one that ends with `*` stands for every word that begins with it. */
  exceptions: v.pipe(v.array(Word), v.maxLength(MAX_EXCEPTIONS)),
}

/** An entry of the word filter. */
export const FilterEntry = v.object({ id: FilterEntryId, pattern: v.string(), ...entryFields, changedAt: Time })
export type FilterEntry = v.InferOutput<typeof FilterEntry>

/** Where a text was submitted, with what a link to it needs. Names are null when the person or room is gone. */
export const ShownPlace = v.variant('kind', [
  v.object({
    kind: v.literal('room'),
    roomId: RoomId,
    roomName: v.nullable(v.string()),
    /** Of the message; null if it is not there. */
    messageId: v.nullable(MessageId),
  }),
  v.object({ kind: v.literal('direct'), recipient: v.nullable(v.string()) }),
  v.object({ kind: v.literal('comment'), postId: PostId }),
  v.object({ kind: v.picklist(['post', 'profile', 'roomText']) }),
])
export type ShownPlace = v.InferOutput<typeof ShownPlace>

const hitFields = {
  user: UserSummary,
  place: ShownPlace,
  pattern: v.string(),
  /** The word of the text that the pattern matched. */
  word: v.string(),
  at: Time,
}

/** A text that the filter matched. The text of a direct message is not shown. */
export const FilterHit = v.object({
  id: FilterHitId,
  ...hitFields,
  action: FilterAction,
  excerpt: v.nullable(v.string()),
})
export type FilterHit = v.InferOutput<typeof FilterHit>

/** A text that waits for review. That of a direct message is fetched by itself, which is recorded. */
export const HeldText = v.object({
  id: HeldTextId,
  ...hitFields,
  text: v.nullable(v.string()),
  hasFile: v.boolean(),
  expiresAt: Time,
})
export type HeldText = v.InferOutput<typeof HeldText>

const Host = v.pipe(
  Text(MAX_HOST_LENGTH),
  v.trim(),
  v.regex(/^(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}$/, INVALID_HOST_TEXT),
)
const linkRuleFields = {
  /** Days since registration that links require; guests have 0. */
  minDays: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_LINK_MIN_DAYS)),
  guestsMayLink: v.boolean(),
  /** Sites that everybody may link to, with their subdomains. */
  allowedHosts: v.pipe(v.array(Host), v.maxLength(MAX_ALLOWED_HOSTS)),
}
export const LinkRuleSetting = v.object(linkRuleFields)
export type LinkRuleSetting = v.InferOutput<typeof LinkRuleSetting>

const Success = v.object({ success: v.literal(true) })

export const events = {
  textFilterChanged: loggedEvent({
    description:
      'The entries, the rule of links or the texts that wait for review have changed; for root admins, who fetch them.',
    payload: v.object({ part: v.picklist(['entries', 'linkRule', 'heldTexts']), heldCount: Count }),
  }),
}

const reading = { access: 'rootadmin', method: 'GET' } as const
const writing = {
  access: 'rootadmin',
  limiter: FILTER_CHANGE_LIMIT,
  retry: 'idempotencyKey',
} as const

export const routes = {
  filterEntries: route({
    ...reading,
    description: `Entries of the word filter whose pattern contains \`search\`, the latest first, ${ROWS_PER_PAGE} at a time.`,
    path: '/moderation/filter-entries',
    input: v.object({ before: v.optional(idText(FilterEntryId)), search: v.optional(Text(MAX_PATTERN_LENGTH), '') }),
    answer: v.object({
      success: v.literal(true),
      entries: v.array(FilterEntry),
      next: v.nullable(FilterEntryId),
      total: Count,
    }),
  }),
  addFilterEntries: route({
    ...writing,
    description:
      'Adds a pattern, or several with the same action, to the word filter; patterns that it has are left out.',
    method: 'POST',
    path: '/moderation/filter-entries',
    input: v.object({
      patterns: v.pipe(v.array(Pattern), v.minLength(1), v.maxLength(MAX_ADDED_ENTRIES)),
      ...entryFields,
    }),
    answer: v.object({ success: v.literal(true), entries: v.array(FilterEntry) }),
  }),
  changeFilterEntry: route({
    ...writing,
    description: 'Changes an entry of the word filter.',
    method: 'PUT',
    path: '/moderation/filter-entries/:id',
    input: v.object({ id: v.union([idText(FilterEntryId), FilterEntryId]), pattern: Pattern, ...entryFields }),
    answer: v.object({ success: v.literal(true), entry: FilterEntry }),
  }),
  deleteFilterEntry: route({
    ...writing,
    description: 'Deletes an entry of the word filter.',
    method: 'DELETE',
    path: '/moderation/filter-entries/:id',
    input: v.object({ id: idText(FilterEntryId) }),
    answer: Success,
  }),
  testFilter: route({
    ...reading,
    description: 'What the word filter does to a text, which is neither kept nor logged.',
    path: '/moderation/filter-test',
    input: v.object({ text: Text(MAX_TESTED_TEXT_LENGTH) }),
    answer: v.object({
      success: v.literal(true),
      isHeldBack: v.boolean(),
      text: v.string(),
      hits: v.array(v.object({ pattern: v.string(), word: v.string(), action: FilterAction })),
    }),
  }),
  linkRule: route({
    ...reading,
    description: 'Who may send links.',
    path: '/moderation/link-rule',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), ...linkRuleFields }),
  }),
  changeLinkRule: route({
    ...writing,
    description: 'Sets who may send links. Links to the site itself are always allowed.',
    method: 'PUT',
    path: '/moderation/link-rule',
    input: LinkRuleSetting,
    answer: v.object({ success: v.literal(true), ...linkRuleFields }),
  }),
  filterHits: route({
    ...reading,
    description: `What the word filter matched, the latest first, ${ROWS_PER_PAGE} at a time.`,
    path: '/moderation/filter-hits',
    input: v.object({ before: v.optional(idText(FilterHitId)) }),
    answer: v.object({ success: v.literal(true), hits: v.array(FilterHit), next: v.nullable(FilterHitId) }),
  }),
  heldTexts: route({
    ...reading,
    description: `Texts that wait for review, the earliest first, ${ROWS_PER_PAGE} at a time.`,
    path: '/moderation/held-texts',
    input: v.object({ after: v.optional(idText(HeldTextId)) }),
    answer: v.object({
      success: v.literal(true),
      heldTexts: v.array(HeldText),
      next: v.nullable(HeldTextId),
      total: Count,
    }),
  }),
  readHeldText: route({
    ...writing,
    description: 'The text of a direct message that waits for review; the action log records who has read it.',
    method: 'POST',
    retry: 'none',
    path: '/moderation/held-texts/read',
    input: v.object({ id: HeldTextId }),
    answer: v.object({ success: v.literal(true), text: v.string() }),
  }),
  decideHeldText: route({
    ...writing,
    description: 'Sends a text that waits for review, as of now, or deletes it.',
    method: 'POST',
    path: '/moderation/held-texts/decide',
    input: v.object({ id: HeldTextId, decision: v.picklist(['release', 'discard']) }),
    answer: Success,
  }),
}
