import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Turquoise; shade 7 is the primary colour (#00707f). */
const turquoise: MantineColorsTuple = [
  '#e3f3f4',
  '#c5e5e8',
  '#9dd2d7',
  '#6fbcc4',
  '#45a5b0',
  '#228e9b',
  '#0a7d8b',
  '#00707f',
  '#005562',
  '#003f49',
]

/** For acts that cannot be undone and for errors; shade 7 is --fill-bad of theme.css. */
const red: MantineColorsTuple = [
  '#fbe9e7',
  '#f6d3ce',
  '#eeada5',
  '#e4867a',
  '#d96455',
  '#cb4c3d',
  '#b3382c',
  '#b3382c',
  '#982d22',
  '#7d231a',
]

/** Cool greys for the dark theme. */
const dark: MantineColorsTuple = [
  '#d5e0e4',
  '#b9c8ce',
  '#93a7b0',
  '#64777f',
  '#3d4d55',
  '#2f3d44',
  '#1a2327',
  '#172024',
  '#12191d',
  '#0c1114',
]

export const theme = createTheme({
  primaryColor: 'turquoise',
  primaryShade: { light: 7, dark: 6 },
  colors: { turquoise, dark, red },
  fontFamily: '"Golos Text", system-ui, sans-serif',
  headings: { fontFamily: '"Golos Text", system-ui, sans-serif', fontWeight: '700' },
  fontSizes: { xs: '13px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  defaultRadius: '10px',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Only the breakpoints of theme.css.
  breakpoints: { xs: '480px', sm: '700px', md: '1000px', lg: '1000px', xl: '1280px' },
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md', autosize: true, minRows: 3 } },
    // An open list stays attached to its field, even when the field is scrolled off the screen.
    Combobox: { defaultProps: { hideDetached: false } },
    Select: { defaultProps: { size: 'md', allowDeselect: false } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 14,
        padding: 24,
        // The library's header element would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: 18, fontWeight: 700 } },
    },
    InputWrapper: {
      styles: { label: { marginBottom: 6 }, description: { marginTop: 6 }, error: { marginTop: 6 } },
    },
    Switch: { styles: { track: { borderColor: 'var(--ink-3)' } } },
    Alert: { defaultProps: { variant: 'default' } },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
})

/** Maps the library's red, yellow, green and grey to the tokens of theme.css. */
const meanings = { red: 'bad', yellow: 'gold', teal: 'ok', gray: 'off' } as const

/** The same in both schemes, because the tokens themselves differ between light and dark. */
const tints = Object.fromEntries(
  Object.entries(meanings).flatMap(([color, token]) => [
    [`--mantine-color-${color}-light`, `var(--${token}-soft)`],
    [`--mantine-color-${color}-light-hover`, `var(--${token}-soft)`],
    [`--mantine-color-${color}-light-color`, token === 'off' ? 'var(--ink-2)' : `var(--${token})`],
  ]),
)

/** Variables of Mantine that our palette replaces. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tints,
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#12232b',
    '--mantine-color-dimmed': '#566b75',
    '--mantine-color-placeholder': '#6b808a',
    '--mantine-color-error': '#b3382c',
    '--mantine-color-default-border': '#d5dfe3',
  },
  dark: {
    ...tints,
    '--mantine-color-body': '#172024',
    '--mantine-color-text': '#e6edf0',
    '--mantine-color-dimmed': '#9db0b8',
    '--mantine-color-placeholder': '#8a9ea7',
    '--mantine-color-error': '#ff8a7d',
    '--mantine-color-default': '#1a2327',
    '--mantine-color-default-hover': '#222d32',
    '--mantine-color-default-border': '#2f3d44',
  },
})
