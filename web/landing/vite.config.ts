import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Bundles the landing page into a module that the build runs once to write its HTML. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  build: {
    ssr: 'render.tsx',
    rolldownOptions: { output: { entryFileNames: 'render.js' } },
  },
  ssr: { noExternal: true },
})
