import { describeSettings } from '../server/src/platform/config/config.ts'
import { VARIABLES } from '../server/src/platform/config/settings.ts'

const HEAD = `# Every variable with its default, as npm test -- scripts/deploy.test.ts -u writes it. docs/operations.md says more.
# What is commented out has its default. In production set at least the five that are not.
`
const DEMANDED = ['NODE_ENV', 'DATABASE_URL', 'JWT_SECRET', 'PUSH_PROVIDER', 'EXPO_ACCESS_TOKEN']
const VALUES: Record<string, string> = { NODE_ENV: 'production', PUSH_PROVIDER: 'expo' }

/** The text of `.env.example`. */
export function envExample(): string {
  const settings = describeSettings(VARIABLES).map(({ name, fallback, doc }) => {
    const line = DEMANDED.includes(name) ? `${name}=${VALUES[name] ?? ''}` : `# ${name}=${fallback}`
    return `# ${doc}\n${line}\n`
  })
  return [HEAD, ...settings].join('\n')
}
