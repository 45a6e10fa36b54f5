import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cssTarget } from '../../ui/look/css-target.ts'

/** Bundles the skeleton of the application into a module that the build runs once to write its HTML. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  build: {
    ssr: 'render.tsx',
    cssMinify: true,
    cssTarget,
    rolldownOptions: { output: { entryFileNames: 'render.js' } },
  },
  ssr: { noExternal: true },
})
