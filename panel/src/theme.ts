import { createTheme, type CSSVariablesResolver } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  components: {
    Table: { defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } },
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
  },
  dark: {
    ...HOVERED,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
})
