import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { pdfFiles } from './documents/preview/pdf-files.ts'

/** What the reader of PDF fetches by name while it reads: letters of the East, standard fonts, decoders of scans. */
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
    modulePreload: { polyfill: false }, // it would need an inline script, which our policy refuses
    assetsInlineLimit: 0,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // these know light-dark(); older ones would get a poor copy of it
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'verify.html', 'quick.html'].map((page) =>
        join(import.meta.dirname, page),
      ),
    },
  },
  worker: { format: 'es' },
  // The server says its own in every answer: when the two differ, a newer version is being served.
  define: {
    __BUILD__: JSON.stringify(process.env['BUILD_ID'] ?? 'dev'),
    __HELP_VERSIONS__: process.env['HELP_VERSIONS'] ?? '{}',
  },
})
