import { lstat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Quota as ListedQuota } from "@lakehelm/contract";
import { Problem, unavailable } from "../../core/errors.ts";
import type { Settings } from "../../settings.ts";
import type { Quota } from "../../web/http/quota.ts";
import { filesBelow } from "./listing.ts";

const megabyte = 1024 * 1024;

/** Inodes that stay free for the control database and the warehouse. */
const reservedEntries = 1_000;

/** How much the files of an environment take, compared with its limit. */
export interface FileUsage {
  /**
   * Throws if these additional bytes or files would exceed the limit. No other change of the files may run meanwhile.
   */
  requireRoom(environmentId: string, bytes: number, files: number): Promise<void>;
  /** Throws if the disk would have too little space left. */
  requireDiskSpace(bytes: number): Promise<void>;
  change(environmentId: string, bytes: number, files: number): void;
  /** Drops the cached counts of an environment: the next check counts again. */
  forget(environmentId: string): void;
  /** The usage of one environment, which is counted if needed, or of all that were used since the start. */
  usage(environmentId: string | undefined, visible: readonly string[] | undefined): Promise<ListedQuota[]>;
  /** The highest usage of the environments that were used since the start. */
  quotas(): Quota[];
}

type FileLimits = Pick<Settings, "PLATFORM_FILES_MB" | "PLATFORM_FILES_COUNT" | "PLATFORM_DISK_RESERVE_MB">;

export function createFileUsage(settings: FileLimits, workspaces: string): FileUsage {
  const maxBytes = settings.PLATFORM_FILES_MB * megabyte;
  const maxFiles = settings.PLATFORM_FILES_COUNT;
  const known = new Map<string, { bytes: number; files: number }>();
  const refused = { bytes: 0, files: 0, disk: 0 };

  /** Counted once, then kept up to date. */
  async function usageOf(environmentId: string): Promise<{ bytes: number; files: number }> {
    const before = known.get(environmentId);
    if (before) return before;
    const counted = { bytes: 0, files: 0 };
    const folder = join(workspaces, environmentId);
    for await (const path of filesBelow(folder)) {
      counted.files += 1;
      counted.bytes += await lstat(join(folder, path)).then(
        ({ size }) => size,
        () => 0,
      );
    }
    known.set(environmentId, counted);
    return counted;
  }

  function refuse(what: keyof typeof refused, sentence: string): Problem {
    refused[what] += 1;
    return new Problem("tooLarge", sentence);
  }

  return {
    async requireRoom(environmentId, bytes, files) {
      const usage = await usageOf(environmentId);
      if (bytes > 0 && usage.bytes + bytes > maxBytes) {
        throw refuse(
          "bytes",
          `The files of this environment may have ${settings.PLATFORM_FILES_MB} MB together, and have ${Math.ceil(usage.bytes / megabyte)} MB: nothing was written. Delete some, or ask for a higher PLATFORM_FILES_MB. GET /api/v1/quotas shows what is used.`,
        );
      }
      if (files > 0 && usage.files + files > maxFiles) {
        throw refuse(
          "files",
          `This environment may have ${maxFiles} files, and has ${usage.files}: nothing was written. Delete some, or ask for a higher PLATFORM_FILES_COUNT. GET /api/v1/quotas shows what is used.`,
        );
      }
    },
    async requireDiskSpace(bytes) {
      const { bavail, bsize, files, ffree } = await statfs(workspaces);
      // Some file systems have no fixed number of files.
      const hasEntries = files === 0 || ffree >= reservedEntries;
      if (hasEntries && bavail * bsize - bytes >= settings.PLATFORM_DISK_RESERVE_MB * megabyte) return;
      refused.disk += 1;
      throw unavailable(
        hasEntries
          ? `The server's disk has less than ${settings.PLATFORM_DISK_RESERVE_MB} MB left: nothing was written.`
          : `The server's disk has room for less than ${reservedEntries} files: nothing was written.`,
      );
    },
    change(environmentId, bytes, files) {
      const usage = known.get(environmentId);
      if (!usage) return;
      usage.bytes += bytes;
      usage.files += files;
    },
    async usage(environmentId, visible) {
      if (environmentId !== undefined) await usageOf(environmentId);
      return [...known].flatMap(([id, { bytes, files }]) => {
        if (environmentId !== undefined ? id !== environmentId : visible && !visible.includes(id)) return [];
        const owner = { scope: "environment", environment_id: id, caller: null } as const;
        return [
          { ...owner, name: "files", used: files, limit: maxFiles, setting: "PLATFORM_FILES_COUNT" },
          { ...owner, name: "file_bytes", used: bytes, limit: maxBytes, setting: "PLATFORM_FILES_MB" },
        ];
      });
    },
    forget: (environmentId) => void known.delete(environmentId),
    quotas() {
      const all = [...known.values()];
      return [
        {
          name: "file_bytes_per_environment",
          used: Math.max(0, ...all.map(({ bytes }) => bytes)),
          limit: maxBytes,
          refused: refused.bytes + refused.disk,
        },
        {
          name: "files_per_environment",
          used: Math.max(0, ...all.map(({ files }) => files)),
          limit: maxFiles,
          refused: refused.files,
        },
      ];
    },
  };
}
