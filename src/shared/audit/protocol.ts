import * as v from 'valibot'
import { loggedEvent } from '../protocol/define.ts'
import { ActionId } from '../protocol/ids.ts'

export const events = {
  actionRecorded: loggedEvent({
    description: 'An entry was added to the action log; for root admins, who fetch it.',
    hiddenByBlock: false,
    effect: 'none',
    payload: v.object({ actionId: ActionId }),
  }),
}

type OwnEvents = typeof events
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
}
