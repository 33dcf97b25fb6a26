import { ApiError } from "@lakehelm/contract/client";
import { signal } from "@preact/signals";
import { signIn } from "./session.ts";

/** Why the sign-in link failed. */
export const linkProblem = signal<string | undefined>(undefined);
export const isStarting = signal(true);

/**
 * The sign-in link that the server prints at its start has a code in its fragment, which browsers do not send. The code
 * is removed from the address at once.
 */
export async function start(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    await signIn({ code }).catch((error) => {
      linkProblem.value = error instanceof ApiError ? error.detail : String(error);
    });
  }
  isStarting.value = false;
}
