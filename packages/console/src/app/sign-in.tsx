import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorBox } from "../ui/error-box.tsx";
import { Field } from "../ui/field.tsx";
import { Logo } from "../ui/icons.tsx";
import { queryClient, useAction } from "./queries.ts";
import { type Credentials, hasEnded, session, signIn, signOut } from "./session.ts";
import { linkProblem } from "./start.ts";

export function SignInPage(): VNode {
  return (
    <main class="sign-in">
      <SignInForm heading={<h1>Sign in to Lakehelm</h1>} />
    </main>
  );
}

/** Covers the page that was shown when the token expired. The page keeps its state. */
export function SignInAgain(): VNode | null {
  if (!hasEnded.value) return null;
  return (
    <Dialog title="Your session has ended" onClose={signOut}>
      <p class="soft">Sign in again to continue where you were.</p>
      <SignInForm username={session.value?.name} />
    </Dialog>
  );
}

function SignInForm({ heading, username = "" }: { heading?: VNode; username?: string | undefined }): VNode {
  const [way, setWay] = useState<"password" | "token">("password");
  const [user, setUser] = useState(username === "internal-service" ? "" : username);
  const [secret, setSecret] = useState("");
  const { run, error, isRunning, clear } = useAction(async () => {
    const isAgain = hasEnded.value;
    const credentials: Credentials =
      way === "password" ? { username: user, password: secret } : { token: secret };
    await signIn(credentials);
    linkProblem.value = undefined;
    if (isAgain) void queryClient.invalidateQueries();
  });
  const other = way === "password" ? "token" : "password";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {heading && (
        <div class="row">
          <Logo />
          {heading}
        </div>
      )}
      {linkProblem.value && !error && (
        <p class="error-box" role="alert">
          {linkProblem.value}
        </p>
      )}
      {way === "password" && (
        <Field label="User" value={user} onInput={setUser} autocomplete="username" required error={error} />
      )}
      <Field
        label={way === "password" ? "Password" : "Token"}
        type="password"
        value={secret}
        onInput={setSecret}
        autocomplete={way === "password" ? "current-password" : "off"}
        hint={way === "token" ? "A personal access token, or the service token of the server." : undefined}
        required
        error={error}
      />
      {error && <ErrorBox error={error} />}
      <Button kind="primary" type="submit" isBusy={isRunning}>
        Sign in
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          setWay(other);
          setSecret("");
          clear();
        }}
      >
        Use a {other} instead
      </Button>
    </form>
  );
}
