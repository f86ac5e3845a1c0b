import type { TrialSettings } from './trial-settings.ts'

/**
 * The settings by which the server of a trial sends its mails to the simulator's mailbox at `mail`; those of the
 * environment go first. Links lead to the panel, or to the app where the port of the server is not known yet.
 */
export function trialMail(
  { host, port }: Pick<TrialSettings, 'host' | 'port'>,
  mail: string | undefined,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const panel = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    MAIL_URL: env['MAIL_URL'] || (mail ?? ''),
    MAIL_FROM: env['MAIL_FROM'] || 'Swapbell <no-reply@swapbell.example>',
    MAIL_LINK_BASE: env['MAIL_LINK_BASE'] || (port === 0 ? 'swapbell://' : panel),
  }
}
