import { forbidden } from "../../core/errors.ts";
import { mayAct, mayActOnServer } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import { foldedPath, segmentsOf } from "../files/path.ts";

/** Whether programs on this server are unconfined, so that they can do what the server can. */
export type AreUnconfined = () => Promise<boolean>;

export const unconfinedSentence =
  "Programs are not confined on this server: they can do what the server can (PLATFORM_PROGRAMS).";

/**
 * A `source_path` names code that will run on this server: only admins may register it, and if programs are not
 * confined, only admins of the whole server.
 */
export async function requireMayRunCode(
  caller: Caller,
  sourcePath: string | null | undefined,
  areUnconfined: AreUnconfined,
): Promise<void> {
  if (sourcePath === null || sourcePath === undefined) return;
  if (!mayAct(caller, "admin")) {
    throw forbidden("Only an admin may set source_path: it names code that will run.");
  }
  if (!mayActOnServer(caller, "admin") && (await areUnconfined())) {
    throw forbidden(`Only an admin of the whole server may set source_path. ${unconfinedSentence}`);
  }
  // A workspace folder: paths that could leave the workspace are rejected, as for any file.
  segmentsOf(sourcePath);
}

/**
 * Marks a folder as code in every environment during a registration; throws 409 if it contains files that anyone may
 * have written.
 */
export type Claim = <T>(sourcePath: string, register: () => Promise<T>) => Promise<T>;

/** Whether a path is in a folder, or is the folder itself, on any file system. */
export const isBelow = (path: string, folder: string): boolean =>
  `${foldedPath(path)}/`.startsWith(`${foldedPath(folder)}/`);
