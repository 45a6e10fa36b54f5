/** What is wrong with an XML document to be signed, with the message of the real signing programs. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'XmlError'
  }
}
