import type { PlatformFinding } from "../platform.ts";

/** What the check found out about one part. */
export type Finding = Omit<PlatformFinding, "name">;

export const ok = (message: string): Finding => ({ status: "ok", message, action: null });
export const failed = (message: string, action: string): Finding => ({ status: "failed", message, action });
export const skipped = (message: string): Finding => ({ status: "skipped", message, action: null });
