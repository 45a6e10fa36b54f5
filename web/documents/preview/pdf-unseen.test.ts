import { PDFDocument, PDFHexString, PDFName, PDFString, type PDFRef } from '@cantoo/pdf-lib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { unseenIn } from './pdf-unseen.tsx'

test('attached files, and layers that are not shown on screen or on paper, are listed', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  await pdf.attach(Buffer.from('<a/>'), 'счёт.xml', { mimeType: 'text/xml' })
  const layer = (name: string, usage = {}) =>
    pdf.context.register(pdf.context.obj({ Type: 'OCG', Name: PDFString.of(name), ...usage }))
  const off = (key: string, state: string) => ({
    Usage: pdf.context.obj({ [key]: pdf.context.obj({ [state]: 'OFF' }) }),
  })
  const shown = layer('Shown')
  const hidden = layer('Hidden')
  const layers: PDFRef[] = [shown, hidden, layer('Screen', off('Print', 'PrintState'))]
  pdf.catalog.set(
    PDFName.of('OCProperties'),
    pdf.context.obj({ OCGs: layers, D: pdf.context.obj({ ON: [shown], OFF: [hidden] }) }),
  )
  const task = getDocument({ data: await pdf.save() })
  const unseen = await unseenIn(await task.promise)
  expect(unseen).toEqual({ files: ['счёт.xml'], layers: ['Hidden', 'Screen'] })
  await task.destroy()
})

test('files that are attached to a page are listed', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  const content = pdf.context.register(pdf.context.flateStream('<a/>'))
  const file = pdf.context.obj({ Type: 'Filespec', F: PDFString.of('price.xml'), EF: { F: content } })
  const annotation = { Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 9, 9], FS: file }
  pdf.addPage().node.set(PDFName.of('Annots'), pdf.context.obj([annotation]))
  const task = getDocument({ data: await pdf.save() })
  expect(await unseenIn(await task.promise)).toEqual({ files: ['price.xml'], layers: [] })
  await task.destroy()
})

test('characters that reverse a name are made visible, and a name that is too long is cut', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  await pdf.attach(Buffer.from('a'), 'price\u202efdp.exe')
  await pdf.attach(Buffer.from('a'), `${'b'.repeat(300)}.xml`)
  const hidden = pdf.context.register(
    pdf.context.obj({ Type: 'OCG', Name: PDFHexString.fromText('a\u202eb') }),
  )
  const order = pdf.context.obj({ OCGs: [hidden], D: pdf.context.obj({ OFF: [hidden] }) })
  pdf.catalog.set(PDFName.of('OCProperties'), order)
  const task = getDocument({ data: await pdf.save() })
  expect(await unseenIn(await task.promise)).toEqual({
    files: [`${'b'.repeat(100)}…`, 'price[U+202E]fdp.exe'],
    layers: ['a[U+202E]b'],
  })
  await task.destroy()
})

test('nothing is listed for a PDF without attached files and layers', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  const task = getDocument({ data: await pdf.save() })
  expect(await unseenIn(await task.promise)).toEqual({ files: [], layers: [] })
  await task.destroy()
})
