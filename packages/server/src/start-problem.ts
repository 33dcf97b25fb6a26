/** Why the server did not start. Files of another user are common: a restored backup, or an earlier start as root. */
export function startProblem(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" && path !== undefined)
    return `This user (${process.getuid?.()}) cannot use ${path}. Change the owner of the file or folder, or set PLATFORM_DATA_DIR.`;
  if (code !== undefined && path !== undefined)
    return `${path} cannot be used (${code}). Correct it, or set PLATFORM_DATA_DIR to another folder.`;
  // Callers of the API do not see the cause, because it may name a host. The operator who starts the server needs it.
  if (!(error.cause instanceof Error) || error.cause.message === "") return error.message;
  const isDatabase = error.message.startsWith("The database");
  return `${error.message} (${error.cause.message})${isDatabase ? " Check DATABASE_URL." : ""}`;
}
