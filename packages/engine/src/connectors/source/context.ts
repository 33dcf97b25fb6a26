import type { EgressRules } from "../../egress/egress.ts";
import type { ExternalAccess, Warehouse } from "../../warehouse/warehouse.ts";

/** What a source gets for one run, besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Where the source may connect to. */
  readonly egress: EgressRules;
  /**
   * The real path of a file or folder, with links resolved. Throws a DataProblem if connectors may not use it. Call it
   * directly before you open the file, and open the result.
   */
  resolvePath(path: string): Promise<string>;
  /** A private folder for what is needed during one run only. It may not exist yet. */
  readonly temporaryFolder: string;
  /** Space that must stay free on the disk of that folder, in MB. */
  readonly diskReserveMb: number;
  /** Opens an external DuckDB, which can open only what is named. The caller must close it. */
  openExternal(access: ExternalAccess): ReturnType<Warehouse["openExternal"]>;
}
