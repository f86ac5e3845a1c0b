import {
  ActionIcon,
  AppShell,
  Avatar,
  Burger,
  Group,
  Kbd,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout, IconMoon, IconSearch, IconSun, IconUser } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { renewPush } from '../account/browser-push.ts'
import { leaveForSignIn, useSession } from '../api/session.ts'
import { inWords } from '../common/labels.tsx'
import { MomentTip } from '../common/moment-tip.tsx'
import { loadScript } from '../common/loaded.tsx'
import { tellRefusal } from '../common/tell.ts'
import { DecisionsMade } from '../cases/decisions.tsx'
import { Keys } from './keys.tsx'
import type * as palettes from './palette.tsx'
import { PageNews, useAskBeforeLeaving } from './leaving.tsx'
import { SignInAgain } from '../sign-in/sign-in-again.tsx'
import { MenuEntries } from './menu.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { WallLink } from './wall-link.tsx'
import { t } from '../translation/translate.ts'

/** The search. It is loaded after the page: nobody presses a key before there is something to see. */
function usePalette() {
  const [palette, setPalette] = useState<typeof palettes>()
  const load = useCallback(async () => {
    const loaded = await loadScript(() => import('./palette.tsx'))
    setPalette(loaded)
    return loaded
  }, [])
  useEffect(() => void load().catch(() => undefined), [load])
  return { Palette: palette?.Palette, open: () => void load().then(({ openPalette }) => openPalette(), tellRefusal) }
}

export function Shell() {
  return (
    <Keys>
      <DecisionsMade>
        <Frame />
      </DecisionsMade>
    </Keys>
  )
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const { Palette, open } = usePalette()
  useAskBeforeLeaving()
  const { pathname } = useLocation()
  useEffect(close, [pathname, close])
  const { id } = useSession()
  useEffect(() => void renewPush(id).catch(() => undefined), [id])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#page" className="skip-link">
        {t('Skip to the page')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('Menu')} />
            <Link to="/" className="row-link" aria-label={t('Swapbell, home')}>
              <Group gap="xs" wrap="nowrap">
                <img src="/bell.svg" alt="" width={28} height={28} />
                <Text fw={700} visibleFrom="xs">
                  Swapbell
                </Text>
              </Group>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton open={open} />
            <SchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar component="nav" aria-label={t('Pages')} style={{ overflowY: 'auto' }}>
        <MenuEntries />
        <WallLink />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      {Palette && <Palette />}
      <SignInAgain />
      <PageNews />
      <Shortcuts search={open} />
      <MomentTip />
    </AppShell>
  )
}

function SearchButton({ open }: { open: () => void }) {
  return (
    <UnstyledButton
      onClick={open}
      px="sm"
      py={6}
      bd="1px solid var(--mantine-color-default-border)"
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    >
      <Group gap="xs" wrap="nowrap" c="dimmed">
        <IconSearch size={16} aria-hidden />
        <Text size="sm">{t('Search')}</Text>
        <Kbd size="xs" visibleFrom="sm">
          Ctrl K
        </Kbd>
      </Group>
    </UnstyledButton>
  )
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const label = isDark ? t('Light mode') : t('Dark mode')
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

function AccountMenu() {
  const { name, email, role } = useSession()
  const signOut = useMutation({
    mutationFn: () => readBody(api.DELETE('/api/admin/v1/session')),
    onSettled: () => leaveForSignIn({ isComingBack: false }),
  })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={name} color="gray.8" variant="filled" radius="xl" size={34} />
          <VisuallyHidden>{t(': your account')}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          <br />
          {email} · {inWords(role)}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          {t('My account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
