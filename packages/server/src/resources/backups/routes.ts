import { type endpoints, memoryListFields } from "@lakehelm/contract";
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Backups } from "./backups.ts";

type Routes = "createBackup" | "listBackups" | "getBackup" | "deleteBackup";

export function backupHandlers(backups: Backups): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    createBackup: async ({ context }) => ({ body: await backups.create(context) }),
    async listBackups({ query }) {
      const fields = memoryListFields.backups;
      const page = pageInMemory("backups", await backups.list(), { fields, idOf: ({ id }) => id }, query);
      return { body: { backups: page.items, ...pageEnd(page) } };
    },
    getBackup: async ({ params: { backup_id } }) => ({ body: await backups.get(backup_id) }),
    async deleteBackup({ params: { backup_id }, context }) {
      await backups.remove(backup_id, context);
      return { body: { success: true, message: "The backup was deleted." } };
    },
  };
}
