import type { Icon } from '@tabler/icons-react'
import { useMatch, useRouter } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { t } from '../translation/translate.ts'

/** The parts of the menu, in its order. */
export const SECTIONS = {
  work: '',
  people: t('People and products'),
  figures: t('Figures'),
  service: t('Service'),
} as const

/** The entry of a page in the menu: for whoever holds its permission; `G` and then its key opens the page. */
export type Entry = {
  section: keyof typeof SECTIONS
  label: string
  about: string
  icon: Icon
  permission: string
  key: string
}

export function useMenu(): (Entry & { to: string })[] {
  const { routesById } = useRouter()
  const { permissions } = useSession()
  return Object.values(routesById).flatMap(({ fullPath: to, options: { staticData } }) =>
    staticData?.menu !== undefined && permissions.includes(staticData.menu.permission)
      ? [{ to, ...staticData.menu }]
      : [],
  )
}

/** What the page that is shown is called in the menu, and what it is about. */
export function useEntry(): { title: string; about?: string } {
  const entry = useMatch({ strict: false, select: ({ staticData }) => staticData.menu })
  return entry === undefined ? { title: '' } : { title: entry.label, about: entry.about }
}
