/** The text of an XML document: what stands between tags, a line for each element. Attributes are no text that people read. */
import { readFile } from 'node:fs/promises'
import { elementsOf, textOf } from '@kelisim/signature/xml/nodes.ts'
import { readXml } from '@kelisim/signature/xml/read.ts'

export async function readXmlText(path: string): Promise<string[]> {
  const { root } = readXml(await readFile(path))
  const lines = [...elementsOf(root)].map((element) => textOf(element).trim())
  return [lines.filter((line) => line !== '').join('\n')]
}
