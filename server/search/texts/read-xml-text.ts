/** The text between the tags of an XML document, one line for each element. People do not read attributes. */
import { readFile } from 'node:fs/promises'
import { elementsOf, textOf } from '@kelisim/signature/xml/nodes.ts'
import { readXml } from '@kelisim/signature/xml/read.ts'

export async function readXmlText(path: string): Promise<string[]> {
  const { root } = readXml(await readFile(path))
  const lines = [...elementsOf(root)].map((element) => textOf(element).trim())
  return [lines.filter((line) => line !== '').join('\n')]
}
