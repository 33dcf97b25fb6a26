import { ChatBinding, type EndpointBody, type endpoints } from "@lakehelm/contract";
import { secretMask } from "@lakehelm/contract/connections";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { isReference, mentionsSecret } from "../../core/secrets/references.ts";
import { collection, keyOf, type Scope, type Stored, type Text } from "../../core/store/collection.ts";
import { type ChangeContext, retryOnConflict } from "../../core/store/store.ts";
import type { Outbound } from "../../runtime/outbound/outbound.ts";
import type { Automations } from "../automations/automations.ts";
import { withCurrentNames } from "../automations/environment-names.ts";
import type { Environments } from "../environments/environments.ts";
import { metadataProblem } from "./channel-kind.ts";
import type { DeliveryRows } from "./delivery-rows.ts";
import { withSigningSecret } from "./signing-secret.ts";

type BindRequest = EndpointBody<typeof endpoints.bindChat>;

interface Bound {
  readonly binding: ChatBinding;
  /** Where it was made just now. */
  readonly signingSecret: string | undefined;
}

/** Where messages to a channel go, with its secrets: for whoever posts alone. */
interface Target {
  readonly channelId: string;
  readonly environmentId: string;
  readonly address: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ChatBindings {
  /** #11: binds a channel in an environment, in place of what was bound there. */
  bind(body: BindRequest, context: ChangeContext): Promise<Bound>;
  page(scope: Scope, skip: number, limit: number): Promise<{ bindings: ChatBinding[]; total: number }>;
  /** All of an environment, as they are stored. */
  ofEnvironment(environmentId: string): Promise<ChatBinding[]>;
  find(environmentId: string, channelId: string): Promise<ChatBinding | undefined>;
  remove(id: string, context: ChangeContext): Promise<ChatBinding>;
  target(id: string): Promise<Target | undefined>;
}

/** As a part of it, a secret would go to whatever host its other part names, and into what is said of that host. */
export const wholeAddress =
  "A secret in channel_url must be the whole address: {{secrets/<scope>/<key>}} and nothing else.";

const subjectOf = (id: string) => `binding/${id}`;

/** What of a binding may hold secrets; the address of an incoming webhook is one as a whole. */
const secretsOf = ({ channel_url, metadata }: Pick<ChatBinding, "channel_url" | "metadata">) => ({
  address: { secret: channel_url },
  metadata,
});

/** Masking and restoring exchange strings for strings: the shape stays. */
const shapeOf = (tree: object) => tree as ReturnType<typeof secretsOf>;

export function createChatBindings(
  { store, vault, system }: Dependencies,
  parts: {
    readonly environments: Environments;
    readonly automations: Pick<Automations, "find">;
    readonly outbound: Pick<Outbound, "refusal">;
    readonly deliveries: DeliveryRows;
  },
): ChatBindings {
  const { environments, automations, outbound, deliveries } = parts;
  const rows = collection<ChatBinding>(store, "bindings");
  const maps = createEncryptedMaps(vault);

  async function read(id: string): Promise<Stored<ChatBinding>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no chat binding ${id}.`);
    return found;
  }

  const opened = ({ doc, sealed }: Pick<Stored<ChatBinding>, "doc" | "sealed">) =>
    shapeOf(maps.open(secretsOf(doc), sealed));

  /** The mask stands for what is stored; where nothing is, it stands for nothing. */
  const meant = (url: string | null | undefined, before: ChatBinding | undefined) =>
    url === secretMask && !before?.channel_url ? null : url || null;

  /** Before anything is made for it: an environment, for one. A reference is judged when it is called. */
  async function requireUsable({ channel_url: url, metadata }: BindRequest): Promise<void> {
    const problem = metadataProblem(metadata);
    if (problem !== undefined) throw conflict(problem);
    if (!url || url === secretMask || isReference(url)) return;
    if (mentionsSecret(url)) throw conflict(wholeAddress);
    const refusal = await outbound.refusal(url);
    if (refusal !== undefined) throw conflict(`channel_url cannot be called. ${refusal}`);
  }

  return {
    async bind(body, context) {
      const alias = body.automation_alias ?? null;
      if (alias !== null && !(await automations.find(alias))) {
        throw notFound(`There is no automation "${alias}".`);
      }
      await requireUsable(body);
      return retryOnConflict(async () => {
        const { environment } = await environments.forHook(body.environment, context);
        const key = keyOf(environment.id, body.channel_id);
        const before = await rows.byKey(key);
        const channel_url = meant(body.channel_url, before?.doc);
        const address = channel_url === secretMask && before ? opened(before).address.secret : channel_url;
        const { metadata, made } = withSigningSecret(address, body.metadata, before?.doc.metadata, () =>
          system.randomBytes(32).toString("base64url"),
        );
        const { masked, sealed } = maps.seal(secretsOf({ channel_url, metadata }), before?.sealed);
        const shown = shapeOf(masked);
        const id = before?.id ?? system.newId();
        const doc: ChatBinding = {
          id,
          environment_id: environment.id,
          environment: environment.name,
          channel_id: body.channel_id,
          team_id: body.team_id ?? null,
          channel_name: body.channel_name ?? null,
          channel_url: shown.address.secret,
          automation_alias: alias,
          metadata: shown.metadata,
          created_at: before?.doc.created_at ?? context.time,
          updated_at: context.time,
          created_by: before?.doc.created_by ?? context.actor,
        };
        const fresh = { id, key, doc, environmentId: environment.id, owner: null, state: null, sealed };
        if (before && isSame(before, fresh)) return { binding: before.doc, signingSecret: undefined };
        const data = { environment_id: environment.id, channel_id: body.channel_id, automation_alias: alias };
        await store.apply({
          context,
          steps: before ? rows.update(before, { doc, sealed }) : rows.insert(fresh),
          events: [{ kind: before ? "binding.updated" : "binding.created", subject: subjectOf(id), data }],
        });
        return { binding: doc, signingSecret: made };
      });
    },
    async page(scope, skip, limit) {
      const { items, total } = await rows.items(scope, skip, limit);
      return { bindings: await withCurrentNames(items.map(readBinding), environments), total };
    },
    async ofEnvironment(environmentId) {
      const found: ChatBinding[] = [];
      for (;;) {
        const { items, total } = await rows.items({ environmentId }, found.length, 1000);
        found.push(...items.map(readBinding));
        if (items.length === 0 || found.length >= total) return found;
      }
    },
    find: async (environmentId, channelId) => (await rows.byKey(keyOf(environmentId, channelId)))?.doc,
    remove: (id, context) =>
      retryOnConflict(async () => {
        const before = await read(id);
        const { environment_id, channel_id } = before.doc;
        await store.apply({
          context,
          steps: [...rows.remove(before), ...deliveries.dropWaiting(id)],
          events: [{ kind: "binding.deleted", subject: subjectOf(id), data: { environment_id, channel_id } }],
        });
        const [doc = before.doc] = await withCurrentNames([before.doc], environments);
        return doc;
      }),
    async target(id) {
      const found = await rows.get(id);
      if (!found) return undefined;
      const { address, metadata } = opened(found);
      const { channel_id: channelId, environment_id: environmentId } = found.doc;
      return { channelId, environmentId, address: address.secret, metadata };
    },
  };

  function isSame(before: Stored<ChatBinding>, after: Pick<Stored<ChatBinding>, "doc" | "sealed">): boolean {
    const sameTime = { ...after.doc, updated_at: before.doc.updated_at };
    return (
      encodeJson(sameTime) === encodeJson(before.doc) &&
      encodeJson(opened(after)) === encodeJson(opened(before))
    );
  }
}

function readBinding(text: Text<ChatBinding>): ChatBinding {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a stored binding is not JSON");
  return ChatBinding.check(read.value, [], []);
}
