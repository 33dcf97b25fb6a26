import type { CommandGroup } from "./spec.ts";

export const server = {
  environments: {
    about: "Environments such as dev and prod, and who may do what in them",
    commands: {
      list: {
        operation: "listEnvironments",
        columns: ["name", "isActive", "protected", "platform", "description", "id"],
        examples: ["environments list"],
      },
      get: { operation: "getEnvironment", examples: ["environments get prod"] },
      create: {
        operation: "createEnvironment",
        examples: ["environments create --name dev", "environments create --name prod --protected"],
      },
      update: { operation: "updateEnvironment", examples: ["environments update prod --no-protected"] },
      delete: { operation: "deleteEnvironment", examples: ["environments delete dev --force"] },
      check: {
        operation: "checkEnvironment",
        rows: "findings",
        columns: ["name", "status", "message", "action"],
        examples: ["environments check prod"],
      },
      summary: { operation: "getEnvironmentSummary", examples: ["environments summary prod"] },
      roles: {
        operation: "listEnvironmentRoles",
        columns: ["username", "role", "granted_by", "granted_at"],
        examples: ["environments roles prod"],
      },
      "request-change": {
        operation: "requestEnvironmentChange",
        examples: [
          'environments request-change prod --lift --reason "The migration of tonight"',
          'environments request-change prod --set change.name=production --reason "A clearer name"',
        ],
      },
      "change-request": { operation: "getEnvironmentChange", examples: ["environments change-request prod"] },
      "approve-change": {
        operation: "approveEnvironmentChange",
        examples: ["environments approve-change prod --id 019f0000-0000-7000-8000-00000000000d"],
      },
      "withdraw-change": {
        operation: "withdrawEnvironmentChange",
        examples: ["environments withdraw-change prod"],
      },
      "grant-role": {
        operation: "putEnvironmentRole",
        examples: ["environments grant-role prod ada@example.com --role operator"],
      },
      "revoke-role": {
        operation: "deleteEnvironmentRole",
        examples: ["environments revoke-role prod ada@example.com"],
      },
    },
  },
  secrets: {
    about: "Secret values, by scope and key; they can be set, never read",
    commands: {
      scopes: { operation: "listSecretScopes", columns: ["scope"], examples: ["secrets scopes"] },
      list: { operation: "listSecrets", columns: ["key", "updated_at"], examples: ["secrets list crm"] },
      put: {
        operation: "putSecret",
        secret: "value",
        examples: ["secrets put crm password", "secrets put crm password < password.txt"],
      },
      delete: { operation: "deleteSecret", examples: ["secrets delete crm password"] },
      limit: {
        operation: "limitSecretScope",
        examples: [
          "secrets limit crm --set hosts=[crm.example.com]",
          "secrets limit crm --set environments=[prod] --set roles=[admin]",
        ],
      },
    },
  },
  users: {
    about: "Users and their personal tokens",
    commands: {
      list: {
        operation: "listUsers",
        columns: ["username", "role", "active", "created_at", "id"],
        examples: ["users list"],
      },
      get: { operation: "getUser", examples: ["users get ada@example.com"] },
      create: {
        operation: "createUser",
        secret: "password",
        examples: [
          "users create --username ada@example.com --role operator --ask-password",
          "users create --username ada@example.com --ask-password < password.txt",
        ],
      },
      update: {
        operation: "updateUser",
        secret: "password",
        examples: [
          "users update ada@example.com --role admin",
          "users update ada@example.com --ask-password",
        ],
      },
      delete: { operation: "deleteUser", examples: ["users delete ada@example.com"] },
      tokens: {
        operation: "listTokens",
        columns: ["comment", "created_at", "expires_at", "id"],
        examples: ["users tokens ada@example.com"],
      },
      "create-token": {
        operation: "createToken",
        examples: ['users create-token ada@example.com --comment "nightly export" --lifetime-seconds 86400'],
      },
      "revoke-token": {
        operation: "revokeToken",
        examples: ["users revoke-token ada@example.com 019f0000-0000-7000-8000-00000000000b"],
      },
    },
  },
  events: {
    about: "The log of every change",
    commands: {
      verify: { operation: "verifyEvents", examples: ["events verify"] },
      acknowledge: {
        operation: "acknowledgeEvents",
        examples: ['events acknowledge --reason "The backup of 1 May was restored."'],
      },
    },
  },
  backups: {
    about: "Copies of everything, made while the server runs",
    commands: {
      list: {
        operation: "listBackups",
        columns: ["id", "status", "created_at", "created_by", "bytes", "error"],
        examples: ["backups list"],
      },
      get: { operation: "getBackup", examples: ["backups get 20260301T120000000Z-9f3a1c02"] },
      create: {
        operation: "createBackup",
        ends: { operation: "getBackup", parameter: "backup_id" },
        examples: ["backups create", "backups create --watch"],
      },
      delete: { operation: "deleteBackup", examples: ["backups delete 20260301T120000000Z-9f3a1c02"] },
    },
  },
  server: {
    about: "The server itself: starts one, or shows and controls one that runs",
    commands: {
      health: { operation: "getHealth", examples: ["server health"] },
      info: { operation: "getInfo", examples: ["server info"] },
      session: { operation: "getSession", examples: ["server session"] },
      "exchange-code": {
        operation: "exchangeSignInCode",
        secret: "code",
        examples: ["server exchange-code --ask-code"],
      },
      metrics: { operation: "getMetrics", examples: ["server metrics"] },
      settings: {
        operation: "listSettings",
        columns: ["name", "value", "default", "source"],
        examples: ["server settings"],
      },
      quotas: {
        operation: "listQuotas",
        columns: ["scope", "environment_id", "caller", "name", "used", "limit", "setting"],
        examples: ["server quotas", "server quotas --env prod"],
      },
      resume: { operation: "resumeServer", examples: ["server resume"] },
      batch: { operation: "runBatch", examples: ["server batch -f operations.yaml"] },
    },
  },
} satisfies Record<string, CommandGroup>;
