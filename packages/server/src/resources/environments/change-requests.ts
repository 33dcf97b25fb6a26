import type {
  Environment,
  EnvironmentChangeInput,
  EnvironmentChangeRequest,
  EnvironmentUpdateRequest,
} from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, notFound } from "../../core/errors.ts";
import { type ChangeContext, type Step, subjectOf } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { Environments } from "./environments.ts";

/** Changes that would lift the rule that an environment is changed only by plans: they need two admins. */
export interface ChangeRequests {
  /** Replaces an earlier request. */
  ask(
    reference: string,
    asked: EnvironmentChangeInput,
    context: ChangeContext,
  ): Promise<EnvironmentChangeRequest>;
  read(reference: string): Promise<EnvironmentChangeRequest>;
  /** `id`: the id of the request that the approver has read. */
  approve(reference: string, id: string, context: ChangeContext): Promise<Environment>;
  withdraw(reference: string, context: ChangeContext): Promise<EnvironmentChangeRequest>;
}

type Row = Tables["environment_requests"];

export function createChangeRequests(
  { store, vault, settings, system }: Pick<Dependencies, "store" | "vault" | "settings" | "system">,
  environments: Pick<Environments, "read" | "preview" | "update">,
): ChangeRequests {
  const one = store.prepare((db, v: Pick<Row, "environment_id">) =>
    db
      .selectFrom("environment_requests")
      .select(["environment_id", "version", "doc", "body"])
      .where("environment_id", "=", v.environment_id),
  );
  const put = store.prepare((db, v: Row) =>
    db
      .insertInto("environment_requests")
      .values({ environment_id: v.environment_id, version: v.version, doc: v.doc, body: v.body })
      .onConflict((oc) =>
        oc.column("environment_id").doUpdateSet((eb) => ({
          version: eb.ref("excluded.version"),
          doc: eb.ref("excluded.doc"),
          body: eb.ref("excluded.body"),
        })),
      ),
  );
  /** The document identifies the request: a request that has replaced it meanwhile is not deleted. */
  const remove = store.prepare((db, v: Pick<Row, "environment_id" | "doc">) =>
    db
      .deleteFrom("environment_requests")
      .where("environment_id", "=", v.environment_id)
      .where("doc", "=", v.doc),
  );
  const removal = ({ environment_id, doc }: Row): Step => ({ ...remove({ environment_id, doc }), expect: 1 });

  async function pending(reference: string) {
    const { id, doc: environment } = await environments.read(reference);
    const row = await store.one(one({ environment_id: id }));
    if (!row) throw notFound(`No change of the environment "${environment.name}" waits for an approval.`);
    return { environment, row, request: JSON.parse(row.doc) as EnvironmentChangeRequest };
  }

  /** Removes the settings that require plans; other keys stay, with their secrets as stored. */
  function lifted({ configuration, protected: isProtected }: Environment): EnvironmentUpdateRequest {
    const { changes: _, ...others } = configuration;
    const isBinding = isProtected && settings.PLATFORM_PROTECTED_CHANGES === "plan";
    return { configuration: others, ...(isBinding && { protected: false }) };
  }

  const eventOf = (
    kind: string,
    { environment_id, environment, changes, reason, created_by }: EnvironmentChangeRequest,
  ) => ({
    kind: `environment.${kind}`,
    subject: subjectOf("environment", environment_id),
    data: { name: environment, reason, requested_by: created_by, fields: changes.map(({ path }) => path) },
  });

  return {
    async ask(reference, { change: wanted = {}, lift, reason }, context) {
      const before = await environments.read(reference);
      const change = lift ? { ...lifted(before.doc), ...wanted } : wanted;
      const changes = await environments.preview(reference, change, context);
      if (changes.length === 0) throw conflict("The request would change nothing.");
      const request: EnvironmentChangeRequest = {
        id: system.newId(),
        environment_id: before.id,
        environment: before.doc.name,
        changes: changes.map(({ path, before, after }) => ({ path, before, after })),
        reason,
        created_at: context.time,
        created_by: context.actor,
      };
      const row = {
        environment_id: before.id,
        version: before.version,
        doc: encodeJson(request),
        body: vault.encrypt(encodeJson(change)),
      };
      await store.apply({ context, steps: [put(row)], events: [eventOf("change_requested", request)] });
      return request;
    },
    read: async (reference) => (await pending(reference)).request,
    async approve(reference, id, context) {
      const { row, request } = await pending(reference);
      if (request.id !== id) {
        throw conflict(
          `Another request has replaced the one with this id: ${request.created_by} asked for it at ${request.created_at}. Read it, and approve it by its id.`,
        );
      }
      if (request.created_by === context.actor) {
        throw forbidden("You asked for this change. Another admin must approve it.");
      }
      const read = decodeJson(vault.decrypt(row.body));
      if (!("value" in read)) throw new Error("A stored request is not valid JSON.");
      const changed = await environments.update(row.environment_id, read.value as EnvironmentUpdateRequest, {
        context,
        approved: {
          version: row.version,
          steps: [removal(row)],
          events: [eventOf("change_approved", request)],
        },
      });
      return changed.doc;
    },
    async withdraw(reference, context) {
      const { row, request } = await pending(reference);
      await store.apply({
        context,
        steps: [removal(row)],
        events: [eventOf("change_withdrawn", request)],
      });
      return request;
    },
  };
}
