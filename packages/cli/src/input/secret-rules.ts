import type { Endpoint } from "@lakehelm/contract";
import { fieldsOf } from "./fields.ts";

/** The contract's description of a secret field, which has no flag because the command asks for the value. */
export const secretRules = (secret: string, { body }: Endpoint): string =>
  body && body !== "bytes" ? (fieldsOf(body).find(({ name }) => name === secret)?.description ?? "") : "";
