import type { ProcessProvider } from "../../core/processes.ts";
import type { Outcome } from "../platforms/platform.ts";
import type { ProcessLog } from "./log-file.ts";
import type { ProcessRows } from "./process-rows.ts";

/** What is asked of a process. What was asked earlier than something that was done already is not done any more. */
export interface Order {
  readonly id: string;
  readonly environmentId: string;
  readonly askedAt: string;
}

/** What is to run: the files below a folder of an environment's workspace. */
interface Deploy extends Order {
  /** The intent that asks for it: asked again, it is the same deploy. */
  readonly deploy: string;
  readonly name: string;
  readonly sourcePath: string;
}

/** The processes that this server keeps running while it holds the data folder. */
export interface Processes
  extends ProcessProvider,
    Pick<ProcessRows, "removingOf" | "removingBelow" | "removingIn"> {
  /** Ends what runs, copies the files, starts them, and answers when they answer, or why they do not. */
  deploy(order: Deploy): Promise<Outcome>;
  /** Lets requests finish, and ends it. */
  stop(order: Order): Promise<Outcome>;
  /** Whether they are here: this server holds the data folder, and has taken over. */
  readonly areHere: boolean;
  /** The data folder is ours: what an earlier server left is gone on with, or ended. */
  takeOver(): Promise<void>;
  /** It may be another's any moment: ends all of them. */
  leave(termMs: number): Promise<void>;
  /** The same, for good: this server stops. */
  close(termMs: number): Promise<void>;
  /** Now and then: tells the nouns again, in case they could not hear it, and clears away what is left of removed ones. */
  tick(): Promise<void>;
  log(processId: string): Pick<ProcessLog, "read">;
}
