import type { EndpointBody, EndpointResponse, endpoints, Token } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import type { JoinedPage } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { PersonalTokens } from "./personal-token.ts";
import type { IdentityStore } from "./store.ts";
import type { TokenCache } from "./token-cache.ts";
import { noUser } from "./users.ts";

/** Later dates have no RFC 3339 form. */
const endOfTime = Date.UTC(9999, 11, 31);

/** The personal access tokens of the embedded workspace, managed by admins. */
export interface Tokens {
  create(
    userId: string,
    request: EndpointBody<typeof endpoints.createToken>,
    context: ChangeContext,
  ): Promise<EndpointResponse<typeof endpoints.createToken>>;
  page(userId: string, request: ListRequest): Promise<JoinedPage<Token>>;
  revoke(userId: string, tokenId: string, context: ChangeContext): Promise<void>;
}

export function createTokens(
  { store, system }: Dependencies,
  { users, tokens, holdUser }: IdentityStore,
  personal: PersonalTokens,
  cache: TokenCache,
): Tokens {
  async function userOf(id: string) {
    const user = await users.get(id);
    if (!user) throw noUser();
    return user;
  }

  return {
    async create(userId, { comment, lifetime_seconds: lifetime }, context) {
      const { doc: user } = await userOf(userId);
      const id = system.newId();
      const token = personal.make();
      const details: Token = {
        id,
        username: user.username,
        comment,
        created_at: context.time,
        expires_at: expiry(new Date(context.time), lifetime),
        created_by: context.actor,
      };
      const row = {
        id,
        key: personal.key(token),
        doc: details,
        environmentId: null,
        owner: userId,
        state: null,
        sealed: null,
      };
      const steps = [{ ...holdUser(userId), refused: { missed: noUser } }, ...tokens.insert(row)];
      const events = [{ kind: "token.created", subject: `token/${id}`, data: { ...details } }];
      await store.retryOnConflict(() => store.apply({ context, steps, events }));
      return { token, details };
    },

    async page(userId, request) {
      await userOf(userId);
      return tokens.list({ owner: userId }, request);
    },

    revoke: (userId, tokenId, context) =>
      store.retryOnConflict(async () => {
        const token = await tokens.get(tokenId);
        if (token?.owner !== userId) throw notFound("This user has no such token.");
        const events = [{ kind: "token.revoked", subject: `token/${tokenId}`, data: { ...token.doc } }];
        await store.apply({ context, steps: tokens.remove(token), events });
        cache.forgetToken(tokenId);
      }),
  };
}

function expiry(from: Date, lifetime: number | null | undefined): string | null {
  if (lifetime === null || lifetime === undefined) return null;
  // The contract accepts integers of any size, and passes a bigint for those beyond 2^53.
  const at = from.getTime() + Number(lifetime) * 1000;
  if (at > endOfTime) throw conflict("lifetime_seconds goes beyond the year 9999.");
  return new Date(at).toISOString();
}
