/** Types of the client library, which has none of its own. */
declare module 'ncalayer-js-client' {
  export class NCALayerClient {
    kmdHttpApiUrl: string
    /** Null until `connect` is called. */
    wsConnection: WebSocket | null
    constructor(url: string, allowKmdHttpApi: boolean)
    connect(): Promise<string>
    basicsSignXML(
      allowedStorages: string[] | null,
      data: string[],
      signingParams: object,
      signerParams: object,
      locale: string,
    ): Promise<string | string[]>
    basicsSignCMS(
      allowedStorages: string[] | null,
      data: string[],
      signingParams: object,
      signerParams: object,
      locale: string,
    ): Promise<string | string[]>
  }
}
