import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { faultOf, packed, pdfWith, pdfWithPacked, script } from './testing-pdfs.ts'

const long = 'a'.repeat(300)
const opening = (action: string) => pdfWith({ catalog: `/OpenAction ${action}` })
const launch = '<< /S /Launch /F (cmd.exe) >>'

test.each<[string, Buffer]>([
  ['runs a script when it is opened', opening(script)],
  ['runs a script of another object', pdfWith({ catalog: '/OpenAction 4 0 R' }, script)],
  [
    'has scripts by their names',
    pdfWith({ catalog: '/Names << /JavaScript << /Names [(a) 4 0 R] >> >>' }, script),
  ],
  ['runs a script when a page is shown', pdfWith({ page: `/AA << /O ${script} >>` })],
  ['writes the name in digits', opening('<< /#53 /J#61vaScript /JS (1) >>')],
  ['writes a zero after the name', opening('<< /S /JavaScript#00a /JS (1) >>')],
  ['has a comment between', opening('<< /S % a\n /JavaScript /JS (1) >>')],
  ['has a long comment between', opening(`<< /S %${long}\n /JavaScript /Y (1) >>`)],
  ['has digits of a line end in a comment', opening('<< /S %#0A (\n/JavaScript /Y (1) >>')],
  ['has no space between', opening('<</JS(1)/S/JavaScript>>')],
  [
    'has the kind of the action elsewhere',
    pdfWith({ catalog: '/OpenAction << /S 4 0 R /Y (1) >>' }, '/JavaScript'),
  ],
  [
    'has the kind elsewhere behind a comment',
    pdfWith({ catalog: '/OpenAction << /S 4 0 R /Y (1) >>' }, `%${long}\n/JavaScript`),
  ],
  ['has a key without a value before', opening('<< /X >> /S /JavaScript /Y (1) >>')],
  ['has brackets that do not match before', opening('<< [ >> /S /JavaScript /Y (1) >>')],
  ['has the script in a string that a table names', pdfWith({}, `(9 0 obj ${script} endobj)`)],
  ['has the script in a comment that a table names', pdfWith({}, `null % 9 0 obj ${script} endobj`)],
  [
    'has the script in the data of a stream',
    pdfWith({}, `<< /Length 100 >>\nstream\n9 0 obj ${script} endobj\nendstream`),
  ],
  [
    'goes on after a stream',
    pdfWith({ catalog: `/OpenAction << /X << /Length 0 >>\nstream\n\nendstream /S /JavaScript /JS (1) >>` }),
  ],
  ['plays media', pdfWith({ page: '/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>]' })],
  ['has a model', pdfWith({ page: '/Annots [<< /Type /Annot /Subtype /3D /Rect [0 0 9 9] >>]' })],
  [
    'plays media whose kind stands elsewhere',
    pdfWith({ page: '/Annots [<< /Type /Annot /Subtype 4 0 R /Rect [0 0 9 9] >>]' }, '/Screen'),
  ],
  [
    'is a portfolio that shows another file first',
    pdfWith({ catalog: '/Collection << /View /T /D (a.pdf) >>' }),
  ],
  ['is a portfolio by a reference', pdfWith({ catalog: '/Collection 4 0 R' }, '<< /View /H >>')],
])('a PDF that %s is refused', async (_, pdf) => {
  expect(await faultOf(pdf)).toMatch(/^(scripts|broken)$/)
})

test.each([
  '/SetOCGState /State [/OFF 4 0 R]',
  '/Hide /T (price)',
  '/ResetForm',
  '/SubmitForm /F (https://a.kz)',
  '/GoTo3DView /TA 4 0 R',
  '/Rendition /OP 0',
  '/ImportData /F (a.fdf)',
  '/RichMediaExecute',
  '/Movie /T (a)',
  '/Sound /Sound 4 0 R',
])('an action that changes what is shown is refused: %s', async (action) => {
  const page = `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S ${action} >> >>]`
  expect(await faultOf(pdfWith({ page }))).toBe('scripts')
})

const tenNulls = Array<string>(10).fill('null')
const toAnother = '<< /S /GoToR /F (a.pdf) /D [0 /Fit] >>'

const goTo = '<< /S /GoTo /D [3 0 R /Fit] /Next'
const hint = '<< /S /Hint >>'

test.each<[string, Buffer]>([
  ['when the document is opened', opening(launch)],
  ['of another document when it is opened', opening('<< /S /GoToR /F (a.pdf) /D [0 /Fit] >>')],
  ['of an attached document when it is opened', opening('<< /S /GoToE /T << /R /C >> >>')],
  ['of another object', pdfWith({ catalog: '/OpenAction 4 0 R' }, launch)],
  [
    'of an object that stands in a comment',
    pdfWith({ catalog: '/OpenAction 7 0 R' }, `null % 7 0 obj ${launch}`),
  ],
  [
    'of an object in the midst of whose number a table points',
    pointingInto14(pdfWith({ catalog: '/OpenAction 4 0 R' }, hint, ...tenNulls.slice(1), launch)),
  ],
  ['of an object whose number stands in another line', withSplitHeader()],
  [
    'of an earlier revision of an object',
    Buffer.concat([pdfWith({ catalog: '/OpenAction 4 0 R' }, launch), hintAgain()]),
  ],
  ['when a page is shown', pdfWith({ page: `/AA << /O ${launch} >>` })],
  ['by other objects when a page is shown', pdfWith({ page: '/AA 4 0 R' }, '<< /O 5 0 R >>', launch)],
  ['after another action', opening(`${goTo} ${launch} >>`)],
  ['after another action, in a list', pdfWith({ catalog: `/OpenAction ${goTo} [4 0 R] >>` }, launch)],
  ['after actions of other objects', pdfWith({ catalog: '/OpenAction 4 0 R' }, `${goTo} 5 0 R >>`, launch)],
  ['that is packed', pdfWith({ catalog: '/OpenAction 9 0 R' }, packed(launch))],
  [
    'that is packed twice',
    pdfWith({ catalog: '/OpenAction 9 0 R' }, packed(`${goTo} 9 0 R >>`), packed(launch)),
  ],
  [
    'of a dictionary that readers repair differently',
    pdfWith({ page: '/Annots [4 0 R]' }, '<< /Subtype /Link /A << /X >> /S /Launch /F (a.exe) >> >>'),
  ],
])('opening a program or another file without a click is refused: %s', async (_, pdf) => {
  expect(await faultOf(pdf)).toBe('scripts')
})

/** The PDF with a table that places object 4 at the second digit of object 14. */
function pointingInto14(pdf: Buffer): Buffer {
  const text = pdf.toString('latin1')
  const row = (place: string, skipped: number) => String(text.indexOf(place) + skipped).padStart(10, '0')
  return Buffer.from(text.replace(row('\n4 0 obj', 1), row('\n14 0 obj', 2)), 'latin1')
}

function withSplitHeader(): Buffer {
  const pdf = pdfWith({ catalog: '/OpenAction 4 0 R' }, launch).toString('latin1')
  return Buffer.from(pdf.replace('4 0 obj', '4 %\n0 %7 7\nobj'), 'latin1')
}

function hintAgain(): Buffer {
  return Buffer.from(`4 0 obj\n${hint}\nendobj\n`)
}

test.each<[string, string, string[]]>([
  ['one', '/AcroForm << /Fields [] /XFA 4 0 R >>', ['<< /Length 6 >>\nstream\n<xdp/>\nendstream']],
  [
    'one of parts',
    '/AcroForm 5 0 R',
    ['<< /Length 6 >>\nstream\n<xdp/>\nendstream', '<< /Fields [] /XFA [(t) 4 0 R] >>'],
  ],
])('an XFA form is refused: %s', async (_, catalog, more) => {
  expect(await faultOf(pdfWith({ catalog }, ...more))).toBe('xfa')
})

test('a field with an unreadable value does not hide the other fields from the check', async () => {
  const pdf = pdfWith(
    { catalog: '/AcroForm << /Fields [4 0 R] >>' },
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T [1] /P 3 0 R /Rect [0 0 9 9] >>',
  )
  expect(await faultOf(pdf)).toBe('broken')
})

const link = (action: string) => `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A ${action} >>]`

test.each<[string, Buffer]>([
  ['names the language in its title', pdfWith({ trailer: '/Info 4 0 R ' }, '<< /Title (HTML/JavaScript) >>')],
  [
    'names it in a bookmark',
    pdfWith(
      { catalog: '/Outlines 4 0 R' },
      '<< /First 5 0 R /Last 5 0 R >>',
      '<< /Title (CSS /JavaScript, /S /JavaScript \\) /S /Launch) /Parent 4 0 R /Dest [3 0 R /Fit] >>',
    ),
  ],
  ['has links', pdfWith({ page: link('<< /S /URI /URI (https://a.kz/JavaScript) >>') })],
  ['has a link to another file', pdfWith({ page: link('<< /S /Launch /F (a.docx) >>') })],
  [
    'has links to other files as objects, and a place to begin with',
    pdfWith(
      { page: link('4 0 R'), catalog: '/OpenAction 5 0 R' },
      '<< /S /GoToR /F (a.pdf) /D [0 /Fit] >>',
      '<< /S /GoTo /D [3 0 R /Fit] >>',
    ),
  ],
  [
    'has a link to another file as an object whose number ends as that of the place to begin with',
    pdfWith(
      { page: link('14 0 R'), catalog: '/OpenAction 4 0 R' },
      '<< /S /GoTo /D [3 0 R /Fit] >>',
      ...tenNulls.slice(1),
      toAnother,
    ),
  ],
  [
    'has such a link, and one whose number ends as that of the page to begin with',
    pdfWith(
      { page: link('13 0 R'), catalog: '/OpenAction 4 0 R' },
      '[3 0 R /XYZ null null 0]',
      ...tenNulls.slice(2),
      toAnother,
    ),
  ],
  ['has a link to another file after a place', pdfWith({ page: link(`${goTo} ${launch} >>`) })],
  ['begins with a page', pdfWith({ catalog: '/OpenAction [3 0 R /Fit] /PageMode /UseNone' })],
  ['begins with an action of a page', opening('<< /Type /Action /S /GoTo /D [3 0 R /XYZ null null 0] >>')],
  ['begins with a named action', opening('<< /S /Named /N /FirstPage >>')],
  [
    'has a form with a tick',
    pdfWith(
      { catalog: '/AcroForm << /Fields [4 0 R] /XFA [] >>', page: '/Annots [4 0 R]' },
      '<< /Type /Annot /Subtype /Widget /FT /Btn /T (a) /AS /Off /Rect [0 0 9 9] >>',
    ),
  ],
  [
    'has a field for a signature',
    pdfWith(
      { catalog: '/AcroForm << /Fields [4 0 R] /SigFlags 3 >>', page: '/Annots [4 0 R]' },
      '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /P 3 0 R /Rect [0 0 0 0] /F 132 >>',
    ),
  ],
  [
    'has words where keys are expected',
    pdfWith({ page: link('<< /S /Launch 5 6 7 (a) true /F (a.docx) >>') }),
  ],
  ['has tags', pdfWith({ catalog: '/StructTreeRoot << /K << /S /Script /P 1 0 R >> >>' })],
  [
    'has a list of scripts that is empty',
    pdfWith({ catalog: '/Names << /JavaScript 4 0 R >>' }, '<< /Names [] >>'),
  ],
  [
    'has attached XML, as PDF/A-3',
    pdfWith(
      { catalog: '/AF [5 0 R] /Names << /EmbeddedFiles << /Names [(a.xml) 5 0 R] >> >>' },
      '<< /Type /EmbeddedFile /Subtype /text#2Fxml /Length 14 >>\nstream\n<a>/S obj (</a>\nendstream',
      '<< /Type /Filespec /F (a.xml) /UF (a.xml) /EF << /F 4 0 R >> /AFRelationship /Data >>',
    ),
  ],
  [
    'draws with the mode that has the name of media',
    pdfWith({}, '<< /Type /ExtGState /BM /Screen >>', '/Screen'),
  ],
  ['has packed objects', pdfWithPacked({}, packed('<< /S /GoTo /D [3 0 R /Fit] >>'))],
])('a PDF that %s is accepted', async (_, pdf) => {
  expect(await faultOf(pdf)).toBeNull()
})

test.each(['signed', 'twice', 'cades'])('a PDF with signatures inside is accepted: %s', async (name) => {
  const path = new URL(`../../../signature/fixtures/java/pdf/${name}.pdf`, import.meta.url)
  expect(await faultOf(await readFile(path))).toBeNull()
})
