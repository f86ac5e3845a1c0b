import { createTheme, type CSSVariablesResolver } from '@mantine/core'
import { t } from './translation/translate.ts'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  components: {
    Table: { defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } },
    // The library's own has no name that a screen reader could say.
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
  },
})

const HOVERED = { '--mantine-color-cyan-filled-hover': 'color-mix(in srgb, var(--mantine-color-cyan-9) 85%, black)' }

/** WCAG 2.2 AA asks for a contrast of 4.5 to 1; the library's own colours, quiet and under the mouse, have less. */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...HOVERED,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-yellow-light-color': 'var(--mantine-color-black)',
  },
  dark: {
    ...HOVERED,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
