import { hash } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Environment, WorkspaceFile } from "@lakehelm/contract";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import {
  discard,
  diskFull,
  diskProblem,
  hasCode,
  isDiskFull,
  locate,
  lookAt,
  makeFolders,
  readFolder,
  removeEmptyFolders,
  removeEmptyParents,
  writeWhole,
} from "../../core/files/disk.ts";
import { syncFolder } from "../../core/files/sync-folder.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import {
  completed,
  handlerOf,
  type OutboxAttempt,
  type OutboxEntry,
  type OutboxHandler,
  type OutboxHandlers,
} from "../../core/outbox/topic.ts";
import type { ChangeContext, DomainEvent } from "../../core/store/store.ts";
import { dataFolderId } from "../../runtime/platforms/embedded/data-folder.ts";
import type { Environments } from "../environments/environments.ts";
import { copyFiles } from "./copy-files.ts";
import { createReader, filesBelow, type Opened, sortedFiles } from "./listing.ts";
import { namesOf } from "./path.ts";
import { type FileChange, fileKey, fileTopic } from "./pending.ts";

/** The mutex key for declaring folders as code and for checking whether a path is code. */
const claims = "claims";

/** The workspace folders of the environments. */
export interface Files {
  /** `guard` rejects by throwing. It is called while no folder can become code before the file is written. */
  put(
    environment: Environment,
    path: string,
    bytes: Uint8Array,
    context: ChangeContext,
    guard?: () => Promise<void>,
  ): Promise<WorkspaceFile>;
  remove(environment: Environment, path: string, context: ChangeContext): Promise<void>;
  open(environment: Environment, path: string): Promise<Opened>;
  page(
    environment: Environment,
    prefix: string,
    skip: number,
    limit: number,
  ): Promise<{ files: WorkspaceFile[]; total: number }>;
  /**
   * Makes a folder code in every environment, by a transaction during which no guarded file can be written there;
   * throws 409 if environments other than this one have files there, because their authors are unknown.
   */
  claim<T>(path: string, environmentId: string | undefined, change: () => Promise<T>): Promise<T>;
  /** Copies a consistent snapshot of the files below a folder; throws 409 if there are none. */
  copyFolder(environmentId: string, path: string, to: string): Promise<void>;
  /** The folder of an environment's files. It may not exist yet. */
  workspaceFolder(environmentId: string): string;
  isEmpty(environmentId: string): Promise<boolean>;
  /**
   * Runs the transaction that deletes an environment while no file can be written to its folder; throws 409 if it has
   * files.
   */
  whileEmpty<T>(environmentId: string, change: () => Promise<T>): Promise<T>;
  /** Before the first request: completes committed changes of an earlier process, and removes its uncommitted files. */
  finishFiles(): Promise<void>;
  readonly outbox: OutboxHandlers;
}

export interface FilesOptions {
  readonly environments: Environments;
  readonly outbox: Pick<Outbox, "begin" | "flush" | "pending">;
  readonly holdsDataFolder: () => boolean;
}

/**
 * A file is first written completely and durably to the staging folder. Then the change is committed as an outbox entry
 * and an event. Then the file is renamed to its path, and the entry removed. A crash at any point leaves either only a
 * staged file, or an entry that the next start, the next change or the dispatcher completes.
 */
export async function openFiles(
  { store, system, settings }: Dependencies,
  { environments, outbox, holdsDataFolder }: FilesOptions,
): Promise<Files> {
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  const workspaces = join(dataDir, "workspaces");
  const staging = join(dataDir, "staging");
  for (const folder of [workspaces, staging]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const folderId = await dataFolderId({ system }, dataDir);
  const reader = createReader();
  // Changes in an environment are serialized, so that events have the same order as the changes on disk.
  const turns = createKeyedMutex();
  const staged = (id: string) => join(staging, id);
  const workspaceFolder = (environmentId: string) => join(workspaces, environmentId);
  const find = (environmentId: string, path: string) => locate(workspaces, [environmentId, ...namesOf(path)]);

  /**
   * Applies a committed change to the disk. The result is the problem if that is impossible: the change is then given
   * up with an event. Transient errors (disk failure, unreachable database) are thrown and retried.
   */
  async function perform(entry: OutboxEntry<FileChange>): Promise<OutboxAttempt<Problem | undefined>> {
    const { kind, path } = entry.payload;
    try {
      if (kind === "file.put") await place(entry);
      else await unplace(entry);
      return completed(undefined);
    } catch (error) {
      const hopeless = hopelessProblem(error, path);
      if (!hopeless) throw diskProblem(error);
      return completed(hopeless);
    }
  }

  const handler: OutboxHandler<FileChange, Problem | undefined> = {
    readiness: ({ payload }) =>
      payload.dataFolderId === folderId && holdsDataFolder() ? "here" : "elsewhere",
    perform,
    async record({ id, environmentId, payload: { kind, path } }, problem) {
      if (!problem) return { steps: [], events: [] };
      const data = { asked: kind, error_message: problem.message };
      return {
        steps: [],
        events: [fileEvent("file.failed", environmentId ?? "", path, data)],
        committed: () => discard(staged(id)),
      };
    },
  };

  async function place({ id, environmentId, payload: { path } }: OutboxEntry<FileChange>): Promise<void> {
    // No longer staged: the file was already renamed, and only the outbox entry was left.
    if (!(await lookAt(staged(id)))) return;
    const target = await free(environmentId ?? "", path);
    await makeFolders(dirname(target));
    await rename(staged(id), target);
    await syncFolder(dirname(target));
  }

  async function unplace({ environmentId, payload: { path } }: OutboxEntry<FileChange>): Promise<void> {
    const workspace = environmentId ?? "";
    const found = await find(workspace, path);
    if (found.kind !== "file") return;
    await rm(found.path, { force: true });
    await syncFolder(dirname(found.path));
    await removeEmptyParents(workspaceFolder(workspace), namesOf(path));
  }

  /**
   * The path of a file on the disk; throws 409 if a folder with files is there, or a file where a parent folder must
   * be.
   */
  async function free(environmentId: string, path: string): Promise<string> {
    const found = await find(environmentId, path);
    if (found.kind === "blocked") throw conflict(`"${found.by}" is a file, so "${path}" cannot be below it.`);
    if (found.kind !== "folder") return found.path;
    await removeEmptyFolders(found.path);
    if (await lookAt(found.path)) throw conflict(`"${path}" is a folder.`);
    return found.path;
  }

  /** Unfinished earlier changes come first. */
  const settle = (environmentId: string, context?: ChangeContext) =>
    outbox.flush(fileTopic, fileKey(folderId, environmentId), context);

  async function commit(
    {
      id,
      environmentId,
      ...change
    }: Omit<FileChange, "dataFolderId"> & { id: string; environmentId: string },
    event: DomainEvent,
    context: ChangeContext,
  ): Promise<void> {
    const key = fileKey(folderId, environmentId);
    const payload = { ...change, dataFolderId: folderId };
    const { step, finish } = outbox.begin(fileTopic, { id, key, environmentId, payload });
    await store.apply({ context, steps: [step], events: [event] });
    const hopeless = await finish(context);
    if (hopeless) throw hopeless;
  }

  /** Removes a staged file unless its outbox entry was committed, or that is unknown. */
  async function unstage(id: string): Promise<void> {
    if (!(await lookAt(staged(id)))) return;
    const committed = await outbox.pending(fileTopic).then(
      (entries) => entries.some((entry) => entry.id === id),
      () => true,
    );
    if (!committed) await discard(staged(id));
  }

  return {
    workspaceFolder,
    copyFolder: (environmentId, path, to) =>
      turns.run(environmentId, async () => {
        await settle(environmentId);
        const found = await find(environmentId, path);
        if (found.kind !== "folder") throw conflict(`There is no folder "${path}" in the workspace.`);
        await copyFiles(found.path, to);
      }),
    async put({ id: environmentId }, path, bytes, by, guard) {
      const names = namesOf(path);
      const id = system.newId();
      const sha256 = hash("sha256", bytes);
      const size = bytes.byteLength;
      const write = async () => {
        const target = await free(environmentId, path);
        const before = await reader.describe(workspaceFolder(environmentId), path);
        if (before?.sha256 === sha256) return before;
        try {
          await makeFolders(dirname(target));
          const event = fileEvent("file.written", environmentId, path, { size, sha256 });
          await commit({ id, kind: "file.put", environmentId, path }, event, by);
        } catch (error) {
          await removeEmptyParents(workspaceFolder(environmentId), names);
          throw diskProblem(error);
        }
        return { path, size, sha256, updated_at: by.time };
      };
      await writeWhole(staged(id), bytes, new Date(by.time));
      try {
        return await turns.run(environmentId, async () => {
          await settle(environmentId, by);
          // It may have been deleted while the file was staged.
          await environments.read(environmentId);
          return guard ? turns.run(claims, () => guard().then(write)) : write();
        });
      } finally {
        await unstage(id);
      }
    },
    claim: (path, environmentId, change) =>
      turns.run(claims, async () => {
        const names: string[] = [];
        for (const { name: id } of await readFolder(workspaces)) {
          const other = id === environmentId ? undefined : await environments.find(id);
          if (other && (await holds(id, path))) names.push(`"${other.doc.name}"`);
        }
        if (names.length > 0) throw foreignCode(path, names);
        return change();
      }),
    remove: ({ id: environmentId, name }, path, by) =>
      turns.run(environmentId, async () => {
        await settle(environmentId, by);
        const found = await find(environmentId, path);
        if (found.kind !== "file") throw noFile(path, name);
        const intent = { id: system.newId(), kind: "file.remove" as const, environmentId, path };
        await commit(intent, fileEvent("file.deleted", environmentId, path, {}), by);
      }),
    async open({ id, name }, path) {
      const found = await find(id, path);
      const known = found.kind === "file" ? await reader.open(workspaceFolder(id), path) : undefined;
      if (!known) throw noFile(path, name);
      return known;
    },
    async page({ id }, prefix, skip, limit) {
      const { path: folder } = await locate(workspaces, [id]);
      const paths = await sortedFiles(folder, prefix);
      const files: WorkspaceFile[] = [];
      let gone = 0;
      for (const path of paths.slice(skip, skip + limit)) {
        const file = await reader.describe(folder, path);
        if (file) files.push(file);
        else gone++;
      }
      return { files, total: paths.length - gone };
    },
    isEmpty,
    whileEmpty: (environmentId, change) =>
      turns.run(environmentId, async () => {
        await settle(environmentId);
        if (!(await isEmpty(environmentId))) {
          throw conflict("There are still files in the environment's workspace folder.");
        }
        const result = await change();
        await removeEmptyFolders(workspaceFolder(environmentId));
        return result;
      }),
    async finishFiles() {
      const mine = (await outbox.pending(fileTopic)).filter(
        ({ payload }) => payload.dataFolderId === folderId,
      );
      for (const key of new Set(mine.map((entry) => entry.key))) await outbox.flush(fileTopic, key);
      for (const { name } of await readFolder(staging)) await rm(staged(name), { force: true });
    },
    outbox: handlerOf(fileTopic, handler),
  };

  /** Whether a file is at a path, or below it. */
  async function holds(environmentId: string, path: string): Promise<boolean> {
    const found = await find(environmentId, path);
    if (found.kind !== "folder") return found.kind === "file";
    for await (const _ of filesBelow(found.path)) return true;
    return false;
  }

  async function isEmpty(environmentId: string): Promise<boolean> {
    for await (const _ of filesBelow(workspaceFolder(environmentId))) return false;
    return true;
  }
}

const foreignCode = (path: string, environments: readonly string[]) =>
  conflict(
    `There are files below "${path}" already in ${environments.join(", ")}, and anybody may have written them: they would run there. Delete them first, and put them there afterwards.`,
  );

const noFile = (path: string, environment: string) =>
  notFound(`There is no file "${path}" in the environment "${environment}".`);

/** A file where a folder must be, or the reverse; or a full disk. */
function hopelessProblem(error: unknown, path: string): Problem | undefined {
  if (hasCode(error, "EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ELOOP")) {
    return conflict(`Something else stands in the place of "${path}".`);
  }
  if (isDiskFull(error)) return diskFull(error);
  return error instanceof Problem && error.kind === "conflict" ? error : undefined;
}

const fileEvent = (
  kind: string,
  environmentId: string,
  path: string,
  more: Readonly<Record<string, unknown>>,
): DomainEvent => ({
  kind,
  subject: `file/${environmentId}/${path}`,
  data: { environment_id: environmentId, path, ...more },
});
