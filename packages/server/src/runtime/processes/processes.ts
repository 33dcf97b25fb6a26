import type { ProcessProvider } from "../../core/processes.ts";
import type { PlatformOutcome } from "../platforms/platform.ts";
import type { ProcessLog } from "./log-file.ts";
import type { ProcessRows } from "./process-rows.ts";

/** A request to a process. It is ignored if a newer request was already executed. */
export interface ProcessRequest {
  readonly id: string;
  readonly environmentId: string;
  readonly requestedAt: string;
}

/** What to run: the files below a folder of an environment's workspace. */
interface DeployRequest extends ProcessRequest {
  /** The outbox entry of the request: a repeated request is the same deploy. */
  readonly deploy: string;
  readonly name: string;
  readonly sourcePath: string;
}

/** The processes that this server supervises while it holds the lease of the data folder. */
export interface Processes
  extends ProcessProvider,
    Pick<ProcessRows, "removalOf" | "removalBelow" | "removalIn"> {
  /** Ends the running process, copies the files, starts the program, and resolves when it responds or has failed. */
  deploy(order: DeployRequest): Promise<PlatformOutcome>;
  /** Lets requests finish, and ends the process. */
  stop(order: ProcessRequest): Promise<PlatformOutcome>;
  /** Whether this server holds the lease of the data folder, and has taken over the processes. */
  readonly areActive: boolean;
  /** Whether programs run unconfined: they can do everything that the server can. */
  areUnconfined(): Promise<boolean>;
  /** This server has acquired the data folder: adopts or ends the processes of an earlier server. */
  takeOver(): Promise<void>;
  /** The server is no longer paused: starts the processes that should run. */
  startPaused(): Promise<void>;
  /** Another server may acquire the data folder at any time: ends all processes. */
  leave(termMs: number): Promise<void>;
  /** Ends all processes because this server stops; it takes over none afterwards. */
  close(termMs: number): Promise<void>;
  /**
   * Called periodically: repeats observations that could not be recorded, and removes the folders of removed processes.
   */
  tick(): Promise<void>;
  /** The processes that were requested at least once, by id. */
  requested(): Promise<ReadonlySet<string>>;
  log(processId: string): Pick<ProcessLog, "read">;
  /**
   * The size of the largest log when it was last checked, and the number of processes that were ended because of their
   * log.
   */
  logUsage(): { readonly used: number; readonly limit: number; readonly refused: number };
}
