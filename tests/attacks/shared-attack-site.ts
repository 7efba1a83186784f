import { AttackSite } from './attack-site.ts'

let site: Promise<AttackSite> | undefined

/** One site for all attacks of the run, which ends with the process: the files share their modules. */
export function shareAttackSite(): Promise<AttackSite> {
  site ??= AttackSite.start()
  return site
}
