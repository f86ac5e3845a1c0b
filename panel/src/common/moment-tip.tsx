import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { EXACT } from './moment.tsx'

/** Shows the exact instant of the moment under the pointer, in the viewer's time zone: one for the whole panel. */
export function MomentTip() {
  const [target, setTarget] = useState<HTMLTimeElement | null>(null)
  useEffect(() => {
    const look = ({ target: over }: PointerEvent) =>
      setTarget(over instanceof Element ? over.closest<HTMLTimeElement>('time.moment') : null)
    addEventListener('pointerover', look)
    return () => removeEventListener('pointerover', look)
  }, [])
  if (target === null) return null
  const { dateTime: at } = target
  return <Tooltip opened target={target} label={`${EXACT.format(new Date(at))} · ${at}`} />
}
