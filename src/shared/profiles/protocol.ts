import * as v from 'valibot'
import { About, Person } from '../accounts/protocol.ts'
import { route } from '../protocol/define.ts'
import { PrivacySettings } from '../settings/rules.ts'

/** What somebody is told of their own account. */
export const OwnAccount = v.object({ ...Person.entries, ...About.entries, ...PrivacySettings.entries })
export type OwnAccount = v.InferOutput<typeof OwnAccount>

export const routes = {
  account: route({
    about: 'The own account: how one is shown, what one says of oneself, and whom one lets come near.',
    method: 'GET',
    path: '/users/account',
    access: 'signedIn',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), user: OwnAccount }),
  }),
}
