import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env['API'] ?? 'http://127.0.0.1:3000'

// `vite panel` serves the panel while it is worked on, and takes the API from a running service.
export default defineConfig({
  plugins: [react()],
  build: { target: 'es2023', manifest: true, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': api } },
})
