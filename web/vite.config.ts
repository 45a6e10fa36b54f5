import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { pdfFiles } from './documents/preview/pdf-files.ts'
import { cssTarget } from './ui/look/css-target.ts'

/** Files that the PDF reader fetches by name: character maps, standard fonts, decoders of scans. */
function filesOfPdfReader(): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  return {
    name: 'files-of-pdf-reader',
    generateBundle() {
      for (const [kind, wanted] of Object.entries(pdfFiles.kinds)) {
        for (const name of readdirSync(join(folder, kind)).filter((file) => wanted.test(file))) {
          const source = readFileSync(join(folder, kind, name))
          this.emitFile({ type: 'asset', fileName: `${pdfFiles.folder.slice(1)}${kind}/${name}`, source })
        }
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), filesOfPdfReader()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false }, // it would need an inline script, which our content security policy forbids
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000, // the chunk for the PDF of a verdict contains fonts; it is loaded only on demand
    target: 'es2023',
    cssTarget,
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'verify.html', 'quick.html'].map((page) =>
        join(import.meta.dirname, page),
      ),
    },
  },
  worker: { format: 'es' },
  // The server sends its own build id in every response: a different one means that a newer version is
  // served.
  define: {
    __BUILD__: JSON.stringify(process.env['BUILD_ID'] ?? 'dev'),
    __HELP_VERSIONS__: process.env['HELP_VERSIONS'] ?? '{}',
  },
})
