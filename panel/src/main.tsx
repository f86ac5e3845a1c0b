import '@mantine/core/styles.css'
import './panel.css'
import { language } from './translation/language.ts'

const ENTRIES = ['/sign-in', '/forgot-password', '/reset-password', '/confirm-email']

document.documentElement.lang = language
const element = document.getElementById('root')!
const { pathname: path } = location

// These pages are small: they have no part of the panel before somebody is let in.
if (ENTRIES.includes(path)) void import('./sign-in/draw.tsx').then(({ drawEntry }) => drawEntry(element, path))
else void import('./app.tsx').then(({ drawPanel }) => drawPanel(element))
