/** What is wrong with an XML that was to be signed, in the words the signing programs have for it. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'XmlError'
  }
}
