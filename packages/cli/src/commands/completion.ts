import { suggestion } from "@lakehelm/contract/text";
import { type Io, write } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Each script asks the command itself, so that it never gets old. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_lakehelm() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(lakehelm __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lakehelm lakehelm
`,
  zsh: `#compdef lakehelm
_lakehelm() {
  local -a found
  local line
  while IFS=$'\\t' read -r name about; do
    found+=("\${name//:/\\\\:}:$about")
  done < <(lakehelm __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)
  if (( \${#found} )); then _describe lakehelm found; else _files; fi
}
if [ "$funcstack[1]" = "_lakehelm" ]; then _lakehelm; else compdef _lakehelm lakehelm; fi
`,
  fish: `complete -c lakehelm -f -a '(lakehelm __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c lakehelm -s f -l file -rF
complete -c lakehelm -l to -rF
complete -c lakehelm -l token-file -rF
`,
};

export async function completion(io: Io, shell: string): Promise<void> {
  const script = scripts[shell];
  const known = Object.keys(scripts);
  if (script === undefined) {
    throw new UsageError(`Unknown shell "${shell}".${suggestion(shell, known)} Shells: ${known.join(", ")}.`);
  }
  await write(io.stdout, script);
}
