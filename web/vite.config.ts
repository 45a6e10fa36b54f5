import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // it would need an inline script, which our policy refuses
    assetsInlineLimit: 0,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // these know light-dark(); older ones would get a poor copy of it
    rolldownOptions: { input: ['index.html', 'landing.html'].map((page) => join(import.meta.dirname, page)) },
  },
  // The server says its own in every answer: when the two differ, a newer version is being served.
  define: { __BUILD__: JSON.stringify(process.env['BUILD_ID'] ?? 'dev') },
})
