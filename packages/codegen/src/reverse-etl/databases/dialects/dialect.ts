import type { Config } from "@lakehelm/contract/connections";

/** The address of a database. Strings can contain references to secrets. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port?: number | undefined;
  readonly database: string;
  readonly schema?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Passed to the driver unchanged. */
  readonly options: Config;
}

/** The Python code of a notebook that differs between databases. */
export interface DatabaseDialect {
  readonly title: string;
  /** Pinned versions of packages that the job installs. */
  readonly packages: readonly string[];
  readonly imports: readonly string[];
  /** The address, with the driver's names for its parts. */
  readonly settings: (address: DatabaseAddress) => Config;
  /** The schema of a target without one; `null` if the database is the schema. */
  readonly schema: string | null;
  /**
   * The name of a new table or column, as Snowflake prefers upper case. `python` is the expression for a variable
   * `name`.
   */
  readonly storedName: { readonly name: (name: string) => string; readonly python: string };
  readonly longestName: { readonly most: number; readonly unit: "bytes" | "characters" };
  /** Python: `connect()`, `quoted()` and `refusal()`. */
  readonly connecting: string;
  /** Python: `TYPES`, `TEXT`, `type_there()` and `columns_of()`. */
  readonly types: string;
  /** Python expressions that convert a `column` to text. */
  readonly texts: { readonly binary: string; readonly boolean?: string };
  /** The placeholder for a value, and the expression for the current time. */
  readonly value: string;
  readonly now: string;
  /** Columns of the connector's own tables. */
  readonly ownColumns: { readonly marks: string; readonly rejects: string; readonly sent: string };
  /** Python: `create()` and `insert_once()`. */
  readonly creating: string;
  /** The text after the columns of a new target. */
  readonly tableOptions: string;
  /** Python: `stage()` creates the staging table, `fill()` inserts rows into it. */
  readonly staging: (appends: boolean) => string;
  /** Python: moves the staged rows into the target and returns how many rows changed. */
  readonly upsert: string;
  readonly insert: string;
  /**
   * Python: `stage_keys()`, `add_keys()` and `delete_others()`, which returns how many rows it deleted. Keys keep their
   * types.
   */
  readonly keys: string;
  readonly append: string;
  readonly savepoint: { readonly set: string; readonly undo: string; readonly release: string | null } | null;
}

export const unchangedNames: DatabaseDialect["storedName"] = { name: (name) => name, python: "name" };
