import type { Attempt, AttemptRequest } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, stale } from "../../core/errors.ts";
import { extractSecrets } from "../../core/secrets/secret-extraction.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import { collection, keyOf, requireVersion, type Stored } from "../../core/store/collection.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import { attemptDefinition, fieldsOf, isDefinition } from "./attempt-definition.ts";
import { sizeProblem } from "./definition.ts";
import { readDefinition } from "./definition-text.ts";
import { definitionFile } from "./design.ts";
import { secretProblemsInFile } from "./design-secrets.ts";
import { requireProcessAdmin } from "./process-tasks.ts";
import { automationSubject, type Registry } from "./registry.ts";

/** Authoring attempts: designs in progress, validated before they are committed. */
export interface AuthoringAttempts {
  put(
    alias: string,
    attemptId: string,
    body: AttemptRequest,
    call: ChangeRequest & { readonly yaml?: string | undefined },
  ): Promise<Stored<Attempt>>;
  read(alias: string, attemptId: string): Promise<Stored<Attempt>>;
  remove(alias: string, attemptId: string, call: ChangeRequest): Promise<void>;
  /** Steps for the deletion of an automation. */
  removalOfAll(automationId: string): Promise<Step[]>;
  /** Masks stored designs by the current rules. */
  readonly maskStored: MaskStored;
}

/** The only access to state that validation gets: read-only. */
export interface AttemptReader {
  knows(alias: string): Promise<boolean>;
  attempt(alias: string, attemptId: string): Promise<Attempt | undefined>;
}

export function createAttempts(
  { store, system }: Dependencies,
  registry: Registry,
): { readonly attempts: AuthoringAttempts; readonly reader: AttemptReader } {
  const rows = collection<Attempt>(store, "attempts");
  const idsOf = store.prepare((db, v: { owner: string }) =>
    db.selectFrom("attempts").select("id").where("owner", "=", v.owner),
  );
  const anyOf = store.prepare((db, v: { owner: string }) =>
    db
      .updateTable("attempts")
      .set((eb) => ({ owner: eb.ref("owner") }))
      .where("owner", "=", v.owner),
  );

  /**
   * Only an admin may write a design with programs: otherwise it could change between an admin's review and its
   * release.
   */
  async function requireMayWrite(alias: string, body: AttemptRequest, context: ChangeContext): Promise<void> {
    const attempt = attemptDocument(alias, "", body, undefined, context);
    if (sizeProblem(fieldsOf(attempt)) !== undefined) return;
    const { file, maxLength } = attemptDefinition(attempt);
    const { definition } = await readDefinition(file.content, { maxLength, owner: context.actor });
    if (definition) requireProcessAdmin(definition, context);
  }

  const attempts: AuthoringAttempts = {
    async put(alias, attemptId, sent, { context, expectedVersion, yaml }) {
      const body = withYamlFile(sent, yaml);
      await requireReferences(body, context.actor);
      await requireMayWrite(alias, body, context);
      return store.retryOnConflict(async () => {
        const { id: owner } = await registry.read(alias);
        const key = keyOf(owner, attemptId);
        const before = await rows.byKey(key);
        if (before) requireVersion(before, expectedVersion);
        else if (expectedVersion !== undefined)
          throw stale(`The attempt "${attemptId}" does not exist yet. Leave out If-Match to create it.`);
        const doc = attemptDocument(alias, attemptId, body, before?.doc, context);
        if (before && sameDesign(doc, before.doc)) return before;
        const id = before?.id ?? system.newId();
        const fresh = { id, key, doc, environmentId: null, owner, state: null, sealed: null };
        const kind = before ? "automation.attempt_updated" : "automation.attempt_created";
        await store.apply({
          context,
          steps: [registry.lock(owner), ...(before ? rows.update(before, { doc }) : rows.insert(fresh))],
          events: [{ kind, subject: automationSubject(owner), data: { alias, attempt_id: attemptId } }],
        });
        return { ...fresh, version: (before?.version ?? 0) + 1 };
      });
    },
    remove: (alias, attemptId, { context, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await attempts.read(alias, attemptId);
        requireVersion(before, expectedVersion);
        const data = { alias, attempt_id: attemptId };
        const subject = automationSubject(before.owner ?? "");
        await store.apply({
          context,
          steps: rows.remove(before),
          events: [{ kind: "automation.attempt_deleted", subject, data }],
        });
      }),
    async removalOfAll(automationId) {
      const ids = await store.all(idsOf({ owner: automationId }));
      const found = await Promise.all(ids.map(({ id }) => rows.get(id)));
      return [
        ...found.flatMap((attempt) => (attempt ? rows.remove(attempt) : [])),
        // If an attempt was written concurrently, the transaction is retried: no attempt may outlive its automation.
        { ...anyOf({ owner: automationId }), expect: 0 },
      ];
    },
    maskStored: (context) =>
      maskTable<Attempt>(
        store,
        "attempts",
        (doc, sealed) => {
          const { files, ...design } = doc;
          return { doc: { ...doc, ...extractSecrets(design, {}, { onlyNamed: true }).masked }, sealed };
        },
        context,
      ),
    async read(alias, attemptId) {
      const { id } = await registry.read(alias);
      const found = await rows.byKey(keyOf(id, attemptId));
      if (!found) throw notFound(`The automation "${alias}" has no attempt "${attemptId}".`);
      return found;
    },
  };

  const reader: AttemptReader = {
    knows: async (alias) => (await registry.find(alias)) !== undefined,
    async attempt(alias, attemptId) {
      const automation = await registry.find(alias);
      return automation && (await rows.byKey(keyOf(automation.id, attemptId)))?.doc;
    },
  };

  return { attempts, reader };
}

/**
 * Keeps a YAML definition as text, so that problems refer to the author's own lines. YAML with files or metadata beside
 * the definition is stored as fields.
 */
function withYamlFile(sent: AttemptRequest, yaml: string | undefined): AttemptRequest {
  const { description, files, metadata } = sent;
  if (yaml === undefined || files.length > 0 || Object.keys(metadata).length > 0) return sent;
  const file = { path: definitionFile, content: yaml };
  return { description, tasks: [], parameters: {}, files: [file], metadata };
}

/** Files are stored verbatim, so a secret in them cannot be masked: they are rejected. */
async function requireReferences({ files }: AttemptRequest, owner: string): Promise<void> {
  const problems: string[] = [];
  for (const { path, content } of files.filter(isDefinition)) {
    problems.push(...(await secretProblemsInFile(path, content, owner)));
  }
  if (problems.length > 0) throw conflict(problems.join(" "));
}

function attemptDocument(
  alias: string,
  attemptId: string,
  body: AttemptRequest,
  before: Attempt | undefined,
  context: ChangeContext,
): Attempt {
  return {
    ...withoutSecrets({ ...body, files: [] }),
    files: body.files,
    attempt_id: attemptId,
    automation_alias: alias,
    created_at: before?.created_at ?? context.time,
    updated_at: context.time,
    created_by: before?.created_by ?? context.actor,
  };
}

/**
 * A design must refer to secrets, not contain them. A secret that is sent anyway is masked before it is stored, and
 * validation reports the mask.
 */
function withoutSecrets(design: AttemptRequest): AttemptRequest {
  // Masking replaces strings with strings, so the shape stays the same.
  return extractSecrets(design, {}, { onlyNamed: true }).masked as AttemptRequest;
}

const sameDesign = (a: Attempt, b: Attempt) =>
  encodeJson({ ...a, updated_at: b.updated_at }) === encodeJson(b);
