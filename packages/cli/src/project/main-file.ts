import * as s from "@lakehelm/contract/schema";
import { kinds } from "./kinds.ts";

const closed = { closed: () => "The key is not known" } as const;

const Variable = s.model(
  "ProjectVariable",
  {
    description: s.string().optional().describe("What the variable is for."),
    default: s
      .any()
      .optional()
      .describe("Its value, unless an environment or the command line has one. Absent: they must."),
  },
  closed,
);

const overrides = Object.fromEntries(
  kinds.map(({ kind, folder }) => [
    folder,
    s
      .map(s.map())
      .optional()
      .describe(
        `Fields of each ${kind}, by its name, that differ here. Maps are merged, other values replaced.`,
      ),
  ]),
);

const Target = s.model(
  "ProjectEnvironment",
  {
    default: s.boolean().optional().describe("Whether commands mean this environment if you name none."),
    environment: s
      .string({ min: 1 })
      .optional()
      .describe("Name or id of the environment on the server. Default: the name here."),
    description: s.string().optional().describe("What the environment is for."),
    catalog: s
      .string({ min: 1 })
      .optional()
      .describe(
        "The catalog of names that have none, as in the environment's `configuration`. Only for checks without a server. Default: `main`.",
      ),
    schema: s.string({ min: 1 }).optional().describe("The same for the schema. Default: `default`."),
    variables: s.map(s.any()).optional().describe("Values of variables in this environment, by their names."),
    overrides: s
      .model("ProjectOverrides", overrides, closed)
      .optional()
      .describe("Resources that differ in this environment."),
  },
  closed,
);

/** `lakehelm.yaml`. */
export const MainFile = s.model(
  "Project",
  {
    name: s
      .string({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/ })
      .describe(
        "Name of the project: letters, digits, `.`, `_` and `-`. What it has applied belongs to it on the server.",
      ),
    description: s.string().optional().describe("What the project is for."),
    owner: s
      .string({ min: 1 })
      .optional()
      .describe(
        "Who is responsible, such as `ada@example.com`: `created_by` of connectors and `requested_by` of flows that name nobody. Default: the project's name.",
      ),
    variables: s
      .map(
        s.choice("ProjectVariableOrValue", (raw) => (s.isObject(raw) ? 1 : 0), s.any(), Variable),
        { keys: /^[A-Za-z_][A-Za-z0-9_-]*$/ },
      )
      .optional()
      .describe(
        "Values that files refer to with `var.` and their name. A plain value is the default; a map has a `description` and a `default`.",
      ),
    environments: s
      .map(Target)
      .optional()
      .describe("The environments that the project is applied to, by name. Default: that of the server."),
  },
  closed,
);
export type MainFile = s.Infer<typeof MainFile>;

/** `policies/*.yaml`. */
export const PolicyFile = s.model(
  "Policy",
  {
    name: s.string({ min: 1 }).optional().describe("Name of the policy. Default: the name of the file."),
    level: s
      .literal("deny", "warn", "approve")
      .default("deny")
      .describe(
        "What happens to a plan in which the rule finds something: `deny` refuses it, `approve` requires another admin's approval, `warn` only reports it.",
      ),
    rule: s
      .string({ min: 1, max: 10_000 })
      .describe(
        "A CEL expression over one step of a plan: true if the step violates the rule, such as `resource.kind == 'connector' && action == 'delete'`. docs/reference/plans.md lists its variables.",
      ),
    message: s
      .string({ min: 1, max: 2000 })
      .describe("What is wrong and what to do. `{kind}`, `{name}` and `{action}` are replaced."),
    description: s.string().optional().describe("Why the rule exists."),
    examples: s
      .list(
        s.model(
          "PolicyExample",
          {
            name: s.string({ min: 1 }).describe("What the example shows."),
            input: s
              .map()
              .default({})
              .describe(
                "The variables of the rule that differ from an update of a connector by `ada` in the environment `dev`.",
              ),
            expected: s
              .list(s.string())
              .default([])
              .describe("The messages that the rule must give. Empty: the step is allowed."),
          },
          closed,
        ),
      )
      .optional()
      .describe("Steps and what the rule finds in them. `lakehelm policy test` runs them."),
  },
  closed,
);
