import { Refusal } from '../../../shared/protocol/refusals.ts'
import { DAY_MS, ISTANBUL_OFFSET_MS } from '../../../shared/text/istanbul-time.ts'
import { routes } from '../../../shared/wallet/premium/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { HOUR_MS, type Job, SECOND_MS } from '../../kernel/operations/jobs.ts'
import { checkLedgerStep, LEDGER_CHECK, type LedgerCheck } from './check-ledger.ts'
import { walletOptionRoutes } from './options/routes.ts'
import { watchPremiumEnds } from './premium/show-premium-changes.ts'
import { upgradeToPremium } from './premium/upgrade-to-premium.ts'
import { requestRoutes } from './requests/routes.ts'
import { ledgerRoutes } from './statement/routes.ts'

/** A day of checks starts at 4 o'clock in Türkiye; after midnight in UTC. */
const DAY_STARTS_MS = 4 * HOUR_MS - ISTANBUL_OFFSET_MS

/** The virtual balance of members, and the options for which it is loaded, spent and paid out. */
export function createFeature({ appContext }: FeatureContext): Feature {
  return {
    registerRoutes(app) {
      ledgerRoutes(app, appContext)
      walletOptionRoutes(app, appContext)
      premiumRoutes(app, appContext)
      requestRoutes(app, appContext)
    },
    jobs: [
      nightlyLedgerCheck(appContext),
      { intervalMs: SECOND_MS, isPrimaryOnly: true, run: () => watchPremiumEnds(appContext) },
    ],
  }
}

/** `/api/users/upgrade-to-premium`. */
export function premiumRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.upgradeToPremium, ({ input, actor, clientId }) =>
    appContext.execute(upgradeToPremium, actor, input, { clientId }),
  )
}

/** Checks the ledger once a night, and in the first hour after a start. Logs an error for a ledger with faults. */
export function nightlyLedgerCheck(appContext: Pick<AppContext, 'clock' | 'log' | 'readInWorker'>): Job {
  let checkedDay: number | null = null
  const run = async () => {
    const day = Math.floor((appContext.clock() - DAY_STARTS_MS) / DAY_MS)
    if (day === checkedDay) return
    if (await checkInSteps(appContext)) checkedDay = day
  }
  return { intervalMs: HOUR_MS, isPrimaryOnly: true, run }
}

/** Runs each step in the read worker, between other reads. False when it could not be finished. */
async function checkInSteps({ log, readInWorker }: Pick<AppContext, 'log' | 'readInWorker'>): Promise<boolean> {
  let check: LedgerCheck = LEDGER_CHECK
  while (check.phase !== 'end') {
    const step: LedgerCheck | Refusal = await readInWorker(checkLedgerStep, check)
    if (step instanceof Refusal) return false
    check = step
  }
  const { faults, upTo } = check
  if (faults.length > 0) log.error({ faults }, 'THE LEDGER IS WRONG: money has appeared or vanished')
  else log.info({ transactions: upTo }, 'the ledger is right')
  return true
}
