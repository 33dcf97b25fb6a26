import { ApiError } from "@lakehelm/contract/client";
import type { VNode } from "preact";

/** The server's error message, with the locations of invalid values and the id of the request. */
export function ErrorBox({ error, retry }: { error: Error; retry?: (() => void) | undefined }): VNode {
  const { entries, requestId, status } =
    error instanceof ApiError ? error : { entries: [], requestId: undefined, status: undefined };
  return (
    <div class="error-box" role="alert">
      {entries.length === 0 ? (
        <strong>{error.message}</strong>
      ) : (
        <ul>
          {entries.map(({ loc, msg }) => (
            <li key={`${loc.join(".")} ${msg}`}>
              <code>{loc.slice(1).join(".") || loc.join(".")}</code>: {msg}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <p class="request">
          {status && `Status ${status}. `}Request <code>{requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
