import { Spotlight, spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBell, IconPackage, IconSearch, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { useMenu } from './navigation.ts'
import { t } from '../translation/translate.ts'

const FOUND_MAX = 5
const WORDS_MIN = 2

export function openPalette(): void {
  spotlight.open()
}

/** Ctrl-K: finds pages, users, products and campaigns. */
export function Palette() {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 200)
  const navigate = useNavigate()
  const { permissions } = useSession()
  const go = (href: string) => () => void navigate({ href })
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['palette', words],
    enabled: words.length >= WORDS_MIN,
    queryFn: async () => {
      const groups = await Promise.all([
        permissions.includes('users') ? findUsers(words) : [],
        permissions.includes('products') ? findProducts(words) : [],
        permissions.includes('campaigns') ? findCampaigns(words) : [],
      ])
      return groups.flat()
    },
  })
  const takeFirst = useEnter(typed.trim() !== words || isFetching)
  const pages = useMenu().map(({ to, label, about, icon: Icon }): SpotlightActionData => ({
    id: to,
    label,
    description: about,
    leftSection: <Icon size={20} aria-hidden />,
    onClick: go(to),
  }))
  const records = found.map(({ href, label, about, icon: Icon }): SpotlightActionData => ({
    id: href,
    label,
    description: about,
    keywords: words,
    leftSection: <Icon size={20} aria-hidden />,
    onClick: go(href),
  }))
  const actions: SpotlightActionGroupData[] = [
    { group: t('Pages'), actions: pages },
    ...(words.length >= WORDS_MIN ? [{ group: t('Found'), actions: records }] : []),
  ]
  return (
    <Spotlight
      actions={actions}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      nothingFound={t('Nothing found')}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('Search everything') } }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('Users, products, campaigns, pages'),
        'aria-label': t('Search everything'),
        onKeyDown: ({ key }) => takeFirst(key),
      }}
    />
  )
}

/** Enter opens the first hit where none is chosen, and waits for it while the search is under way. */
function useEnter(isSearching: boolean): (key: string) => void {
  const isAwaited = useRef(false)
  useEffect(() => {
    if (!isSearching && isAwaited.current) firstHit()?.click()
    if (!isSearching) isAwaited.current = false
  }, [isSearching])
  return (key) => {
    const isChosen = document.querySelector('[data-action][data-selected]') !== null
    isAwaited.current = key === 'Enter' && !isChosen && isSearching
    if (key === 'Enter' && !isChosen && !isSearching) firstHit()?.click()
  }
}

function firstHit() {
  return document.querySelector<HTMLElement>('[data-action]')
}

type Found = { href: string; label: string; about: string; icon: typeof IconUser }

async function findUsers(search: string): Promise<Found[]> {
  const { data } = await readBody(
    api.GET('/api/admin/v1/users', { params: { query: { search, per_page: FOUND_MAX } } }),
  )
  return data.map(({ id, name, email }) => ({ href: `/users/${id}`, label: name, about: email, icon: IconUser }))
}

async function findProducts(search: string): Promise<Found[]> {
  const { data } = await readBody(
    api.GET('/api/admin/v1/products', { params: { query: { search, per_page: FOUND_MAX } } }),
  )
  return data.map(({ id, title, owner }) => ({
    href: `/products/${id}`,
    label: title,
    about: t('Product of {name}', { name: owner.name }),
    icon: IconPackage,
  }))
}

async function findCampaigns(search: string): Promise<Found[]> {
  const query = { search, per_page: FOUND_MAX }
  const { data } = await readBody(api.GET('/api/admin/promotional-notifications', { params: { query } }))
  return data.map(({ id, title, body }) => ({
    href: `/notifications/${id}`,
    label: title,
    about: body,
    icon: IconBell,
  }))
}
