import { posix } from "node:path";
import { isObject } from "@lakehelm/contract/schema";
import { shown, suggestion } from "@lakehelm/contract/text";
import { type Kind, kinds } from "../kinds.ts";
import { limits } from "../limits.ts";
import type { Place, Problems } from "../problems.ts";
import type { ResourceFile } from "../read/load.ts";
import type { SourceText } from "../read/source-text.ts";
import { entryOf, merged, type Path, type ScalarTree, type Tree } from "../read/tree.ts";
import type { ProjectSettings, Target } from "./target.ts";
import { type MappedText, placeInScalar, replaceReferences } from "./text.ts";

/** A resource with the values of one environment. */
export interface ResolvedResource {
  readonly kind: Kind;
  readonly name: string;
  readonly file: string;
  /** The file's values with the environment's overrides, for locations. */
  readonly tree: Tree;
  /** The body of the request that creates the resource. */
  readonly definition: Record<string, unknown>;
  /** Strings such as SQL, by `pathKey`, for locations inside them. */
  readonly texts: ReadonlyMap<string, MappedText>;
  /** Paths of values with a broken reference, as `pathKey` makes them. */
  readonly unresolved: ReadonlySet<string>;
  /** The resources that this one refers to, as `folder.name`, each with the location of the first reference. */
  readonly dependsOn: ReadonlyMap<string, Place>;
}

export const pathKey = (path: Path): string => JSON.stringify(path);

export interface ResolveContext {
  readonly settings: ProjectSettings;
  readonly target: Target;
  readonly folder: string;
  /** Variables from the command line. */
  readonly variables: ReadonlyMap<string, string>;
  readonly resources: readonly ResourceFile[];
  /** Folders with an unreadable file. */
  readonly incomplete: ReadonlySet<string>;
  /**
   * Files that `${file:…}` names, by their path in the project. A string instead of a file says why it cannot be read.
   */
  readonly files: ReadonlyMap<string, SourceText | string>;
  readonly problems: Problems;
  /** The tables that a resource makes, by their short names. Undefined: they are unknown, which is reported. */
  tablesOf(resource: ResolvedResource): ReadonlyMap<string, string> | undefined;
}

export interface Resolver {
  resolve(resource: ResourceFile): ResolvedResource;
  /** Resolves a value that is not in a resource, for example in a policy. */
  value(tree: Tree): unknown;
}

/** Replaces references, and reports those whose target does not exist. */
export function createResolver(context: ResolveContext): Resolver {
  const { settings, target, problems, variables, files } = context;
  const byName = new Map(context.resources.map((one) => [`${one.kind.folder}.${one.name}`, one]));
  const done = new Map<string, ResolvedResource>();
  const open: string[] = [];

  function resolve(resource: ResourceFile): ResolvedResource {
    const { kind, name, file } = resource;
    const id = `${kind.folder}.${name}`;
    const known = done.get(id);
    if (known) return known;
    const override = entryOf(entryOf(target.overrides, kind.folder), name);
    const tree = override ? merged(resource.tree, override) : resource.tree;
    const texts = new Map<string, MappedText>();
    const dependsOn = new Map<string, Place>();
    const unresolved = new Set<string>();
    open.push(id);
    const { $schema: _, ...value } = valueIn(tree, [], { texts, dependsOn, unresolved }) as Record<
      string,
      unknown
    >;
    open.pop();
    const definition = {
      [kind.nameField]: name,
      ...(kind.ownerField !== undefined && { [kind.ownerField]: settings.owner }),
      ...value,
    };
    const resolved = { kind, name, file, tree, definition, texts, dependsOn, unresolved };
    done.set(id, resolved);
    return resolved;
  }

  interface Collected {
    readonly texts: Map<string, MappedText>;
    readonly dependsOn: Map<string, Place>;
    readonly unresolved: Set<string>;
  }

  const nothing = (): Collected => ({ texts: new Map(), dependsOn: new Map(), unresolved: new Set() });

  function valueIn(tree: Tree, path: Path, into: Collected): unknown {
    if (tree.kind === "list") return tree.items.map((item, at) => valueIn(item, [...path, at], into));
    if (tree.kind === "map") {
      const entries = [...tree.entries].map(([name, entry]) => [
        name,
        valueIn(entry.value, [...path, name], into),
      ]);
      return Object.fromEntries(entries);
    }
    return typeof tree.value === "string" ? textValue(tree, tree.value, path, into) : tree.value;
  }

  function textValue(tree: ScalarTree, text: string, path: Path, into: Collected): unknown {
    const included = /^\$\{\s*file:([^{}\n]*)\}$/.exec(text.trim())?.[1];
    if (included !== undefined) return includedText(tree, included.trim(), path, into);
    const whole = /^\$\{([^{}\n]*)\}$/.exec(text)?.[1];
    if (whole !== undefined) {
      const value = lookup(whole.trim(), tree, into);
      if (value === undefined) into.unresolved.add(pathKey(path));
      return value === undefined ? text : value;
    }
    const { text: replaced, original } = withReferences(
      text,
      path,
      (offset) => placeInScalar(tree, offset),
      into,
    );
    into.texts.set(pathKey(path), {
      text: replaced,
      place: (offset) => placeInScalar(tree, original(offset)),
    });
    return replaced;
  }

  function withReferences(text: string, path: Path, placeAt: (offset: number) => Place, into: Collected) {
    let length = 0;
    const result = replaceReferences(text, (expression, offset) => {
      const place = placeAt(offset);
      const value = lookup(expression, place, into);
      if (value === undefined) into.unresolved.add(pathKey(path));
      if (value === undefined) return undefined;
      if (typeof value === "object" && value !== null) {
        problems.error(place, `\${${expression}} is not a text or a number, so it must be the whole value.`);
        return undefined;
      }
      const inserted = String(value);
      length += inserted.length;
      if (length <= limits.value) return inserted;
      problems.error(place, "The text is too long after its references were replaced.");
      return "";
    });
    return result;
  }

  /** The content of an included file. References in SQL are replaced; other code uses `${…}` itself. */
  function includedText(tree: ScalarTree, path: string, at: Path, into: Collected): string {
    const file = includedPath(tree.source.file, path);
    const source = files.get(file);
    if (source === undefined || typeof source === "string") {
      problems.error(tree, `The file ${shown(file)} ${source ?? "does not exist."}`);
      into.unresolved.add(pathKey(at));
      return "";
    }
    const inFile = (offset: number): Place => ({ source, at: offset });
    if (!/\.sql$/i.test(file)) {
      into.texts.set(pathKey(at), { text: source.text, place: inFile });
      return source.text;
    }
    const { text, original } = withReferences(source.text, at, inFile, into);
    into.texts.set(pathKey(at), { text, place: (offset) => inFile(original(offset)) });
    return text;
  }

  /** The value of an expression; undefined: it has none, which is reported. */
  function lookup(expression: string, place: Place, into: Collected): unknown {
    const wrong = (message: string) => {
      problems.error(place, message);
      return undefined;
    };
    const [root = "", name = "", part, table, ...more] = expression.split(".");
    if (root === "var") return variable(expression.slice(4), place);
    if (root === "project" && expression === "project.name") return settings.name;
    if (root === "project" && expression === "project.folder") return context.folder;
    if (root === "environment" && expression === "environment.name") return target.name;
    const kind = kinds.find(({ folder }) => folder === root);
    if (!kind) {
      const roots = ["var", "project", "environment", "file", ...kinds.map(({ folder }) => folder)];
      const close = suggestion(root, roots) || ` References begin with ${roots.join(", ")}.`;
      return wrong(
        `\${${expression.slice(0, 80)}} is not a known reference.${close} For a plain \${, write $\${.`,
      );
    }
    const id = `${root}.${name}`;
    const resource = byName.get(id);
    // Only the unreadable file is reported, not references to it.
    if (!resource && context.incomplete.has(root)) return undefined;
    if (!resource) {
      const names = [...byName.keys()]
        .filter((one) => one.startsWith(`${root}.`))
        .map((one) => one.slice(root.length + 1));
      const close =
        suggestion(name, names) || (names.length > 0 ? ` There are ${names.slice(0, 10).join(", ")}.` : "");
      return wrong(`There is no ${kind.kind} ${shown(name)} in the project.${close}`);
    }
    if (!into.dependsOn.has(id)) into.dependsOn.set(id, place);
    if (part === "name" && table === undefined) return name;
    if (part !== "tables" || table === undefined || more.length > 0)
      return wrong(
        `\${${expression.slice(0, 80)}} is not complete. Write \${${id}.name} or \${${id}.tables.<table>}.`,
      );
    return tableOf(resource, id, table, place);
  }

  function tableOf(resource: ResourceFile, id: string, table: string, place: Place): string | undefined {
    const start = open.indexOf(id);
    if (start >= 0) {
      const cycle = [...open.slice(start), id];
      problems.error(place, `References form a cycle: ${cycle.slice(0, 10).join(" → ")}.`);
      return undefined;
    }
    if (open.length > limits.chain) {
      problems.error(place, `References lead from one resource to the next more than ${limits.chain} times.`);
      return undefined;
    }
    const tables = context.tablesOf(resolve(resource));
    const found = tables?.get(table.toLowerCase());
    if (found !== undefined || !tables) return found;
    const names = [...tables.keys()];
    const close =
      suggestion(table, names) ||
      (names.length > 0 ? ` It has ${names.slice(0, 10).join(", ")}.` : " It has none.");
    problems.error(place, `${id} makes no table ${shown(table)}.${close}`);
    return undefined;
  }

  function variable(name: string, place: Place): unknown {
    const given = variables.get(name);
    if (given !== undefined) return given;
    const declared = entryOf(settings.variables, name);
    const names = settings.variables?.kind === "map" ? [...settings.variables.entries.keys()] : [];
    if (!declared) {
      const close = suggestion(name, names) || " Declare it under variables in lakehelm.yaml.";
      problems.error(place, `There is no variable ${shown(name)}.${close}`);
      return undefined;
    }
    const own = entryOf(target.variables, name);
    const value = own ?? (declared.kind === "map" ? entryOf(declared, "default") : declared);
    if (value) return plainVariable(value);
    problems.error(
      place,
      `The variable ${shown(name)} has no value in ${shown(target.name)}. Set it in lakehelm.yaml, with --var ${name}=…, or LAKEHELM_VAR_${name}.`,
    );
    return undefined;
  }

  /**
   * Resolves a variable's value: it may name the folder or the environment, but no other variables and no resources.
   */
  function plainVariable(tree: Tree): unknown {
    if (tree.kind === "list") return tree.items.map(plainVariable);
    if (tree.kind === "map")
      return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plainVariable(value)]));
    if (typeof tree.value !== "string") return tree.value;
    return replaceReferences(tree.value, (expression) => {
      if (/^(?:project\.(?:name|folder)|environment\.name)$/.test(expression))
        return String(lookup(expression, tree, nothing()));
      problems.error(tree, `\${${expression.slice(0, 80)}}: the value of a variable cannot refer to others.`);
      return undefined;
    }).text;
  }

  const value = (tree: Tree) => {
    const found = valueIn(tree, [], nothing());
    if (!isObject(found)) return found;
    const { $schema: _, ...rest } = found;
    return rest;
  };
  return { resolve, value };
}

/** The path in the project of a file that another file names. */
const includedPath = (from: string, path: string): string =>
  posix.join(path.startsWith("/") ? "." : posix.dirname(from), path.replaceAll("\\", "/"));

export function* includesOf(tree: Tree): Generator<string> {
  if (tree.kind === "list") for (const item of tree.items) yield* includesOf(item);
  else if (tree.kind === "map") for (const { value } of tree.entries.values()) yield* includesOf(value);
  else if (typeof tree.value === "string") {
    const path = /^\$\{\s*file:([^{}\n]*)\}$/.exec(tree.value.trim())?.[1];
    if (path !== undefined) yield includedPath(tree.source.file, path.trim());
  }
}
