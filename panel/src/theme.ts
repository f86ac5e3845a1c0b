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
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 8, highlightOnHover: true } },
    // The placeholder for the focus has no role, which a menu may not contain.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        // The library's own buttons have no name that a screen reader could say.
        closeButtonProps: { 'aria-label': t('Close') },
        // The page has a banner already; the heading of a dialog is not another.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
  },
})

// Darker than the button at rest; the library's own are lighter, and white on them has a contrast of 4.3 to 1.
const HOVER = { '--mantine-color-cyan-filled-hover': '#095c6b', '--mantine-color-red-filled-hover': '#a52222' }

/** WCAG 2.2 AA asks for a contrast of 4.5 to 1; the library's own quiet colours have less. */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-yellow-light-color': 'var(--mantine-color-black)',
  },
  dark: {
    ...HOVER,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
