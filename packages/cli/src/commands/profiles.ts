import { shown, suggestion } from "@lakehelm/contract/text";
import { type ProfileFile, readProfiles, writeProfiles } from "../connection/profiles.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, write } from "../io.ts";
import { printValue } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";

export async function profiles(io: Io, name: string | undefined, globals: GlobalOptions): Promise<void> {
  const file = await readProfiles(io);
  if (name === undefined) {
    const shownProfiles = Object.entries(file.profiles).map(
      ([profile, { url, environment = null, credentials }]) => ({
        profile,
        current: profile === file.current,
        url,
        environment,
        credentials: credentials.kind,
      }),
    );
    return printValue(io, shownProfiles, outputOf(globals));
  }
  requireProfile(name, file);
  await writeProfiles(io.env, { ...file, current: name });
  await write(io.stdout, `Commands now use the profile "${name}".\n`);
}

export async function logout(io: Io, { profile }: GlobalOptions): Promise<void> {
  const file = await readProfiles(io);
  const name = profile ?? (io.env.LAKEHELM_PROFILE || file.current || "default");
  requireProfile(name, file);
  const { [name]: _removed, ...others } = file.profiles;
  const [next] = Object.keys(others);
  await writeProfiles(io.env, { current: file.current === name ? next : file.current, profiles: others });
  await write(
    io.stdout,
    `The profile "${name}" was removed from this computer. Its token was not revoked.\n`,
  );
}

function requireProfile(name: string, { profiles: known }: ProfileFile): void {
  if (Object.hasOwn(known, name)) return;
  throw new UsageError(`There is no profile ${shown(name)}.${suggestion(name, Object.keys(known))}`);
}
