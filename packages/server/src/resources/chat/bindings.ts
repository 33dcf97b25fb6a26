import { ChatBinding, type EndpointBody, type endpoints } from "@lakehelm/contract";
import { secretMask } from "@lakehelm/contract/connections";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import {
  type CredentialFields,
  isReference,
  mentionsSecret,
  misplacedReferences,
  pathText,
} from "../../core/secrets/references.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import type { DestinationAt } from "../../core/secrets/secret-destination.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import { collection, keyOf, type Scope, type Stored, type Text } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Outbound } from "../../runtime/outbound/outbound.ts";
import type { Automations } from "../automations/automations.ts";
import { withCurrentNames } from "../automations/environment-names.ts";
import type { Environments } from "../environments/environments.ts";
import { metadataProblem } from "./channel-kind.ts";
import type { DeliveryRows } from "./delivery-rows.ts";
import { withSigningSecret } from "./signing-secret.ts";

type BindRequest = EndpointBody<typeof endpoints.bindChat>;

interface BindResult {
  readonly binding: ChatBinding;
  /** The signing secret, if this request has generated it. */
  readonly signingSecret: string | undefined;
}

/** The address of a channel with its secrets: only for sending. */
interface ChannelTarget {
  readonly channelId: string;
  readonly environmentId: string;
  readonly address: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface BindingPage {
  readonly bindings: ChatBinding[];
  readonly total: number;
  readonly next_cursor?: string | null;
}

export interface ChatBindings {
  /** #11: binds a channel in an environment, replacing an existing binding. */
  bind(body: BindRequest, context: ChangeContext): Promise<BindResult>;
  page(scope: Scope, request: ListRequest): Promise<BindingPage>;
  /** All bindings of an environment, as stored. */
  ofEnvironment(environmentId: string): Promise<ChatBinding[]>;
  /** A binding of the automation, as stored; undefined if there is none. */
  boundTo(automationAlias: string): Promise<ChatBinding | undefined>;
  /** The id of the binding's environment, in a list; undefined if there is no such binding. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  find(environmentId: string, channelId: string): Promise<ChatBinding | undefined>;
  remove(id: string, context: ChangeContext): Promise<ChatBinding>;
  target(id: string): Promise<ChannelTarget | undefined>;
  /** Masks stored bindings by the current rules. */
  readonly maskStored: MaskStored;
}

/**
 * A secret inside an address would be sent to the host that the rest of the address names, and appear in messages about
 * that host.
 */
export const partialSecretProblem =
  "A secret in channel_url must be the whole address: {{secrets/<scope>/<key>}} and nothing else.";

/** The fields of a binding that may be references to secrets, as a whole. */
export const isChannelCredential: CredentialFields = ([key, inner, ...more], text) =>
  isReference(text) &&
  (key === "channel_url" ? inner === undefined : key === "metadata" && inner === "signing_secret") &&
  more.length === 0;

/** A signing secret signs messages and is not sent. */
export const channelDestination: DestinationAt = ([key]) => (key === "channel_url" ? "its own address" : []);

const subjectOf = (id: string) => `binding/${id}`;

/** The fields of a binding that may hold secrets; the address of an incoming webhook is a secret as a whole. */
const secretsOf = ({ channel_url, metadata }: Pick<ChatBinding, "channel_url" | "metadata">) => ({
  address: { secret: channel_url },
  metadata,
});

/** Masking and restoring replace strings with strings: the shape stays the same. */
const shapeOf = (tree: object) => tree as ReturnType<typeof secretsOf>;

export function createChatBindings(
  { store, vault, system }: Dependencies,
  uses: {
    readonly environments: Environments;
    readonly automations: Pick<Automations, "find">;
    readonly outbound: Pick<Outbound, "refusal">;
    readonly deliveries: DeliveryRows;
  },
): ChatBindings {
  const { environments, automations, outbound, deliveries } = uses;
  const rows = collection<ChatBinding>(store, "bindings");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);

  async function read(id: string): Promise<Stored<ChatBinding>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no chat binding ${id}.`);
    return found;
  }

  const decrypt = ({ doc, sealed }: Pick<Stored<ChatBinding>, "doc" | "sealed">) =>
    shapeOf(maps.open(secretsOf(doc), sealed));

  /** Called before the request creates anything, such as an environment. A secret reference is checked on sending. */
  async function requireUsable(body: BindRequest): Promise<void> {
    const { channel_url: url, metadata } = body;
    const problem = metadataProblem(metadata);
    if (problem !== undefined) throw conflict(problem);
    if (url && !isReference(url) && mentionsSecret(url)) throw conflict(partialSecretProblem);
    const [misplaced] = misplacedReferences(body, isChannelCredential);
    if (misplaced) {
      throw conflict(
        `${pathText(misplaced)}: A reference to a secret is accepted only as the whole channel_url or metadata.signing_secret.`,
      );
    }
    if (!url || url === secretMask || isReference(url)) return;
    const refusal = await outbound.refusal(url);
    if (refusal !== undefined) throw conflict(`channel_url cannot be called. ${refusal}`);
  }

  async function all(scope: Scope): Promise<ChatBinding[]> {
    const found: ChatBinding[] = [];
    for (;;) {
      const { items, total } = await rows.items(scope, found.length, 1000);
      found.push(...items.map(readBinding));
      if (items.length === 0 || found.length >= total) return found;
    }
  }

  return {
    async bind(body, context) {
      const alias = body.automation_alias ?? null;
      if (alias !== null && !(await automations.find(alias))) {
        throw notFound(`There is no automation "${alias}".`);
      }
      await requireUsable(body);
      return store.retryOnConflict(async () => {
        const { environment } = await environments.forHook(body.environment, context);
        const key = keyOf(environment.id, body.channel_id);
        const before = await rows.byKey(key);
        const channel_url = body.channel_url || null;
        await scopes.requireMayRefer(
          { channel_url, metadata: body.metadata },
          {
            context,
            environmentId: environment.id,
            before: before && { channel_url: before.doc.channel_url, metadata: before.doc.metadata },
            destinationAt: channelDestination,
          },
        );
        const storedAddress = before ? decrypt(before).address.secret : null;
        const address = channel_url === secretMask ? storedAddress : channel_url;
        const { metadata, generated } = withSigningSecret(address, body.metadata, before?.doc.metadata, () =>
          system.randomBytes(32).toString("base64url"),
        );
        const { masked, sealed } = maps.seal(
          secretsOf({ channel_url, metadata }),
          before && { masked: secretsOf(before.doc), sealed: before.sealed },
          {
            isSameDestination: () => address === storedAddress,
            // The signing secret signs messages and is not sent in them.
            isSent: (path) => path.at(-1) !== "signing_secret",
            nameOf: ([section, ...path]) =>
              section === "address" ? "channel_url" : ["metadata", ...path].join("."),
          },
        );
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
        return { binding: doc, signingSecret: generated };
      });
    },
    async page(scope, request) {
      const { items, total, next } = await rows.listItems(scope, request);
      const bindings = await withCurrentNames(items.map(readBinding), environments);
      return { bindings, total, ...(next !== undefined && { next_cursor: next }) };
    },
    ofEnvironment: (environmentId) => all({ environmentId }),
    boundTo: async (alias) => (await all({})).find(({ automation_alias }) => automation_alias === alias),
    environmentsOf: (id) => rows.environmentsOf(id),
    find: async (environmentId, channelId) => (await rows.byKey(keyOf(environmentId, channelId)))?.doc,
    remove: (id, context) =>
      store.retryOnConflict(async () => {
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
    maskStored: (context) =>
      maskTable<ChatBinding>(
        store,
        "bindings",
        (doc, before) => {
          const { masked, sealed } = maps.reseal({ masked: secretsOf(doc), sealed: before });
          const { address, metadata } = shapeOf(masked);
          return { doc: { ...doc, channel_url: address.secret, metadata }, sealed };
        },
        context,
      ),
    async target(id) {
      const found = await rows.get(id);
      if (!found) return undefined;
      const { address, metadata } = decrypt(found);
      const { channel_id: channelId, environment_id: environmentId } = found.doc;
      return { channelId, environmentId, address: address.secret, metadata };
    },
  };

  function isSame(before: Stored<ChatBinding>, after: Pick<Stored<ChatBinding>, "doc" | "sealed">): boolean {
    const sameTime = { ...after.doc, updated_at: before.doc.updated_at };
    return (
      encodeJson(sameTime) === encodeJson(before.doc) &&
      encodeJson(decrypt(after)) === encodeJson(decrypt(before))
    );
  }
}

function readBinding(text: Text<ChatBinding>): ChatBinding {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a stored binding is not JSON");
  return ChatBinding.check(read.value, [], []);
}
