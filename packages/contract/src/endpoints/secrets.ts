import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, environmentHeader, exampleTime } from "./shared.ts";

const SecretName = s.model("SecretName", { key: s.string(), updated_at: dateTime() });

const shared = { tag: "Secrets", access: "admin", headers: environmentHeader } as const;

export const listSecrets = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/secrets/{scope}",
  summary: "List the names of a scope's secrets",
  description:
    "Values are never returned. To use a secret, write `{{secrets/<scope>/<key>}}` in a configuration.",
  response: s.model("SecretList", { scope: s.string(), secrets: s.list(SecretName), total: s.integer() }),
  errors: [404, 409],
  example: {
    response: { scope: "crm", secrets: [{ key: "password", updated_at: exampleTime }], total: 1 },
  },
});

export const putSecret = endpoint({
  ...shared,
  method: "PUT",
  path: "/api/v1/secrets/{scope}/{key}",
  summary: "Store a secret",
  body: s.model("SecretRequest", { value: s.string() }),
  response: Done,
  errors: [404, 409],
  example: { body: { value: "s3cret" }, response: { success: true, message: "Secret crm/password stored." } },
});

export const deleteSecret = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v1/secrets/{scope}/{key}",
  summary: "Delete a secret",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Secret crm/password deleted." } },
});
