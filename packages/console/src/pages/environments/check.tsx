import type { Environment, EnvironmentCheck } from "@lakehelm/contract";
import { heldRole } from "@lakehelm/contract/text";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { place, setQuery } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";

/** Checks with the platform what works in the environment. */
export function Check({ environment }: { environment: Environment }): VNode {
  const [found, setFound] = useState<{ check: EnvironmentCheck; at: string } | undefined>();
  const action = useAction(async () => {
    const check = await api.checkEnvironment({ params: { environment_id: environment.id } });
    setFound({ check, at: new Date().toISOString() });
  });
  const why = whyNotCheck(environment);
  const isWanted = place.value.query.get("check") === "now";
  // The user has just saved the environment, so it is checked at once.
  useEffect(() => {
    if (!isWanted) return;
    setQuery({ check: undefined });
    if (why === undefined) void action.run();
  }, [isWanted]);
  return (
    <Card
      title="Does it work?"
      isFlush
      actions={
        <>
          {found && (
            <>
              <Status value={found.check.ok ? "ok" : "failed"} />
              <span class="faint">
                <Time at={found.at} />
              </span>
            </>
          )}
          <Button onClick={() => void action.run()} isBusy={action.isRunning} whyNot={why}>
            <Icon name="check" />
            {action.isRunning ? "Checking…" : "Check"}
          </Button>
        </>
      }
    >
      {action.error && <ErrorBox error={action.error} />}
      {!found && !action.error && (
        <p class="body soft">
          The check asks the platform whether it can be reached, who Lakehelm is there and what it may do. It
          changes nothing.
        </p>
      )}
      {found && (
        <ul class="items">
          {found.check.findings.map(({ name, status, message, action: advice }) => (
            <li key={name} class="check-finding">
              <Status value={status} />
              <div class="grow">
                <strong>{name.replaceAll("_", " ")}</strong> <span class="soft">{message}</span>
                {advice && <p>{advice}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

// A check changes nothing, so it is allowed in a protected environment.
function whyNotCheck({ id, name }: Environment): string | undefined {
  const role = session.value?.environments.find((one) => one.id === id)?.role ?? session.value?.role;
  if (role === "operator" || role === "admin") return undefined;
  return `This requires the role operator in the environment ${name}. ${session.value?.name} has ${heldRole(role)} there. Ask one of its admins for it.`;
}
