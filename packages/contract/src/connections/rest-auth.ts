import { shown } from "../text/display.ts";
import { isMap, readFields } from "./config.ts";
import { oneOf, plainText, text } from "./fields.ts";

const authTypes = ["client_credentials"] as const;

/** OAuth 2.0 client credentials (RFC 6749, section 4.4): how a REST API gets its access token. */
export interface RestAuth {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
  readonly audience: string | undefined;
  /** Where the client's id and secret are sent: in the `Authorization` header, or in the body. */
  readonly clientAuthentication: "basic" | "body";
}

const isTokenUrl = (url: string) => {
  const read = URL.parse(url);
  return read !== null && /^https?:$/.test(read.protocol) && !read.username && !read.password;
};

const authFields = {
  type: oneOf(...authTypes),
  token_url: plainText().refine((url) =>
    isTokenUrl(url) ? undefined : "expected a URL such as https://login.example.com/oauth/token",
  ),
  client_id: plainText(),
  client_secret: text(),
  scope: plainText().optional(),
  audience: plainText().optional(),
  client_authentication: oneOf("basic", "body").default("basic"),
};

const path = "connection.config.auth";

/** Reads `auth` of a REST connection; undefined if it is absent or invalid. */
export function readRestAuth(value: unknown, problems: string[]): RestAuth | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMap(value)) {
    problems.push(`${path}: it must be a map with the type ${authTypes.join(" or ")}.`);
    return undefined;
  }
  const { values, problems: found } = readFields(authFields, value, path);
  const known = Object.keys(authFields);
  for (const key of Object.keys(value).filter((one) => !known.includes(one))) {
    found.push(`${path}: ${shown(key)} is not a setting. Expected ${known.join(", ")}.`);
  }
  problems.push(...found);
  if (found.length > 0) return undefined;
  return {
    tokenUrl: values.token_url,
    clientId: values.client_id,
    clientSecret: values.client_secret,
    scope: values.scope,
    audience: values.audience,
    clientAuthentication: values.client_authentication,
  };
}
