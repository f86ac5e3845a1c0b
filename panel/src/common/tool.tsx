import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

type ToolProps = { label: string; icon: ReactNode; act: false | (() => void); size?: 'md' | 'lg' }

/** A button with a picture, which says its name under the pointer. `act` false: it can do nothing now. */
export function Tool({ label, icon, act, size = 'md' }: ToolProps) {
  return (
    <ActionIcon
      variant="default"
      size={size}
      aria-label={label}
      title={label}
      disabled={!act}
      onClick={act || undefined}
    >
      {icon}
    </ActionIcon>
  )
}
