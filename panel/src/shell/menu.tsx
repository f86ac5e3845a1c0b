import { Badge, NavLink, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { WORK, waitingQuery } from '../home/waiting.ts'
import { formatNumber, plural } from '../translation/translate.ts'
import { SECTIONS, useMenu } from './navigation.ts'

export function MenuEntries() {
  const { pathname } = useLocation()
  const counts = useCounts()
  const visible = useMenu()
  const isOpen = (to: string) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return Object.entries(SECTIONS).map(([section, title]) => {
    const entries = visible.filter((entry) => entry.section === section)
    if (entries.length === 0) return null
    return (
      <div key={section} role="group" aria-label={title || undefined}>
        {title !== '' && (
          <Text size="xs" c="dimmed" fw={600} className="menu-title" aria-hidden>
            {title}
          </Text>
        )}
        {entries.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            rightSection={<Count of={counts.get(to) ?? 0} />}
            active={isOpen(to)}
            aria-current={pathname === to ? 'page' : undefined}
          />
        ))}
      </div>
    )
  })
}

/** How much waits on each page, by its path; nothing while that is not known. */
function useCounts(): Map<string, number> {
  const { data = [], error } = useQuery(waitingQuery)
  const counts = new Map<string, number>()
  if (error !== null) return counts
  for (const { kind, count } of data) {
    const path = WORK[kind].to.split('?')[0]!
    counts.set(path, (counts.get(path) ?? 0) + count)
  }
  return counts
}

function Count({ of: count }: { of: number }) {
  if (count === 0) return null
  return (
    <Badge size="sm" color="gray.7" variant="filled" className="figure">
      {formatNumber(count)}
      <span className="visually-hidden">{plural(count, ' waits', ' wait')}</span>
    </Badge>
  )
}
