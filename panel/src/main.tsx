import '@mantine/core/styles.css'
import './panel.css'
import { language } from './translation/language.ts'

document.documentElement.lang = language
const element = document.getElementById('root')!

// The sign-in page is small, and it has no part of the panel before somebody is let in.
if (location.pathname === '/sign-in') void import('./sign-in/draw.tsx').then(({ drawSignIn }) => drawSignIn(element))
else void import('./app.tsx').then(({ drawPanel }) => drawPanel(element))
