/** A request as a handler sees it. Integers of 16 digits and more are `JSON.rawJSON` in `body`; `text` is what was sent. */
export interface FakeRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: what a test sends is what it expects
  readonly body: any;
  readonly text: string;
  readonly authorization: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address that the request was sent to, for links. */
  readonly host: string;
}

type Handler = (request: FakeRequest) => object | Promise<object>;
export type Routes = Readonly<Record<string, Handler>>;

/** A response that is not a success: `{error_code, message}`. */
export class FakeError extends Error {
  readonly status: number;
  readonly body: object | string;
  constructor(status: number, code: string | number, message: string, body?: object | string) {
    super(message);
    this.status = status;
    this.body = body ?? { error_code: code, message };
  }
}

/** Plain text or other content instead of JSON. */
export class FakeContent {
  readonly type: string;
  readonly content: string | Uint8Array;
  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}
