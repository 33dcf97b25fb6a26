/** What a client must know of an endpoint to call it, as plain data: the published client has a table of these. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` is a path parameter. `{name*}` at the end may contain slashes. */
  readonly path: string;
  /** Absent: the endpoint takes no body. */
  readonly body?: "json" | "bytes";
  /** The content type of a response without a JSON form. */
  readonly reads?: string;
  /** Accepts `X-Environment-Id`. */
  readonly environment?: true;
  /** Accepts `Idempotency-Key`. */
  readonly creates?: true;
  readonly list?: ListOperation;
}

export interface ListOperation {
  /** The key of the items in the response. */
  readonly key: string;
  /** Accepts `skip` and `limit`. */
  readonly pageable: boolean;
}
