import { FakeError, type Routes } from "./route.ts";

export interface FakeObject {
  readonly type: "FILE" | "NOTEBOOK";
  readonly content: string;
  readonly language?: string;
}

/** Workspace files, the files of volumes, and secrets. */
export function objectRoutes() {
  const folders = new Set<string>(["/Workspace", "/Workspace/Shared"]);
  const objects = new Map<string, FakeObject>();
  /** `scope/key` → value */
  const secrets = new Map<string, string>();
  const scopes = new Set<string>();
  const absent = (what: string) => new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `${what} does not exist.`);

  const routes: Routes = {
    "POST /api/2.0/workspace/mkdirs": ({ body }) => {
      const parts = String(body.path).split("/").slice(1);
      for (let n = 1; n <= parts.length; n++) folders.add(`/${parts.slice(0, n).join("/")}`);
      return {};
    },
    "POST /api/2.0/workspace/import": ({ body }) => {
      const { path, content, format, overwrite, language } = body;
      if (!folders.has(path.replace(/\/[^/]*$/, ""))) throw absent(`The parent folder of ${path}`);
      const type = format === "SOURCE" ? "NOTEBOOK" : "FILE";
      const before = objects.get(path);
      if (before && !overwrite)
        throw new FakeError(400, "RESOURCE_ALREADY_EXISTS", `${path} already exists.`);
      if (before && before.type !== type)
        throw new FakeError(400, "INVALID_PARAMETER_VALUE", "type mismatch");
      objects.set(path, { type, content: Buffer.from(content, "base64").toString("utf8"), language });
      return {};
    },
    "GET /api/2.0/workspace/get-status": ({ query: { path = "" } }) => {
      if (!folders.has(path)) throw absent(path);
      return { object_type: "DIRECTORY", path };
    },
    "GET /api/2.0/workspace/list": ({ query: { path = "" } }) => {
      if (!folders.has(path)) throw absent(path);
      const below = [...folders].filter((one) => one.replace(/\/[^/]*$/, "") === path);
      return below.length === 0
        ? {}
        : { objects: below.map((one) => ({ object_type: "DIRECTORY", path: one })) };
    },
    "POST /api/2.0/workspace/delete": ({ body }) => {
      const { path, recursive } = body;
      if (!folders.has(path) && !objects.has(path)) throw absent(path);
      const isFull = [...folders, ...objects.keys()].some((one) => one.startsWith(`${path}/`));
      if (!recursive && isFull) throw new FakeError(400, "DIRECTORY_NOT_EMPTY", `${path} is not empty.`);
      for (const known of folders) if (`${known}/`.startsWith(`${path}/`)) folders.delete(known);
      for (const known of objects.keys()) if (`${known}/`.startsWith(`${path}/`)) objects.delete(known);
      return {};
    },
    "PUT /api/2.0/fs/directories/{path*}": ({ params }) => {
      const parts = (params.path ?? "").split("/");
      for (let n = 1; n <= parts.length; n++) folders.add(`/${parts.slice(0, n).join("/")}`);
      return {};
    },
    "DELETE /api/2.0/fs/directories/{path*}": ({ params }) => {
      const path = `/${params.path}`;
      if (!folders.has(path)) throw absent(path);
      if ([...folders, ...objects.keys()].some((one) => one.startsWith(`${path}/`)))
        throw new FakeError(400, "FILES_API_DIRECTORY_IS_NOT_EMPTY", `${path} is not empty.`);
      folders.delete(path);
      return {};
    },
    "GET /api/2.0/fs/directories/{path*}": ({ params }) => {
      if (!folders.has(`/${params.path}`)) throw absent(`/${params.path}`);
      return {};
    },
    "PUT /api/2.0/fs/files/{path*}": ({ params, query, text }) => {
      const path = `/${params.path}`;
      if (!folders.has(path.replace(/\/[^/]*$/, ""))) throw absent(`The parent folder of ${path}`);
      if (objects.has(path) && query.overwrite !== "true")
        throw new FakeError(409, "ALREADY_EXISTS", `${path} already exists.`);
      objects.set(path, { type: "FILE", content: text });
      return {};
    },
    "DELETE /api/2.0/fs/files/{path*}": ({ params }) => {
      if (!objects.delete(`/${params.path}`)) throw absent(`/${params.path}`);
      return {};
    },
    "POST /api/2.0/secrets/scopes/create": ({ body }) => {
      if (scopes.has(body.scope))
        throw new FakeError(400, "RESOURCE_ALREADY_EXISTS", `Scope ${body.scope} already exists!`);
      scopes.add(body.scope);
      return {};
    },
    "GET /api/2.0/secrets/scopes/list": () =>
      scopes.size === 0 ? {} : { scopes: [...scopes].map((name) => ({ name })) },
    "POST /api/2.0/secrets/scopes/delete": ({ body }) => {
      if (!scopes.delete(body.scope)) throw absent(`Scope ${body.scope}`);
      for (const name of secrets.keys()) if (name.startsWith(`${body.scope}/`)) secrets.delete(name);
      return {};
    },
    "POST /api/2.0/secrets/acls/put": () => ({}),
    "POST /api/2.0/secrets/put": ({ body }) => {
      if (!scopes.has(body.scope)) throw absent(`Scope ${body.scope}`);
      if (!/^[\w.-]{1,128}$/.test(body.key)) throw new FakeError(400, "INVALID_PARAMETER_VALUE", "key");
      secrets.set(`${body.scope}/${body.key}`, body.string_value);
      return {};
    },
    "GET /api/2.0/secrets/list": ({ query }) => {
      if (!scopes.has(query.scope ?? "")) throw absent(`Scope ${query.scope}`);
      const keys = [...secrets.keys()].filter((name) => name.startsWith(`${query.scope}/`));
      return keys.length === 0
        ? {}
        : { secrets: keys.map((name) => ({ key: name.slice(name.indexOf("/") + 1) })) };
    },
    "POST /api/2.0/secrets/delete": ({ body }) => {
      if (!secrets.delete(`${body.scope}/${body.key}`)) throw absent(`Secret ${body.key}`);
      return {};
    },
  };
  /** The objects without the copies of the environment's files. */
  const deployed = () => new Map([...objects].filter(([path]) => !/\/files\/[0-9a-f-]{36}\//.test(path)));
  return { routes, objects, deployed, folders, secrets, scopes };
}
