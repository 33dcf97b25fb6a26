import { join, resolve } from "node:path";
import type { Engine } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import type { EventLog } from "../../core/events/log.ts";
import { dataFolderId } from "../../runtime/platforms/embedded/data-folder.ts";
import { createBackups } from "./backups.ts";
import { readRecipient } from "./encryption.ts";
import { backupHandlers } from "./routes.ts";

interface BackupsModuleOptions {
  readonly engine: Pick<Engine, "request">;
  readonly events: Pick<EventLog, "head">;
  readonly schemaVersion: number;
  readonly log: Logger;
}

export function backupsModule(
  deps: Dependencies,
  { engine, events, schemaVersion, log }: BackupsModuleOptions,
) {
  const { settings, store } = deps;
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  const backups = createBackups(deps, {
    dataDir,
    folder:
      settings.PLATFORM_BACKUP_DIR === undefined
        ? join(dataDir, "backups")
        : resolve(settings.PLATFORM_BACKUP_DIR),
    kept: settings.PLATFORM_BACKUPS_KEPT,
    schemaVersion,
    engine,
    includesState: store.engine.name === "sqlite",
    eventSequence: events.head,
    reserveBytes: settings.PLATFORM_DISK_RESERVE_MB * 1024 * 1024,
    dataFolderId: () => dataFolderId(deps, dataDir),
    recipient: readRecipient(settings),
    log,
  });
  return { handlers: backupHandlers(backups), takeOver: backups.takeOver, stop: backups.stop };
}
