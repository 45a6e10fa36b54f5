import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignedXml } from 'xml-crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { verifyDigest, type GostHash } from '@kelisim/signature/algorithms/verify.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { cutSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { withSignature } from '@kelisim/signature/xml/enveloped.ts'
import { withXmlEvidence } from '@kelisim/signature/xml/evidence-properties.ts'
import { pem } from '../pem.ts'
import { canonical, canonicalDocument } from './canonical.ts'
import { elementAt, readXml } from './read-xml.ts'
import { signXml, type XmlPlaces } from './sign-xml.ts'

const people = new Map<KeyKind, CmsSigner>()
const kinds = ['gost-kz-512', 'gost-kz-2004', 'rsa'] as const
beforeAll(async () => {
  for (const kind of kinds) people.set(kind, (await foundNation(kind, 'XML')).person)
})
const signerOf = (kind: KeyKind) => people.get(kind)!

const byId: XmlPlaces = { signed: "//*[local-name()='body']", parent: '' }
type Example = [string, string, XmlPlaces?]

const documents: Example[] = [
  ['a tag', '<tag>data</tag>'],
  ['with a declaration and white space', '<?xml version="1.0" encoding="UTF-8"?>\n<a>\r\n  <b/>\n</a>\n'],
  [
    'Kazakh, escapes and a character reference',
    '<құжат атау="«Келісім» &lt;1&gt; &quot;&#9;&#13;">ә &amp; &gt; &#13; ү</құжат>',
  ],
  [
    'namespaces, declared and undone',
    '<a xmlns="urn:a" xmlns:z="urn:z" z:q="1" b="2" a="3"><z:b xmlns=""><c/></z:b><d xmlns="urn:a"/></a>',
  ],
  ['character data', '<a><![CDATA[<b>&]]></a>'],
  [
    'an element by its Id',
    '<a xmlns="urn:a" xmlns:z="urn:z"><head/><z:body Id="b-1"><c z:d="1"/></z:body></a>',
    byId,
  ],
  [
    'an element by its Id, the signature elsewhere',
    '<a><body Id="x">1</body><seals><seal/></seals></a>',
    { signed: '/a/body', parent: '/a/seals' },
  ],
]

/** Cases in which the canonical forms of xml-crypto deviate from the standard. */
const harder: Example[] = [
  ['instructions around the root', '<?before it?><a/><?after?>'],
  ['a language that is inherited', '<a xml:lang="kk"><body Id="b-1"/></a>', byId],
  ['comments', '<!-- a --><a><!-- b -->1<b Id="q">2<!-- c --></b></a>'],
  ['comments in an element', '<a><!-- b -->1<body Id="q">2<!-- c --></body></a>', byId],
]

test('the digest of the recorded document is the recorded one', async () => {
  const text = await signXml('<tag>data</tag>', signerOf('rsa'), 'compact')
  expect(text).toContain('<ds:DigestValue>soDZFGIUsZ1x0sK/7x1bJvtGeQsO0BKOVwAvKxC3RJY=</ds:DigestValue>')
})

test.each([
  [
    'gost-kz-512',
    'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34102015-gostr34112015-512',
    'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34112015-512',
  ],
  [
    'gost-kz-2004',
    'http://www.w3.org/2001/04/xmldsig-more#gost34310-gost34311',
    'http://www.w3.org/2001/04/xmldsig-more#gost34311',
  ],
  ['rsa', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
] as const)('%s: the names of its algorithms, and the whole form', async (kind, signature, digest) => {
  const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
  const value = (text: string) => text.replaceAll(/>[A-Za-z0-9+/=]{40,}</g, '>…<')
  expect(value(await signXml('<a/>', signerOf(kind), 'compact'))).toBe(
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?><a><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>' +
      `<ds:CanonicalizationMethod Algorithm="${inclusive}"/><ds:SignatureMethod Algorithm="${signature}"/>` +
      '<ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>' +
      `<ds:Transform Algorithm="${inclusive}#WithComments"/></ds:Transforms><ds:DigestMethod Algorithm="${digest}"/>` +
      '<ds:DigestValue>…</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>…</ds:SignatureValue>' +
      '<ds:KeyInfo><ds:X509Data><ds:X509Certificate>…</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature></a>',
  )
  const one = value(
    await signXml('<a><b Id="i"/></a>', signerOf(kind), 'compact', { signed: '//b', parent: '' }),
  )
  expect(one).toContain('<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>')
  expect(one).toContain(
    `<ds:Reference URI="#i"><ds:Transforms><ds:Transform Algorithm="${inclusive}#WithComments"/></ds:Transforms>`,
  )
})

test('commonUtils breaks lines as the program on Windows does; basics not at all', async () => {
  const broken = await signXml('<a>1\n2</a>', signerOf('gost-kz-512'), 'broken lines')
  expect(broken).toContain('<a>1\n2<ds:Signature')
  expect(broken).toMatch(
    /<ds:SignatureValue>\r\n([A-Za-z0-9+/=]{76}\r\n)+[A-Za-z0-9+/=]+\r\n<\/ds:SignatureValue>\r\n/,
  )
  expect(await signXml('<a>1</a>', signerOf('gost-kz-512'), 'compact')).not.toMatch(/[\r\n]/)
})

describe.each([
  [
    'an element that is not there',
    { signed: '//nobody', parent: '' },
    'Указанный для подписи элемент //nobody не найден',
  ],
  [
    'an element without Id',
    { signed: '/a/b', parent: '' },
    "Указанный для подписи элемент /a/b не содержит атрибут 'Id'",
  ],
  ['a path that is none', { signed: '///[', parent: '' }, 'Указанный для подписи элемент ///[ не найден'],
])('refused: %s', (_, places, message) => {
  test(message, async () => {
    await expect(signXml('<a><b id="1"/></a>', signerOf('rsa'), 'compact', places)).rejects.toThrow(message)
  })
})

test.each([
  [
    '<this>is not a valid XML',
    'lineNumber: 1; columnNumber: 25; XML document structures must start and end within the same entity.',
  ],
  ['no XML at all', 'lineNumber: 1; columnNumber: 1; Content is not allowed in prolog.'],
  ['', 'lineNumber: 1; columnNumber: 1; Premature end of file.'],
  ['<a></b>', 'org.xml.sax.SAXParseException'],
  ['<a b=c/>', 'org.xml.sax.SAXParseException'],
  ['<a/><b/>', 'org.xml.sax.SAXParseException'],
  ['<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', 'org.xml.sax.SAXParseException'],
])('%j is not signed', async (text, message) => {
  await expect(signXml(text, signerOf('rsa'), 'compact')).rejects.toThrow(message)
})

describe('the examples of Canonical XML', () => {
  test.each([
    ['<?pi x?>\n<!-- c -->\n<doc>Hello<!-- c --></doc>\n<?after?>', '<?pi x?>\n<doc>Hello</doc>\n<?after?>'],
    ['<e a="1"   b=\'"\'  />', '<e a="1" b="&quot;"></e>'],
    [
      '<e5 a:attr="out" b:attr="sorted" attr2="all" attr="I\'m" xmlns:b="http://b" xmlns:a="http://a" xmlns="http://d"/>',
      '<e5 xmlns="http://d" xmlns:a="http://a" xmlns:b="http://b" attr="I\'m" attr2="all" a:attr="out" b:attr="sorted"></e5>',
    ],
    ['<a xmlns="urn:x"><b xmlns=""><c xmlns=""/></b></a>', '<a xmlns="urn:x"><b xmlns=""><c></c></b></a>'],
  ])('%j', (text, expected) => {
    expect(canonicalDocument(readXml(text))).toBe(expected)
  })

  test('an element keeps all namespaces that it inherits, or only those that it uses', () => {
    const element = elementAt(
      readXml('<a xmlns:u="urn:u" xmlns:v="urn:v" xml:lang="kk"><v:b/></a>'),
      '//*[2]/@x | /a/*',
    )!
    expect(canonical(element, 'inclusive')).toBe('<v:b xmlns:u="urn:u" xmlns:v="urn:v" xml:lang="kk"></v:b>')
    expect(canonical(element, 'exclusive')).toBe('<v:b xmlns:v="urn:v"></v:b>')
  })
})

describe.each(kinds)('xml-crypto finds %s signatures valid', (kind) => {
  test.each(documents)('%s', async (_, text, places) => {
    for (const layout of ['compact', 'broken lines'] as const) {
      const signed = await signXml(text, signerOf(kind), layout, places)
      expect(isSoundByXmlCrypto(signed, signerOf(kind))).toBe(true)
      const other = places
        ? signed.replace(/ Id="[^>]*>/, '$&x')
        : signed.replace('<ds:Signature ', 'x<ds:Signature ')
      expect(isSoundByXmlCrypto(other, signerOf(kind))).toBe(false)
    }
  })
})

/** Uses the canonical forms and the signature parsing of xml-crypto; GOST is verified by the engine. */
function isSoundByXmlCrypto(text: string, { key, certificate }: CmsSigner): boolean {
  const signature = new SignedXml({
    publicCert: pem('CERTIFICATE', certificate.der),
    getCertFromKeyInfo: () => null,
  })
  if (key.kind !== 'rsa') {
    const hashName = key.hash as GostHash
    const names = /SignatureMethod Algorithm="([^"]+)"[^]*DigestMethod Algorithm="([^"]+)"/.exec(text)!
    signature.SignatureAlgorithms[names[1]!] = algorithmOf(names[1]!, hashName, certificate)
    signature.HashAlgorithms[names[2]!] = hashOf(names[2]!, hashName)
  }
  const element = /<ds:Signature [^]*<\/ds:Signature>/.exec(text)![0]
  try {
    signature.loadSignature(element)
    return signature.checkSignature(text)
  } catch {
    return false
  }
}

function hashOf(name: string, hashName: HashName) {
  return class {
    getAlgorithmName = () => name
    getHash = (text: string) => Buffer.from(hash(hashName, Buffer.from(text))).toString('base64')
  }
}

function algorithmOf(name: string, hashName: GostHash, { publicKey }: CmsSigner['certificate']) {
  return class {
    getAlgorithmName = () => name
    getSignature = () => ''
    verifySignature = (text: string, _key: unknown, value: string) =>
      verifyDigest(
        { kind: 'gost', hash: hashName, wire: 'kz' },
        publicKey.key!,
        hash(hashName, Buffer.from(text)),
        new Uint8Array(Buffer.from(value, 'base64')),
      ) === 'valid'
  }
}

const java = spawnSync('java', ['--list-modules'], { encoding: 'utf8' })
const hasJava = java.status === 0 && java.stdout.includes('jdk.compiler')

/** The real program is built on Java's own library, too. */
const verifier = `
import java.io.*; import java.nio.file.*; import java.security.cert.*; import java.util.*;
import javax.xml.crypto.dsig.*; import javax.xml.crypto.dsig.dom.*; import javax.xml.parsers.*; import org.w3c.dom.*;
public class Verify {
  public static void main(String[] files) throws Exception {
    var factory = DocumentBuilderFactory.newInstance(); factory.setNamespaceAware(true);
    for (String file : files) {
      Document document = factory.newDocumentBuilder().parse(new File(file));
      NodeList all = document.getElementsByTagName("*");
      for (int i = 0; i < all.getLength(); i++)
        if (((Element) all.item(i)).hasAttribute("Id")) ((Element) all.item(i)).setIdAttribute("Id", true);
      NodeList signatures = document.getElementsByTagNameNS(XMLSignature.XMLNS, "Signature");
      for (int i = 0; i < signatures.getLength(); i++) {
        Element signature = (Element) signatures.item(i);
        String text = signature.getElementsByTagNameNS(XMLSignature.XMLNS, "X509Certificate").item(0).getTextContent();
        var certificate = CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(Base64.getMimeDecoder().decode(text)));
        var context = new DOMValidateContext(certificate.getPublicKey(), signature);
        System.out.println(XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context));
      }
    }
  }
}`

test.skipIf(!hasJava)(
  `Java finds RSA signatures valid${hasJava ? '' : ' (skipped: no Java to compile with)'}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xml-'))
    try {
      const rsa = signerOf('rsa')
      const texts: string[] = []
      const more = [...documents, ...harder]
      for (const [, text, places] of more) texts.push(await signXml(text, rsa, 'broken lines', places))
      for (const [, text, places] of more) texts.push(await signXml(text, rsa, 'compact', places))
      // signing a signed document also signs, and breaks, the earlier signature, as in the real program
      texts.push(await signXml(await signXml('<a/>', rsa, 'compact'), rsa, 'compact'))
      const files = texts.map((text, i) => {
        const path = join(folder, `${i}.xml`)
        writeFileSync(path, text)
        return path
      })
      writeFileSync(join(folder, 'Verify.java'), verifier)
      const { stdout, stderr } = spawnSync('java', [join(folder, 'Verify.java'), ...files], {
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      expect(stdout.trim().split('\n')).toEqual([
        ...Array.from({ length: 2 * more.length }, () => 'true'),
        'false',
        'true',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  30_000,
)

const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0

test.skipIf(!hasXmlsec)('xmlsec1 verifies a document that was put together with its signature', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xmlsec-'))
  try {
    const document = Buffer.from('<?xml version="1.0"?>\r\n<a xmlns="urn:a">\r\n  <sum>100</sum>\r\n</a>\r\n')
    const person = signerOf('rsa')
    for (const layout of ['compact', 'broken lines'] as const) {
      const made = cutSignature(await signXml(document.toString(), person, layout))!
      const signature = withXmlEvidence(Buffer.from(made), {
        timestamps: [],
        certificates: [person.certificate.der],
        ocspResponses: [],
        crls: [],
      })
      const signed = Buffer.from(withSignature(document, signature))
      const changed = Buffer.from(signed.toString().replace('>100<', '>900<'))
      const key = join(folder, 'key.pem')
      writeFileSync(key, pem('CERTIFICATE', person.certificate.der))
      const statuses = [signed, changed].map((bytes, i) => {
        const path = join(folder, `${i}.xml`)
        writeFileSync(path, bytes)
        return spawnSync('xmlsec1', ['--verify', '--pubkey-cert-pem', key, path]).status
      })
      expect(statuses).toEqual([0, 1])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
