import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { type ClockWatch, createClockWatch } from "../core/clock.ts";
import { type FolderLock, lockFolder } from "../core/concurrency/file-lock.ts";
import type { Dependencies } from "../core/dependencies.ts";
import { createDiskWatch, type DiskWatch } from "../core/disk-watch.ts";
import { createAnchorFile } from "../core/events/anchor.ts";
import { eventKey, pendingSigner } from "../core/events/chain.ts";
import { type EventLog, openEventLog } from "../core/events/log.ts";
import { createRemoteAnchor, type RemoteAnchor } from "../core/events/remote-anchor.ts";
import { closeFolder, type FolderClosing } from "../core/files/private-folder.ts";
import { type Archive, type CrashPoint, createArchive } from "../core/retention/archive.ts";
import { checkFingerprint, hasFingerprint, secretKeyWeakness } from "../core/secrets/keyring.ts";
import { openVault } from "../core/secrets/vault.ts";
import { openServerPause, type ServerPause } from "../core/server-pause.ts";
import { openDatabase } from "../core/store/open.ts";
import { createStore } from "../core/store/store.ts";
import { createStoredQuotas, type StoredQuotas } from "../core/store/stored-quotas.ts";
import type { System } from "../core/system.ts";
import { dataFolderId } from "../runtime/platforms/embedded/data-folder.ts";
import type { Settings } from "../settings.ts";
import { firstServiceToken, secretKey } from "../web/identity/first-credential.ts";

export interface CoreOptions {
  readonly system: System;
  readonly log: Logger;
  /** For tests: called at the steps of retention. */
  readonly retentionCrashPoint?: (point: CrashPoint) => Promise<void>;
}

/** The durable state of a server, opened and checked. */
export interface Core {
  readonly deps: Dependencies;
  readonly dataDir: string;
  readonly folderId: string;
  /** With SQLite: the lock of the data folder, which belongs to one server. */
  readonly lock: FolderLock | undefined;
  readonly schemaVersion: number;
  readonly events: EventLog;
  /** Signs events in the transaction that writes them. */
  readonly signEvent: (body: string) => string;
  /** Where retention puts what it removes. Undefined if it keeps nothing. */
  readonly archive: Archive | undefined;
  readonly pause: ServerPause;
  /** Limits of what is stored. */
  readonly quotas: StoredQuotas;
  readonly clock: ClockWatch;
  readonly disk: DiskWatch;
  /** The generated service token, if the settings contain no credential. */
  readonly madeToken: { readonly token: string; readonly path: string } | undefined;
}

export async function openCore(settings: Settings, options: CoreOptions): Promise<Core> {
  const { system, log } = options;
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  logClosing(await closeFolder(dataDir), dataDir, log);
  // With SQLite, the control state is in the data folder: lock it first.
  const lock = settings.DATABASE_URL === undefined ? lockFolder(dataDir) : undefined;
  const { engine: database, version: schemaVersion } = await openDatabase(settings.DATABASE_URL, dataDir);
  // A database that was used before has a key: a new one beside it would only hide that it is missing.
  const key = await secretKey(settings, dataDir, system.randomBytes, () => hasFingerprint(database));
  const vault = openVault(key, system.randomBytes);
  const eventLogKey = vault.deriveKey("event log");
  const signEvent = pendingSigner(eventLogKey);
  const quotas = createStoredQuotas(settings);
  const store = createStore(database, system, signEvent, quotas);
  const weakness = await secretKeyWeakness(store, settings.PLATFORM_SECRET_KEY);
  if (weakness !== undefined) log.warn(`${weakness} This database was written with it, so it stays in use.`);
  await checkFingerprint(store, vault);
  const madeToken = await firstServiceToken(settings, dataDir, system.randomBytes);
  if (
    settings.PLATFORM_ENV === "production" &&
    settings.PLATFORM_PUBLIC_URL === undefined &&
    settings.PLATFORM_CONSOLE === "on"
  )
    log.info(
      "PLATFORM_PUBLIC_URL is not set: messages to channels have no link to the console. Set it to the address of this server for people",
    );
  if (settings.PLATFORM_ENV === "production" && settings.PLATFORM_DEFAULT_ROLE === "operator")
    log.warn(
      "PLATFORM_DEFAULT_ROLE is operator: every user of the workspace may read and query all environments, and change and run what is in those that are not protected. Set it to none, and give users roles in environments",
    );
  const folderId = await dataFolderId({ system }, dataDir);
  const pause = await openServerPause(dataDir);
  if (pause.isPaused())
    log.warn(
      { reason: pause.reason() },
      "the server is paused: it starts no runs, processes or messages until an admin calls POST /api/v1/server/resume",
    );
  const events = openEventLog(store, {
    key: eventLogKey,
    system,
    anchors: {
      file: createAnchorFile(join(dataDir, "event-anchor"), eventKey(eventLogKey)),
      remote: remoteAnchor(settings, log, pause.isPaused),
      server: folderId,
    },
    gatherMs: 20,
    pollMs: database.name === "postgres" ? 500 : undefined,
    onError: (error) => log.error({ err: error }, "events could not be sealed"),
    onProblem: ({ reason, problem }) => log.error({ reason, problem }, "the event log was tampered with"),
  });
  const archive =
    settings.PLATFORM_ARCHIVE === "none"
      ? undefined
      : createArchive({
          folder: archiveFolder(settings, dataDir),
          key: eventKey(eventLogKey),
          now: system.now,
          reserveBytes: settings.PLATFORM_DISK_RESERVE_MB * 1024 * 1024,
          crashPoint: options.retentionCrashPoint,
        });
  const deps = { settings, store, vault, system };
  const disk = createDiskWatch(deps, dataDir, log);
  await disk.look();
  return {
    deps,
    dataDir,
    folderId,
    lock,
    schemaVersion,
    events,
    signEvent,
    archive,
    pause,
    clock: createClockWatch(system),
    disk,
    quotas,
    madeToken,
  };
}

const archiveFolder = ({ PLATFORM_ARCHIVE_DIR: folder }: Settings, dataDir: string) =>
  folder === undefined ? join(dataDir, "archive") : resolve(folder);

function logClosing(found: FolderClosing | undefined, folder: string, log: Logger): void {
  if (found === undefined) return;
  const { problem } = found;
  const message =
    problem === undefined
      ? "the data folder was open to other users of this machine; it is closed now"
      : "the data folder is open to other users of this machine and cannot be closed: change its owner or its mode";
  log.warn({ folder, ...found }, message);
}

/** A restored copy must not overwrite the anchor of the server that it was copied from. */
function remoteAnchor(settings: Settings, log: Logger, isPaused: () => boolean): RemoteAnchor | undefined {
  if (settings.PLATFORM_AUDIT_ANCHOR_URL === undefined) return undefined;
  const remote = createRemoteAnchor({
    url: settings.PLATFORM_AUDIT_ANCHOR_URL,
    method: settings.PLATFORM_AUDIT_ANCHOR_METHOD,
    token: settings.PLATFORM_AUDIT_ANCHOR_TOKEN,
    onError: (error) =>
      log.error(
        { err: error },
        "the anchor of the event log could not be sent to PLATFORM_AUDIT_ANCHOR_URL; the server tries again",
      ),
  });
  return { ...remote, publish: (text) => void (isPaused() || remote.publish(text)) };
}
