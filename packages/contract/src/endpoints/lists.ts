import type { Endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { paging } from "./shared.ts";

/** What a list can be filtered and sorted by: for each parameter, the field of its items. */
export interface ListFields {
  readonly name?: string;
  /** Users choose the name and tell items apart by it: see `nameProblem`. */
  readonly isNamed?: true;
  /** A boolean field is filtered as `active` or `inactive`. */
  readonly status?: string;
  readonly statuses?: readonly string[];
  /** Who created the item. */
  readonly owner?: string;
  readonly created?: string;
  readonly updated?: string;
  /** The items belong to environments. */
  readonly environment?: true;
  /** The fields that `search` searches. */
  readonly search: readonly string[];
}

const usual = { owner: "created_by", created: "created_at", updated: "updated_at" } as const;
const activity = ["active", "inactive"] as const;
/** The statuses of connectors and flows. */
const jobStatuses = ["created", "active", "failing", "paused", "failed"] as const;
const flowStatuses = [...jobStatuses, "warning"] as const;
/** Resources that can differ from their definition. */
export const driftKinds = ["connector", "pipeline", "flow", "automation", "agent", "app"] as const;

export const planStatuses = [
  "planned",
  "needs_approval",
  "approved",
  "refused",
  "applying",
  "applied",
  "failed",
  "stale",
] as const;

/**
 * The lists of resources. Their parameters are declared only here: the server stores the fields that are named here.
 */
export const listFields = {
  environments: {
    isNamed: true,
    name: "name",
    status: "isActive",
    statuses: activity,
    owner: "createdBy",
    created: "createdAt",
    updated: "updatedAt",
    search: ["name", "description"],
  },
  connectors: {
    ...usual,
    isNamed: true,
    name: "name",
    status: "status",
    statuses: jobStatuses,
    environment: true,
    search: ["name", "target_type"],
  },
  pipelines: { ...usual, isNamed: true, name: "name", environment: true, search: ["name"] },
  deployments: {
    isNamed: true,
    name: "deployment_name",
    status: "status",
    statuses: ["pending", "running", "succeeded", "failed", "cancelled"],
    owner: "initiated_by",
    created: "created_at",
    environment: true,
    search: ["deployment_name", "git_branch", "git_commit_sha"],
  },
  automations: { ...usual, isNamed: true, name: "alias", search: ["alias", "description"] },
  releases: {
    name: "version",
    owner: "activated_by",
    created: "activated_at",
    environment: true,
    search: ["version", "git_branch", "git_commit_sha"],
  },
  bindings: {
    ...usual,
    name: "channel_name",
    environment: true,
    search: ["channel_name", "channel_id", "automation_alias"],
  },
  agents: { ...usual, isNamed: true, name: "name", search: ["name", "description"] },
  versions: {
    name: "version",
    owner: "created_by",
    created: "created_at",
    search: ["version", "source_path"],
  },
  apps: {
    ...usual,
    isNamed: true,
    name: "name",
    status: "observed_state",
    statuses: ["running", "stopped", "pending", "failed"],
    environment: true,
    search: ["name", "description"],
  },
  flows: {
    ...usual,
    isNamed: true,
    name: "name",
    status: "status",
    statuses: flowStatuses,
    environment: true,
    search: ["name"],
  },
  drift: {
    name: "resource",
    status: "kind",
    statuses: driftKinds,
    created: "since",
    environment: true,
    search: ["name", "field"],
  },
  plans: {
    isNamed: true,
    name: "project_name",
    status: "status",
    statuses: planStatuses,
    owner: "created_by",
    created: "created_at",
    updated: "updated_at",
    environment: true,
    search: ["project_name"],
  },
  users: {
    ...usual,
    isNamed: true,
    name: "username",
    status: "active",
    statuses: activity,
    search: ["username"],
  },
  tokens: { name: "comment", owner: "created_by", created: "created_at", search: ["comment"] },
} as const satisfies Record<string, ListFields>;

/** Lists that are not stored as resources: all items are read, then filtered. */
export const memoryListFields = {
  files: { name: "path", updated: "updated_at", search: ["path"] },
  tables: {
    name: "name",
    status: "kind",
    statuses: ["table", "view"],
    search: ["catalog", "schema", "name", "comment"],
  },
  jobs: {
    name: "name",
    status: "status",
    statuses: ["active", "paused"],
    created: "created_at",
    environment: true,
    search: ["name"],
  },
  backups: {
    name: "id",
    status: "status",
    statuses: ["running", "complete", "failed"],
    owner: "created_by",
    created: "created_at",
    search: ["id", "error"],
  },
  secretScopes: { name: "scope", search: ["scope"] },
  secrets: { name: "key", updated: "updated_at", search: ["key"] },
  roles: {
    name: "username",
    status: "role",
    statuses: ["viewer", "operator", "admin"],
    owner: "granted_by",
    created: "granted_at",
    search: ["username"],
  },
} as const satisfies Record<string, ListFields>;

const maxText = 1000;
const text = () => s.string({ min: 1, max: maxText });

/** A date, or a date and time with an offset. A `+` that was not encoded has become a space. */
const timePattern =
  /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+ -]\d{2}:\d{2}))?$/;
const instant = (sent: string) => new Date(sent.replace(" ", "+"));

const time = () =>
  s
    .string({ format: "date-time" })
    .rule((sent) =>
      timePattern.test(sent) && isStorable(instant(sent))
        ? undefined
        : "expected a date or a date-time with an offset, such as 2026-03-01 or 2026-03-01T12:00:00Z",
    )
    .transform((sent) => instant(sent).toISOString());

/** Years outside 0000 to 9999 have another form, which does not sort as text. */
const isStorable = (at: Date) => !Number.isNaN(at.getTime()) && at.toISOString().length === 24;

const times =
  "A date, which begins at midnight in UTC, or a date-time with an offset: `2026-03-01`, `2026-03-01T12:00:00Z`.";

const parameters = {
  name: text().optional().describe("Only the items with exactly this name."),
  status: text().optional().describe("Only the items with this status."),
  environment: text().optional().describe("Only the items of this environment: its id or name."),
  owner: text().optional().describe("Only the items that this caller created."),
  created_after: time().optional().describe(`Only items created at this time or later. ${times}`),
  created_before: time().optional().describe(`Only items created before this time. ${times}`),
  updated_after: time().optional().describe(`Only items last changed at this time or later. ${times}`),
  updated_before: time().optional().describe(`Only items last changed before this time. ${times}`),
};

const searchParameter = (fields: readonly string[]) =>
  s
    .string({ min: 1, max: 200 })
    .optional()
    .describe(
      `Only items that contain this text, in any case, in ${quoted(fields)} (the first 300 characters).`,
    );
export const cursorParameter = s
  .string({ max: 4000 })
  .optional()
  .describe(
    "`next_cursor` of the previous page, with the same filters and order. Empty: the first page. Excludes `skip`.",
  );

/** Parameters of lists that are not stored as resources: runs, jobs, deliveries. */
export const environmentParameter = { environment: parameters.environment };
export const createdParameters = {
  created_after: parameters.created_after,
  created_before: parameters.created_before,
};

/** Parameters of histories. A history grows without end, so it can be ordered only by time. */
export const historyParameters = {
  ...createdParameters,
  sort: s
    .literal("created", "-created")
    .optional()
    .describe("The order; `created`: oldest first. Default: newest first (`-created`)."),
  cursor: s
    .string({ max: 4000 })
    .optional()
    .describe(
      "`next_cursor` of the previous page, with the same filters and order. Empty: the first page. Excludes `before`.",
    ),
};
export const historyRange = {
  updated_after: parameters.updated_after,
  updated_before: parameters.updated_before,
};
export const historySearch = (places: string) =>
  s
    .string({ min: 1, max: 200 })
    .optional()
    .describe(`Only items that contain this text, in any case, in ${places}.`);
export const nextHistoryCursor = () =>
  s
    .string()
    .nullable()
    .describe(
      "`cursor` of the next page; null: this is the last page. A page may be short or empty although there are more: one request examines up to 10,000 rows.",
    );
export const nextBefore =
  "`before` of the next page; null: this is the last page, or the order is oldest first.";

interface ByField {
  readonly name: "name";
  readonly status: "status";
  readonly environment: "environment";
  readonly owner: "owner";
  readonly created: "created_after" | "created_before";
  readonly updated: "updated_after" | "updated_before";
}
const byField: { readonly [Field in keyof ByField]: readonly ByField[Field][] } = {
  name: ["name"],
  status: ["status"],
  environment: ["environment"],
  owner: ["owner"],
  created: ["created_after", "created_before"],
  updated: ["updated_after", "updated_before"],
};
const sortable = ["name", "status", "created", "updated"] as const;

type Optional = s.Schema<string, string, "optional">;
type FilterNames<F extends ListFields> = ByField[keyof F & keyof ByField];
/** The server reads any string; the client's type allows only these values. */
type Choice<Value extends string> = s.Schema<string, Value, "optional">;
type StatusQuery<F extends ListFields> = F extends {
  readonly statuses: readonly (infer Value extends string)[];
}
  ? { readonly status: Choice<Value> }
  : Record<never, never>;
type Order<F extends ListFields> = Extract<keyof F, (typeof sortable)[number]>;
type ListQuery<F extends ListFields> = Pick<typeof parameters, Exclude<FilterNames<F>, "status">> &
  StatusQuery<F> &
  Record<"search" | "cursor", Optional> & { readonly sort: Choice<Order<F> | `-${Order<F>}`> };

function filtersOf<const F extends ListFields>(fields: F): ListQuery<F> {
  const named = Object.keys(byField) as (keyof ByField)[];
  const names = named.filter((field) => field in fields).flatMap((field) => byField[field]);
  const orders = sortable.filter((field) => field in fields);
  const filters = names.map((name) => {
    const field = name === "name" || name === "owner" ? fields[name] : undefined;
    if (field) return [name, parameters[name].describe(`Only the items whose \`${field}\` is exactly this.`)];
    if (name !== "status" || !fields.statuses) return [name, parameters[name]] as const;
    return [
      name,
      s
        .literal(...fields.statuses)
        .optional()
        .describe("Only the items with this status."),
    ];
  });
  return {
    ...Object.fromEntries(filters),
    search: searchParameter(fields.search),
    sort: s
      .literal(...orders, ...orders.map((order) => `-${order}`))
      .optional()
      .describe(
        "The order; `-` reverses it. Equal items are ordered oldest first. Default: oldest first; files, tables, secrets and roles by name.",
      ),
    cursor: cursorParameter,
  } as ListQuery<F>;
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** The query parameters of a list: paging, and the filters that its fields allow. */
export const listQuery = <const F extends ListFields>(fields: F): typeof paging & ListQuery<F> => ({
  ...paging,
  ...filtersOf(fields),
});

/**
 * Like `listQuery`, for a list of the contract: the schema validates the contract's parameters, `listExtension` ours.
 */
export const contractListQuery = <const F extends ListFields>(
  fields: F,
): typeof paging & Extensions<ListQuery<F>> => {
  const filters = Object.entries<s.AnySchema>(filtersOf(fields));
  const extensions = filters.map(([name, schema]) => [name, s.extension(schema)]);
  return { ...paging, ...(Object.fromEntries(extensions) as Extensions<ListQuery<F>>) };
};

type Extensions<Q extends s.Fields> = { [Name in keyof Q]: s.Schema<unknown, s.Input<Q[Name]>, "optional"> };

/** Checks the extension parameters of `contractListQuery`. */
export const listExtension = (fields: ListFields) => s.model("ListExtension", filtersOf(fields));

export const nextCursor = () =>
  s
    .string()
    .nullable()
    .optional()
    .describe(
      "`cursor` of the next page; null: this is the last page. Only in answers to requests with a filter, `search`, `sort` or `cursor`.",
    );

/**
 * Extension lists reject unknown query parameters. Lists of the contract ignore these parameters and name them in a
 * header.
 */
export const isList = ({ method, query, response }: Endpoint): boolean =>
  method === "GET" &&
  ((query !== undefined && "limit" in query) ||
    (response instanceof s.ModelSchema && "total" in response.fields));
