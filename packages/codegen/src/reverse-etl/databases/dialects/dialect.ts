import type { Config } from "@lakehelm/contract/connections";

/** Where a database is reached. Texts may hold references to secrets. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port?: number | undefined;
  readonly database: string;
  readonly schema?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Handed to the driver as they are. */
  readonly options: Config;
}

/** What one kind of database contributes to a notebook: the Python that differs from one kind to the other. */
export interface DatabaseDialect {
  readonly title: string;
  /** Pinned, as the job installs them. */
  readonly packages: readonly string[];
  readonly imports: readonly string[];
  /** The driver's own names for the address. */
  readonly settings: (address: DatabaseAddress) => Config;
  /** The schema of a target that names none; `null` where the database is the schema. */
  readonly schema: string | null;
  /** How the database keeps a new name: Snowflake prefers capital letters. In Python it is that of a `name`. */
  readonly kept: { readonly name: (name: string) => string; readonly python: string };
  readonly longestName: { readonly most: number; readonly unit: "bytes" | "characters" };
  /** Python: `connect()`, `quoted()` and `refusal()`. */
  readonly connecting: string;
  /** Python: `TYPES`, `TEXT`, `type_there()` and `columns_of()`. */
  readonly types: string;
  /** Python expressions that make text of a `column`. */
  readonly texts: { readonly binary: string; readonly boolean?: string };
  /** Where a value stands in a statement, and the time in it. */
  readonly value: string;
  readonly now: string;
  /** Columns of the tables beside the data. */
  readonly ownColumns: { readonly marks: string; readonly rejects: string; readonly sent: string };
  /** Python: `create()` and `insert_once()`. */
  readonly creating: string;
  /** What follows the columns of a new target. */
  readonly tableOptions: string;
  /** Python: `stage()` makes the staging table, `fill()` puts rows into it. */
  readonly staging: (appends: boolean) => string;
  /** Python: moves the staged rows into the target and returns how many rows changed. */
  readonly upsert: string;
  readonly insert: string;
  readonly append: string;
  readonly savepoint: { readonly set: string; readonly undo: string; readonly release: string | null } | null;
}

export const unchangedNames: DatabaseDialect["kept"] = { name: (name) => name, python: "name" };
