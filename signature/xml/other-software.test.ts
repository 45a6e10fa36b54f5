/** XML signed by xmlsec1 (fixtures/xml), and canonical forms as libxml2 writes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { derOf } from '../asn1/pem.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { defaultPolicy, evidenceAtHand, type Setting } from '../examination/policy.ts'
import { canonicalDocument, formNamed } from './canonical.ts'
import { examineXml } from './examine-xml.ts'
import { readXml } from './read.ts'

const folder = join(import.meta.dirname, '../fixtures/xml')
const setting: Setting = {
  trust: { roots: [readCertificate(derOf(readFileSync(join(folder, 'root.pem'))))], others: [] },
  evidence: evidenceAtHand({ crls: [], ocsp: [] }),
  policy: { ...defaultPolicy, revocation: 'none' },
  at: new Date('2026-12-01T00:00:00Z'),
}

test('XML that was signed by xmlsec1 is valid', async () => {
  const bytes = readFileSync(join(folder, 'xmlsec.xml'))
  const { findings, signatures } = (await examineXml(bytes, setting))!
  expect(findings).toEqual([])
  expect(signatures).toMatchObject([
    { covers: ['/'], examination: { findings: [], signers: [{ findings: [] }] } },
  ])
  const changed = Buffer.from(bytes.toString().replace('100', '900'))
  expect((await examineXml(changed, setting))!.signatures[0]!.examination.findings).toEqual([
    'other-document',
  ])
})

const text = new TextEncoder()
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'

test.each([
  [
    inclusive,
    '<?xml version="1.0"?>\n<?pi  x y?>\n<!-- c -->\n<a b="2" a="1"  c=\'q"&#9;&#10; \n x\'>t &amp; &lt;&gt; &#13; ә<b/><![CDATA[<x>&]]></a>\n<!-- end -->\n<?p?>',
    '<?pi x y?>\n<!-- c -->\n<a a="1" b="2" c="q&quot;&#x9;&#xA;   x">t &amp; &lt;&gt; &#xD; ә<b></b>&lt;x&gt;&amp;</a>\n<!-- end -->\n<?p?>',
  ],
  [
    inclusive,
    '<a xmlns="urn:a" xmlns:z="urn:z" z:q="1" b="2"><z:b xmlns=""><c xmlns:u="urn:u"/></z:b><d xmlns="urn:a" xmlns:z="urn:z2" z:k="1"/></a>',
    '<a xmlns="urn:a" xmlns:z="urn:z" b="2" z:q="1"><z:b xmlns=""><c xmlns:u="urn:u"></c></z:b><d xmlns:z="urn:z2" z:k="1"></d></a>',
  ],
  [
    exclusive,
    '<n0:local xmlns:n0="foo:bar" xmlns:n3="ftp://example.org"><n1:elem2 xmlns:n1="http://example.net" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org" n3:b="1" n1:b="2" a="3"/></n1:elem2></n0:local>',
    '<n0:local xmlns:n0="foo:bar"><n1:elem2 xmlns:n1="http://example.net" xml:lang="en"><n3:stuff xmlns:n3="ftp://example.org" a="3" n3:b="1" n1:b="2"></n3:stuff></n1:elem2></n0:local>',
  ],
])('the canonical form by %s of %s', (form, xml, expected) => {
  expect(canonicalDocument(readXml(text.encode(xml)), formNamed(form)!)).toBe(expected)
})
