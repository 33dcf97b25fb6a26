import { lstat, readFile, readlink, realpath, stat } from "node:fs/promises";

/** One part of the file system that a program sees. Later parts cover earlier ones. */
export type LayoutPart =
  | { readonly kind: "bind"; readonly path: string; readonly at: string; readonly isWritable: boolean }
  /** Many small files: copying all of them at once takes a tenth of the time. */
  | { readonly kind: "copy-folder" | "copy-file"; readonly path: string; readonly at: string }
  | { readonly kind: "link"; readonly target: string; readonly at: string }
  | { readonly kind: "hide-folder" | "hide-file"; readonly at: string };

/** What every program may read: the programs and libraries of the system, and what these need to find names and certificates. */
const systemFolders = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/gnu/store",
];
const copied = [
  ...[
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "fonts",
    "gai.conf",
    "group",
    "host.conf",
    "hosts",
  ],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release"],
  ...["passwd", "pki", "protocols", "resolv.conf", "services", "ssl/certs", "ssl/openssl.cnf", "timezone"],
].map((name) => `/etc/${name}`);
const devices = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`);

interface LayoutOptions {
  /** Folders in addition to those of the system; with `:rw` at the end, programs may write there if their user may. */
  readonly folders: readonly string[];
  /** Interpreters with their libraries. */
  readonly interpreters: readonly string[];
  /** Files and folders of the server, which are hidden wherever they are. */
  readonly hidden: readonly string[];
}

/** What all programs see. Looked up for each start, so that programs see what the operator has added. */
export async function commonLayout({ folders, interpreters, hidden }: LayoutOptions): Promise<LayoutPart[]> {
  const granted = folders.map((entry) => ({
    path: entry.replace(/:rw$/, ""),
    isWritable: entry.endsWith(":rw"),
  }));
  const readable = [...systemFolders, ...devices, ...interpreters].map((path) => ({
    path,
    isWritable: devices.includes(path),
  }));
  const shown: LayoutPart[] = [];
  for (const path of copied) {
    const found = await stat(path).catch(() => undefined);
    if (found) shown.push({ kind: found.isDirectory() ? "copy-folder" : "copy-file", path, at: path });
  }
  for (const { path, isWritable } of [...readable, ...granted]) {
    const found = await lstat(path).catch(() => undefined);
    if (!found || isShown(shown, path)) continue;
    const isSystemLink = found.isSymbolicLink() && systemFolders.includes(path);
    shown.push(
      isSystemLink
        ? { kind: "link", target: await readlink(path), at: path }
        : { kind: "bind", path, at: path, isWritable },
    );
  }
  return [...shown, ...(await hiddenParts(shown, hidden, new Set(granted.map(({ path }) => path))))];
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

const isShown = (shown: readonly LayoutPart[], path: string) =>
  shown.some((part) => part.kind === "bind" && !part.isWritable && isBelow(path, part.at));

/** The parts that hide files and folders of the server in what the layout shows. */
async function hiddenParts(
  shown: readonly LayoutPart[],
  hidden: readonly string[],
  granted: ReadonlySet<string>,
): Promise<LayoutPart[]> {
  const parts = new Map<string, LayoutPart>();
  for (const path of hidden) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || real === "/") continue;
    const kind = (await stat(real)).isDirectory() ? "hide-folder" : "hide-file";
    for (const part of shown) {
      if (!("path" in part)) continue;
      const from = await realpath(part.path);
      // Either the hidden path is in a shown part, perhaps under another name, or the shown part is in the hidden path.
      if (isBelow(real, from)) {
        const at = `${part.at}${real.slice(from.length)}`;
        parts.set(at, { kind, at });
      } else if (isBelow(from, real) && granted.has(part.path)) {
        parts.set(part.at, {
          kind: (await stat(from)).isDirectory() ? "hide-folder" : "hide-file",
          at: part.at,
        });
      }
    }
  }
  return [...parts.values()].sort((one, other) => (one.at < other.at ? -1 : 1));
}

/** The paths to copy, for the namespace script. */
export const copiedPaths = (parts: readonly LayoutPart[], kind: "copy-folder" | "copy-file"): string =>
  parts.flatMap((part) => (part.kind === kind ? part.path.slice(1) : [])).join(" ");

/** The arguments of the namespace script. Flags that a mount already has must be kept: only the owner of the machine may remove them. */
export async function layoutArguments(parts: readonly LayoutPart[]): Promise<string[]> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8"));
  return parts.flatMap((part) => {
    switch (part.kind) {
      case "bind": {
        const bind = ["bind", part.path, part.at];
        return part.isWritable ? bind : [...bind, ...readOnly(part.path, part.at, mounts)];
      }
      case "copy-folder":
      case "copy-file":
        return [];
      case "link":
        return ["link", part.target, part.at];
      default:
        return [part.kind, part.at, ""];
    }
  });
}

interface Mount {
  readonly at: string;
  readonly options: readonly string[];
}

const keptOptions = ["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"];

/** Makes the folder and all mounts below it read-only. */
function readOnly(path: string, at: string, mounts: readonly Mount[]): string[] {
  const own = mounts
    .filter((mount) => isBelow(path, mount.at) || mount.at === "/")
    .reduce<Mount | undefined>(
      (best, mount) => (best && best.at.length > mount.at.length ? best : mount),
      undefined,
    );
  const below = mounts.filter((mount) => mount.at !== path && isBelow(mount.at, path));
  return [
    ...["options", at, optionsOf(own?.options ?? [])],
    ...below.flatMap((mount) => ["options", `${at}${mount.at.slice(path.length)}`, optionsOf(mount.options)]),
  ];
}

const optionsOf = (options: readonly string[]) =>
  [...new Set(["ro", "nosuid", "nodev", ...options.filter((option) => keptOptions.includes(option))])].join(
    ",",
  );

/** proc(5): the mount point is the fifth field, its options the sixth. Spaces are written as \040. */
function mountsIn(text: string): Mount[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [, , , , at = "", options = ""] = line.split(" ");
      const path = at.replace(/\\([0-7]{3})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      );
      return { at: path, options: options.split(",") };
    });
}

/** Created explicitly, because other users cannot enter the parent folders that bubblewrap creates. */
const parentsOf = (path: string): string[] =>
  path
    .split("/")
    .slice(1, -1)
    .flatMap((_, at, names) => ["--perms", "0755", "--dir", `/${names.slice(0, at + 1).join("/")}`]);

export const bubblewrapArguments = (parts: readonly LayoutPart[]): string[] =>
  parts.flatMap((part) => {
    switch (part.kind) {
      case "bind":
        // bubblewrap makes devices itself.
        if (part.at.startsWith("/dev/")) return [];
        return [...parentsOf(part.at), part.isWritable ? "--bind" : "--ro-bind", part.path, part.at];
      case "copy-folder":
      case "copy-file":
        return [...parentsOf(part.at), "--ro-bind", part.path, part.at];
      case "link":
        return ["--symlink", part.target, part.at];
      case "hide-folder":
        return ["--tmpfs", part.at];
      default:
        return ["--ro-bind", "/dev/null", part.at];
    }
  });
