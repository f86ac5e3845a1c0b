import type { Config } from '../../platform/config/config.ts'
import { ok, warn, type Finding } from './findings.ts'

type Rule = { check: string; isSet: (config: Config) => boolean; unset: string; set: string }

const RULES: Rule[] = [
  {
    check: 'mail',
    isSet: ({ MAIL_URL }) => MAIL_URL !== '',
    unset: 'No mail can be sent: nobody can reset a password or confirm an address. Set MAIL_URL.',
    set: 'Mails are sent.',
  },
  {
    check: 'proxies',
    isSet: ({ TRUSTED_PROXIES }) => TRUSTED_PROXIES.length > 0,
    unset: 'Behind a proxy all callers would share one address and its limits. Set TRUSTED_PROXIES to its network.',
    set: 'The proxies whose X-Forwarded-For counts are named.',
  },
  {
    check: 'origin',
    isSet: ({ PANEL_ORIGIN }) => PANEL_ORIGIN !== '',
    unset: 'Administrators cannot use passkeys. Set PANEL_ORIGIN to the address of the panel.',
    set: 'The origin of the panel is named.',
  },
  {
    check: 'metrics',
    isSet: ({ METRICS_PORT }) => METRICS_PORT !== 0,
    unset: 'There are no metrics, so no alert can fire. Set METRICS_PORT, another one for each process of a machine.',
    set: 'Metrics are served.',
  },
  {
    check: 'second-factor',
    isSet: ({ SECOND_FACTOR }) => SECOND_FACTOR === 'required',
    unset: 'A password alone opens the panel. Set SECOND_FACTOR=required.',
    set: 'Administrators need a second factor.',
  },
]

export function productionFindings(config: Config): Finding[] {
  if (config.NODE_ENV !== 'production') return []
  return RULES.map(({ check, isSet, unset, set }) => (isSet(config) ? ok(check, set) : warn(check, unset)))
}
