export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  ENOENT: "it does not exist",
  ENOTDIR: "part of it is not a folder",
  EISDIR: "it is a folder",
};

/** The reason of a file error, for messages. */
export const fileReason = (error: unknown): string =>
  reasons[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
