import type { Endpoint } from "@lakehelm/contract";
import { fieldsOf } from "./fields.ts";

/** What the contract says about a field that has no flag, because it is asked for. */
export const secretRules = (secret: string, { body }: Endpoint): string =>
  body && body !== "bytes" ? (fieldsOf(body).find(({ name }) => name === secret)?.description ?? "") : "";
