import { hash } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Environment, memoryListFields, type WorkspaceFile } from "@lakehelm/contract";
import type { HashedFile } from "@lakehelm/contract/changes";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, NotTransactional, Problem, unavailable } from "../../core/errors.ts";
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
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeContext, DomainEvent, Step } from "../../core/store/store.ts";
import { dataFolderId } from "../../runtime/platforms/embedded/data-folder.ts";
import type { Platforms } from "../../runtime/platforms/platform-requests.ts";
import type { Environments } from "../environments/environments.ts";
import { copyFiles, readFiles } from "./copy-files.ts";
import { type FileChange, fileEvent, fileKey, fileTopic } from "./file-change.ts";
import { createFileCopies } from "./file-copies.ts";
import { createFileOwners, type FileOwners } from "./file-owners.ts";
import { createFileUsage, type FileUsage } from "./file-usage.ts";
import {
  createWorkspaceReader,
  filesBelow,
  needsTimes,
  type OpenedFile,
  sortedFiles,
  withTimes,
} from "./listing.ts";
import { noFile } from "./no-file.ts";
import { newSegmentsOf, segmentsOf } from "./path.ts";

/** The mutex key for declaring folders as code and for checking whether a path is code. */
const claimsKey = "claims";

/** The workspace folders of the environments. */
export interface Files {
  /** `guard` rejects by throwing. It is called while no folder can become code before the file is written or removed. */
  put(
    environment: Environment,
    path: string,
    bytes: Uint8Array,
    context: ChangeContext,
    guard?: () => Promise<void>,
  ): Promise<WorkspaceFile>;
  remove(
    environment: Environment,
    path: string,
    context: ChangeContext,
    guard?: () => Promise<void>,
  ): Promise<void>;
  open(environment: Environment, path: string): Promise<OpenedFile>;
  page(
    environment: Environment,
    prefix: string,
    request: ListRequest,
  ): Promise<{ files: WorkspaceFile[]; total: number; next_cursor?: string | null }>;
  /**
   * Makes a folder code in every environment, by a transaction during which no guarded file can be written there;
   * throws 409 if environments other than this one have files there, because their authors are unknown.
   */
  claim<T>(path: string, environmentId: string | undefined, change: () => Promise<T>): Promise<T>;
  /** Makes a change while these files have this content and none can be written; throws 409 if one of them differs. */
  whileFilesAre<T>(environmentId: string, files: readonly HashedFile[], change: () => Promise<T>): Promise<T>;
  /** Copies a consistent snapshot of the files below a folder; throws 409 if there are none. */
  copyFolder(environmentId: string, path: string, to: string): Promise<void>;
  /** The files below a folder, of one moment; throws 409 if there are none, or more than the limits allow. */
  readFolder(
    environmentId: string,
    path: string,
    limits: { readonly files: number; readonly bytes: number },
  ): Promise<{ readonly path: string; readonly content: Uint8Array }[]>;
  /** The folder of an environment's files. It may not exist yet. */
  workspaceFolder(environmentId: string): string;
  isEmpty(environmentId: string): Promise<boolean>;
  /**
   * Runs the transaction that deletes an environment while no file can be written to its folder; throws 409 if it has
   * files.
   */
  whileEmpty<T>(environmentId: string, change: () => Promise<T>): Promise<T>;
  /** Steps for the deletion of an environment. */
  removalIn: FileOwners["removalIn"];
  /** Before the first request: completes committed changes of an earlier process, and removes its uncommitted files. */
  recover(): Promise<void>;
  readonly outbox: OutboxHandlers;
  quotas: FileUsage["quotas"];
  usage: FileUsage["usage"];
}

export interface FilesOptions {
  readonly environments: Environments;
  readonly platforms: Pick<Platforms, "platform">;
  readonly outbox: Pick<Outbox, "add" | "begin" | "flush" | "pending" | "wake">;
  readonly holdsDataFolder: () => boolean;
  /** Absent: files can be changed. */
  readonly readOnly?: ReadOnlyFiles | undefined;
}

/** The environment of a file, and the id of the change. */
interface FileOwner {
  readonly id: string;
  readonly environment: Pick<Environment, "id" | "platform">;
}

/** For rules in a transaction scope, which may read files but not change them. */
export interface ReadOnlyFiles {
  /**
   * Throws unless the transaction will be rolled back: a commit would come after the mutex of the change is released.
   */
  readonly requireDryRun: (effect: string) => void;
}

/**
 * A file is first written completely and durably to the staging folder. Then the change is committed as an outbox entry
 * and an event. Then the file is renamed to its path, and the entry removed. A crash at any point leaves either only a
 * staged file, or an entry that the next start, the next change or the dispatcher completes.
 */
export async function openFiles(
  { store, system, settings }: Dependencies,
  { environments, platforms, outbox, holdsDataFolder, readOnly }: FilesOptions,
): Promise<Files> {
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  const workspaces = join(dataDir, "workspaces");
  const staging = join(dataDir, "staging");
  for (const folder of [workspaces, staging]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const folderId = await dataFolderId({ system }, dataDir);
  const reader = createWorkspaceReader();
  const usage = createFileUsage(settings, workspaces);
  const owners = createFileOwners(store);
  // Changes in an environment are serialized, so that events have the same order as the changes on disk.
  const mutex = createKeyedMutex();
  const staged = (id: string) => join(staging, id);
  const workspaceFolder = (environmentId: string) => join(workspaces, environmentId);
  const find = (environmentId: string, path: string) =>
    locate(workspaces, [environmentId, ...segmentsOf(path)]);
  const copies = createFileCopies(
    { system },
    {
      environments,
      platforms,
      outbox,
      dataFolderId: folderId,
      holdsDataFolder,
      // The entry of the copy is committed with the change of the file, which may not be on the disk yet.
      contentOf: (environmentId, path) =>
        mutex.run(environmentId, async () => {
          await finishPending(environmentId);
          const found = await find(environmentId, path);
          return found.kind === "file" ? readFile(found.path) : undefined;
        }),
    },
  );

  /** Throws 503 instead of 404 if this server does not hold the data folder: the files are not missing. */
  function requireFolder(): void {
    if (holdsDataFolder()) return;
    throw unavailable(
      "Files are in the data folder, which this server does not hold at the moment. Try again.",
    );
  }

  /**
   * Applies a committed change to the disk. The result is the problem if that is impossible: the change is then
   * discarded with an event. Transient errors (disk failure, unreachable database) are thrown and retried.
   */
  async function perform(entry: OutboxEntry<FileChange>): Promise<OutboxAttempt<Problem | undefined>> {
    const { kind, path } = entry.payload;
    try {
      if (kind === "file.put") await applyPut(entry);
      else await applyRemove(entry);
      return completed(undefined);
    } catch (error) {
      const problem = permanentProblem(error, path);
      if (!problem) throw diskProblem(error);
      return completed(problem);
    }
  }

  const handler: OutboxHandler<FileChange, Problem | undefined> = {
    readiness: ({ payload }) =>
      payload.dataFolderId === folderId && holdsDataFolder() ? "here" : "elsewhere",
    isLocal: true,
    perform,
    async record({ id, environmentId, payload: { kind, path } }, problem) {
      if (!problem) return { steps: [], events: [] };
      const data = { asked: kind, error_message: problem.message };
      const isMissing = (await find(environmentId ?? "", path)).kind !== "file";
      return {
        steps: isMissing ? await owners.removed(environmentId ?? "", path) : [],
        events: [fileEvent("file.failed", environmentId ?? "", path, data)],
        committed: () => discard(staged(id)),
      };
    },
  };

  async function applyPut({ id, environmentId, payload: { path } }: OutboxEntry<FileChange>): Promise<void> {
    // No longer staged: the file was already renamed, and only the outbox entry was left.
    if (!(await lookAt(staged(id)))) return;
    const target = await freePath(environmentId ?? "", path);
    await makeFolders(dirname(target));
    await rename(staged(id), target);
    await syncFolder(dirname(target));
  }

  async function applyRemove({ environmentId, payload: { path } }: OutboxEntry<FileChange>): Promise<void> {
    const workspace = environmentId ?? "";
    const found = await find(workspace, path);
    if (found.kind !== "file") return;
    await rm(found.path, { force: true });
    await syncFolder(dirname(found.path));
    await removeEmptyParents(workspaceFolder(workspace), segmentsOf(path));
  }

  /**
   * The path of a file on the disk; throws 409 if a folder with files is there, or a file where a parent folder must
   * be.
   */
  async function freePath(environmentId: string, path: string): Promise<string> {
    const found = await find(environmentId, path);
    if (found.kind === "blocked") throw conflict(`"${found.by}" is a file, so "${path}" cannot be below it.`);
    if (found.kind !== "folder") return found.path;
    await removeEmptyFolders(found.path);
    if (await lookAt(found.path)) throw conflict(`"${path}" is a folder.`);
    return found.path;
  }

  /** Completes unfinished earlier changes. */
  const finishPending = (environmentId: string, context?: ChangeContext) =>
    outbox.flush(fileTopic, fileKey(folderId, environmentId), context);

  async function commit(
    { id, environment, ...change }: Omit<FileChange, "dataFolderId"> & FileOwner,
    counted: readonly Step[],
    event: DomainEvent,
    context: ChangeContext,
  ): Promise<void> {
    const environmentId = environment.id;
    const key = fileKey(folderId, environmentId);
    const payload = { ...change, dataFolderId: folderId };
    const { step, finish } = outbox.begin(fileTopic, { id, key, environmentId, payload });
    const copied = copies.steps(environment, change.path);
    await store.apply({ context, steps: [step, ...counted, ...copied], events: [event] });
    const problem = await finish(context);
    if (copied.length > 0) copies.wake();
    if (problem) throw problem;
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
    quotas: usage.quotas,
    usage: usage.usage,
    removalIn: owners.removalIn,
    workspaceFolder,
    copyFolder: (environmentId, path, to) =>
      mutex.run(environmentId, async () => {
        await finishPending(environmentId);
        const found = await find(environmentId, path);
        if (found.kind !== "folder") throw conflict(`There is no folder "${path}" in the workspace.`);
        await copyFiles(found.path, to);
      }),
    readFolder: (environmentId, path, limits) =>
      mutex.run(environmentId, async () => {
        await finishPending(environmentId);
        const found = await find(environmentId, path);
        if (found.kind !== "folder") throw conflict(`There is no folder "${path}" in the workspace.`);
        return readFiles(found.path, limits);
      }),
    async put(environment, path, bytes, context, guard) {
      const { id: environmentId } = environment;
      if (readOnly) throw new NotTransactional("changes a file");
      const names = newSegmentsOf(path);
      const id = system.newId();
      const sha256 = hash("sha256", bytes);
      const size = bytes.byteLength;
      await copies.requireFits(environment, size);
      const write = async () => {
        const target = await freePath(environmentId, path);
        const before = await reader.describe(workspaceFolder(environmentId), path);
        if (before?.sha256 === sha256) return before;
        await usage.requireRoom(environmentId, size - (before?.size ?? 0), before ? 0 : 1);
        try {
          await makeFolders(dirname(target));
          const event = fileEvent("file.written", environmentId, path, { size, sha256 });
          const counted = await owners.written(environmentId, path, size);
          await commit({ id, kind: "file.put", environment, path }, [counted], event, context);
          usage.change(environmentId, size - (before?.size ?? 0), before ? 0 : 1);
        } catch (error) {
          usage.forget(environmentId);
          await removeEmptyParents(workspaceFolder(environmentId), names);
          throw diskProblem(error);
        }
        return { path, size, sha256, updated_at: context.time };
      };
      await usage.requireDiskSpace(size);
      await writeWhole(staged(id), bytes, new Date(context.time));
      try {
        return await mutex.run(environmentId, async () => {
          await finishPending(environmentId, context);
          // The environment may have been deleted while the file was staged.
          await environments.read(environmentId);
          return guard ? mutex.run(claimsKey, () => guard().then(write)) : write();
        });
      } finally {
        await unstage(id);
      }
    },
    claim: (path, environmentId, change) =>
      mutex.run(claimsKey, async () => {
        readOnly?.requireDryRun("reserves a folder of files");
        const names: string[] = [];
        for (const { name: id } of await readFolder(workspaces)) {
          const other = id === environmentId ? undefined : await environments.find(id);
          if (other && (await hasFiles(id, path))) names.push(`"${other.doc.name}"`);
        }
        if (names.length > 0) throw foreignCode(path, names);
        return change();
      }),
    whileFilesAre: (environmentId, files, change) =>
      mutex.run(environmentId, async () => {
        await finishPending(environmentId);
        for (const { path, sha256 } of files) {
          const found = await find(environmentId, path);
          const file =
            found.kind === "file" ? await reader.describe(workspaceFolder(environmentId), path) : undefined;
          if (file?.sha256 === sha256) continue;
          throw conflict(
            `"${path}" ${file ? "has other content than" : "is missing, and is a file of"} the plan. Upload it as it was planned, then apply the plan again: lakehelm apply does both.`,
          );
        }
        return change();
      }),
    remove: (environment, path, context, guard) =>
      mutex.run(environment.id, async () => {
        if (readOnly) throw new NotTransactional("changes a file");
        const { id: environmentId, name } = environment;
        await finishPending(environmentId, context);
        const found = await find(environmentId, path);
        const remove = async () => {
          if (found.kind !== "file") throw noFile(path, name);
          const change = { id: system.newId(), kind: "file.remove" as const, environment, path };
          const counted = await owners.removed(environmentId, path);
          await commit(change, counted, fileEvent("file.deleted", environmentId, path, {}), context);
          usage.change(environmentId, -found.stats.size, -1);
        };
        return guard ? mutex.run(claimsKey, () => guard().then(remove)) : remove();
      }),
    async open({ id, name }, path) {
      requireFolder();
      const found = await find(id, path);
      const opened = found.kind === "file" ? await reader.open(workspaceFolder(id), path) : undefined;
      if (!opened) throw noFile(path, name);
      return opened;
    },
    async page({ id }, prefix, request) {
      const { path: folder } = await locate(workspaces, [id]);
      const paths = await sortedFiles(folder, prefix);
      const known = needsTimes(request)
        ? await withTimes(folder, paths)
        : paths.map((path) => ({ path, updated_at: "" }));
      const fields = memoryListFields.files;
      const list = `files ${id}/${prefix}`;
      const page = pageInMemory(list, known, { fields, idOf: ({ path }) => path }, request);
      const files: WorkspaceFile[] = [];
      let missing = 0;
      for (const { path } of page.items) {
        const file = await reader.describe(folder, path);
        if (file) files.push(file);
        else missing++;
      }
      return { files, ...pageEnd({ ...page, total: page.total - missing }) };
    },
    isEmpty,
    whileEmpty: (environmentId, change) =>
      mutex.run(environmentId, async () => {
        readOnly?.requireDryRun("deletes the folder of an environment");
        await finishPending(environmentId);
        if (!(await isEmpty(environmentId))) {
          throw conflict("The environment still has files in its workspace folder. Delete them first.");
        }
        const result = await change();
        if (!readOnly) await removeEmptyFolders(workspaceFolder(environmentId));
        return result;
      }),
    async recover() {
      const own = (await outbox.pending(fileTopic)).filter(
        ({ payload }) => payload.dataFolderId === folderId,
      );
      for (const key of new Set(own.map((entry) => entry.key))) await outbox.flush(fileTopic, key);
      for (const { name } of await readFolder(staging)) await rm(staged(name), { force: true });
    },
    outbox: { ...handlerOf(fileTopic, handler), ...copies.handlers },
  };

  /** Whether a file is at a path, or below it. */
  async function hasFiles(environmentId: string, path: string): Promise<boolean> {
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
    `There are files below "${path}" in ${environments.join(", ")}, and any user may have written them. They would become code. Delete them, then write them again after this change.`,
  );

/** A file where a folder must be, or the reverse; or a full disk. */
function permanentProblem(error: unknown, path: string): Problem | undefined {
  if (hasCode(error, "EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ELOOP")) {
    return conflict(`"${path}" cannot be written: a file or folder is in the way.`);
  }
  if (isDiskFull(error)) return diskFull(error);
  return error instanceof Problem && error.kind === "conflict" ? error : undefined;
}
