import { NavLink } from '@mantine/core'
import { IconDeviceMobile, IconExternalLink } from '@tabler/icons-react'
import { t } from '../translation/translate.ts'

/** A link to the simulator's wall of phones. The page names its address only where the provider is the simulator. */
export function WallLink() {
  const address = document.querySelector<HTMLMetaElement>('meta[name="wall"]')?.content
  if (address === undefined) return null
  return (
    <NavLink
      href={address}
      target="_blank"
      label={t('Wall of phones')}
      leftSection={<IconDeviceMobile size={18} aria-hidden />}
      rightSection={<IconExternalLink size={14} aria-label={t('in a new tab')} />}
      mt="auto"
    />
  )
}
