import { credential } from "./credentials.ts";
import { oneOf, text } from "./fields.ts";

/** Settings for object storage, used when the path begins with `s3://`. */
export const storageFields = {
  region: text()
    .refine((region) =>
      /^[a-z0-9-]{1,50}$/i.test(region) ? undefined : "expected a region such as eu-central-1",
    )
    .optional(),
  endpoint: text()
    .refine((endpoint) => endpointProblem(endpoint))
    .optional(),
  path_style: oneOf("true", "false").optional(),
  access_key_id: credential(text()).optional(),
  secret_access_key: credential(text()).optional(),
  session_token: credential(text()).optional(),
};

export const fileFields = { path: text(), ...storageFields };

function endpointProblem(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url === null || !["https:", "http:"].includes(url.protocol)) return "expected an http or https URL";
  if (url.username || url.password) return "it must not contain a user or a password";
  return url.pathname === "/" && url.search === "" && url.hash === ""
    ? undefined
    : "expected a host, without a path and parameters";
}
