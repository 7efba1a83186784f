import type { ReportKind } from '../../../../shared/reports/rules.ts'
import type { ReportSource } from '../queries.ts'
import { callSource } from './call.ts'
import { directMessageSource, roomMessageSource } from './messages.ts'
import { postSource } from './post.ts'
import { profileSource } from './profile.ts'

/** What can be reported, by kind. The writer loads this: no HTTP, no pages. */
const sources: { [K in ReportKind]: ReportSource<K> } = {
  call: callSource,
  directMessage: directMessageSource,
  post: postSource,
  profile: profileSource,
  roomMessage: roomMessageSource,
}

export function sourceOf<K extends ReportKind>(kind: K): ReportSource<K> {
  return sources[kind]
}
