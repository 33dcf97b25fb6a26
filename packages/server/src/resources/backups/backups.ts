import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Backup } from "@lakehelm/contract";
import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import { diskProblem } from "../../core/files/disk.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import { serverContext } from "../../core/system.ts";
import { version } from "../../core/version.ts";
import { type BackupHead, type BackupSource, linksFolder, plainFolder, writeBackup } from "./backup-run.ts";
import { type Manifest, manifestKey, readManifest } from "./manifest.ts";
import { WarehouseChanged } from "./warehouse-copy.ts";

export interface BackupsOptions extends Omit<BackupSource, "now" | "key" | "randomBytes"> {
  readonly folder: string;
  readonly kept: number;
  readonly schemaVersion: number;
  readonly dataFolderId: () => Promise<string>;
  readonly log: Logger;
}

export interface Backups {
  /** Starts a backup; throws 409 while another backup is running. */
  create(context: ChangeContext): Promise<Backup>;
  /** Newest first. */
  list(): Promise<Backup[]>;
  get(id: string): Promise<Backup>;
  remove(id: string, context: ChangeContext): Promise<void>;
  /** Removes the unfinished files that a killed server left. */
  takeOver(): Promise<void>;
  /** Aborts the running backup and removes its files. */
  stop(): Promise<void>;
}

/** A failed backup leaves only its record, in memory until the server ends, and its event. */
const failuresKept = 20;
const idPattern = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

export function createBackups(
  { store, system, vault }: Pick<Dependencies, "store" | "system" | "vault">,
  options: BackupsOptions,
): Backups {
  const { folder, kept, schemaVersion, dataFolderId, log } = options;
  let running: { readonly backup: Backup; readonly stop: AbortController; done: Promise<void> } | undefined;
  const failed: Backup[] = [];
  const key = manifestKey(vault);
  const hidden = async (word: string, id: string) => join(folder, `.${word}-${await dataFolderId()}-${id}`);

  const completeBackup = (manifest: Manifest): Backup => ({
    ...startedBackup(manifest),
    status: "complete",
    ended_at: manifest.ended_at,
    state_at: manifest.state_at,
    event_sequence: manifest.event_sequence,
    includes_state: manifest.includes_state,
    held_ms: manifest.held_ms,
    files: manifest.files,
    bytes: manifest.bytes,
  });

  async function complete(): Promise<Backup[]> {
    const names = await readdir(folder).catch(() => []);
    const own = await dataFolderId();
    const found = await Promise.all(
      names.filter((name) => idPattern.test(name)).map((name) => readManifest(join(folder, name))),
    );
    return found.flatMap((one) => {
      if (one?.manifest.data_folder_id !== own) return [];
      return one.manifest.format === 1 || one.isSignedWith(key) ? completeBackup(one.manifest) : [];
    });
  }

  async function list(): Promise<Backup[]> {
    // A backup has a manifest a moment before its end is recorded: until then, it is listed as running.
    const found = await complete();
    const all = [...found, ...failed, ...(running ? [running.backup] : [])];
    return [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  const startedBackup = (head: BackupHead): Backup => ({
    id: head.id,
    status: "running",
    path: join(folder, head.id),
    created_at: head.created_at,
    created_by: head.created_by,
    ended_at: null,
    state_at: null,
    event_sequence: null,
    includes_state: options.includesState,
    held_ms: 0,
    files: 0,
    bytes: 0,
    server_version: head.server_version,
    schema_version: head.schema_version,
    error: null,
  });

  async function run(head: BackupHead, context: ChangeContext, stop: AbortSignal): Promise<void> {
    const { id } = head;
    const subject = `backup/${id}`;
    const at = () => ({ ...context, time: system.now().toISOString() });
    try {
      const places = { partial: await hidden("partial", id), target: join(folder, id) };
      const manifest = await writeBackup(
        { ...options, key, now: system.now, randomBytes: system.randomBytes },
        head,
        places,
        stop,
      );
      const { state_at, event_sequence, includes_state, held_ms, files, bytes } = manifest;
      const data = { state_at, event_sequence, includes_state, held_ms, files, bytes };
      await store.apply({ context: at(), steps: [], events: [{ kind: "backup.completed", subject, data }] });
      log.info({ id, ...data }, "a backup is complete");
      await removeOld();
    } catch (error) {
      const sentence = stop.aborted ? "The server stopped." : sentenceOf(error);
      const ended = { status: "failed", ended_at: system.now().toISOString(), error: sentence } as const;
      failed.unshift({ ...startedBackup(head), ...ended });
      failed.splice(failuresKept);
      log.error({ err: error, id }, "a backup failed");
      const data = { error: sentence };
      await store
        .apply({ context: at(), steps: [], events: [{ kind: "backup.failed", subject, data }] })
        .catch((failure) => log.error({ err: failure, id }, "the failure of a backup was not recorded"));
    }
  }

  async function removeOld(): Promise<void> {
    if (kept === 0) return;
    const ids = (await complete()).map(({ id }) => id).sort();
    for (const id of ids.slice(0, Math.max(0, ids.length - kept))) await discard(id, serverContext(system));
  }

  async function discard(id: string, context: ChangeContext): Promise<void> {
    const gone = await hidden("deleted", id);
    await rename(join(folder, id), gone);
    await store.apply({
      context,
      steps: [],
      events: [{ kind: "backup.deleted", subject: `backup/${id}`, data: {} }],
    });
    await rm(gone, { recursive: true, force: true });
  }

  async function get(id: string): Promise<Backup> {
    const found = (await list()).find((one) => one.id === id);
    if (!found) throw notFound(`There is no backup "${id}".`);
    return found;
  }

  return {
    async create(context) {
      const data_folder_id = await dataFolderId();
      if (running) throw conflict(`The backup ${running.backup.id} is running. Wait until it has ended.`);
      const created_at = system.now().toISOString();
      const head: BackupHead = {
        id: `${created_at.replaceAll(/[-:.]/g, "")}-${system.randomBytes(4).toString("hex")}`,
        created_at,
        created_by: context.actor,
        server_version: version,
        schema_version: schemaVersion,
        data_folder_id,
        secret_key_fingerprint: vault.fingerprint,
      };
      const backup = startedBackup(head);
      const stop = new AbortController();
      const started = { backup, stop, done: Promise.resolve() };
      running = started;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const subject = `backup/${head.id}`;
        await store.apply({ context, steps: [], events: [{ kind: "backup.started", subject, data: {} }] });
      } catch (error) {
        running = undefined;
        throw diskProblem(error);
      }
      started.done = run(head, context, stop.signal).finally(() => {
        running = undefined;
      });
      return backup;
    },
    list,
    get,
    async remove(id, context) {
      const { status } = await get(id);
      if (status === "running") throw conflict("The backup is running. Wait until it has ended.");
      const at = failed.findIndex((one) => one.id === id);
      if (at >= 0) failed.splice(at, 1);
      else await discard(id, context);
    },
    async takeOver() {
      const own = await dataFolderId();
      const left = (await readdir(folder).catch(() => [])).filter((name) =>
        [`.partial-${own}-`, `.deleted-${own}-`].some((start) => name.startsWith(start)),
      );
      const { dataDir } = options;
      for (const path of [
        linksFolder(dataDir),
        plainFolder(dataDir),
        ...left.map((name) => join(folder, name)),
      ]) {
        await rm(path, { recursive: true, force: true }).catch((error) =>
          log.warn({ err: error, path }, "an unfinished backup cannot be removed"),
        );
      }
    },
    async stop() {
      running?.stop.abort(new Error("The server stopped."));
      await running?.done;
    },
  };
}

/** For a file system error, adds the cause, which has the path. An unexpected error is only in the log. */
function sentenceOf(error: unknown): string {
  if (error instanceof Problem || error instanceof WarehouseChanged) return error.message;
  const problem = diskProblem(error);
  return problem instanceof Problem && problem.cause instanceof Error
    ? `${problem.message} ${problem.cause.message}`
    : "An unexpected error occurred. The server log has the details.";
}
