import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import { Done, dateTime, environmentHeader, exampleTime, largePage, total } from "./shared.ts";

const SecretName = s.model("SecretName", {
  key: s.string().describe("Name of the secret in its scope."),
  updated_at: dateTime().describe("When its value was last stored."),
});

const SecretScopeRole = s.literal("operator", "admin");

const limits = {
  environments: s
    .list(s.string())
    .nullable()
    .optional()
    .describe("Environments, by name or id, in which its secrets may be stored and used. Null: all."),
  roles: s
    .list(SecretScopeRole)
    .nullable()
    .optional()
    .describe(
      "Roles that may write a reference to it. Admins always may. Null: every role that may change things.",
    ),
  hosts: s
    .list(s.string())
    .nullable()
    .optional()
    .describe(
      "Hosts that its secrets may be sent to: `db.example.com` for all of its ports, `db.example.com:6432` for one, `*.example.com`, `programs` for code of apps, agents and tasks, `*` for all. Null: in each environment the first one that an admin's use there names. The list of the scope's secrets then shows it, with its port unless that is a usual one (80, 443, 5432, 3306, 1433, 1521).",
    ),
};

const shared = { tag: "Secrets", access: "admin", headers: environmentHeader } as const;

export const listSecretScopes = endpoint({
  ...shared,
  access: "operator",
  method: "GET",
  path: "/api/v1/secrets",
  scope: "header",
  summary: "List the names of the secret scopes of an environment",
  description:
    "The scopes that have a secret in the environment, by name. A caller who is not an admin there sees only those that it may refer to.",
  query: listQuery(memoryListFields.secretScopes),
  response: s.model("SecretScopeList", {
    scopes: s
      .list(s.model("SecretScopeName", { scope: s.string().describe("The name of the scope.") }))
      .describe("The scopes on this page, by name."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { scopes: [{ scope: "crm" }], total: 1 } },
});

export const listSecrets = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/secrets/{scope}",
  scope: "header",
  summary: "List the names of a scope's secrets",
  description:
    "Values are never returned. To use a secret, write `{{secrets/<scope>/<key>}}` in a configuration.",
  query: { ...listQuery(memoryListFields.secrets), limit: largePage },
  response: s.model("SecretList", {
    scope: s.string().describe("Name of the scope."),
    secrets: s.list(SecretName).describe("The names of its secrets in the environment, without values."),
    total: s.integer().describe("Number of secrets in the scope that match."),
    next_cursor: nextCursor(),
    limits: s
      .model("SecretScopeLimits", limits)
      .describe("Where its secrets may be used, and who may refer to them."),
  }),
  errors: [404, 409],
  example: {
    response: {
      scope: "crm",
      secrets: [{ key: "password", updated_at: exampleTime }],
      total: 1,
      limits: { environments: null, roles: null, hosts: ["crm.example.com"] },
    },
  },
});

export const limitSecretScope = endpoint({
  tag: "Secrets",
  access: "admin",
  method: "PUT",
  changes: "nothing",
  path: "/api/v1/secrets/{scope}",
  scope: "server",
  summary: "Limit a scope to environments, roles and hosts",
  description:
    "Applies to the scope of this name in every environment. A new reference that the limits do not allow is refused; one that exists is not resolved in an environment that is not listed. If you leave out `environments` or `roles`, or send null, that limit is removed. If you leave out `hosts`, they stay; null binds the scope, in each environment, to the host of the next reference that an admin writes there.",
  body: s.model("SecretScopeRequest", limits),
  response: s.model("SecretScope", { scope: s.string().describe("Name of the scope."), ...limits }),
  errors: [404, 409],
  example: {
    body: { environments: ["prod"], roles: ["admin"], hosts: ["crm.example.com"] },
    response: { scope: "crm", environments: ["prod"], roles: ["admin"], hosts: ["crm.example.com"] },
  },
});

export const putSecret = endpoint({
  ...shared,
  method: "PUT",
  changes: "settings",
  path: "/api/v1/secrets/{scope}/{key}",
  scope: "header",
  summary: "Store a secret",
  body: s.model("SecretRequest", {
    value: s.string().describe("The secret. It is stored encrypted and never returned."),
  }),
  response: Done,
  errors: [404, 409],
  example: { body: { value: "s3cret" }, response: { success: true, message: "Secret crm/password stored." } },
});

export const deleteSecret = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path: "/api/v1/secrets/{scope}/{key}",
  scope: "header",
  summary: "Delete a secret",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Secret crm/password deleted." } },
});
