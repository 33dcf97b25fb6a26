#!/bin/sh
# Deploys one automation to one environment, and tells Lakehelm all about it:
#
#   deploy.sh <environment> <folder with a definition.yaml>
#
# 1. validates the design (nothing is changed by that: a pull request can stop here, with --validate-only as third word)
# 2. announces a deployment   3. copies the folder's workspace/ files, its output streamed into the deployment's log
# 4. finishes the deployment  5. makes the release current
#
# LAKEHELM_URL, LAKEHELM_TOKEN: where, and as whom. GIT_BRANCH, GIT_COMMIT: what is deployed (default: what git says).
# Needs sh, curl, awk and sed.
set -eu

environment=${1:?which environment?}
folder=${2:?which folder?}
only=${3:-}
: "${LAKEHELM_URL:?is the address of Lakehelm}" "${LAKEHELM_TOKEN:?is a token of it}"
alias=$(basename "$folder")
branch=${GIT_BRANCH:-$(git rev-parse --abbrev-ref HEAD)}
commit=${GIT_COMMIT:-$(git rev-parse HEAD)}
attempt=ci-$commit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The token goes in by a file: what stands on a command line is seen by everybody on the machine.
umask 077
printf 'header = "Authorization: Bearer %s"\n' "$LAKEHELM_TOKEN" > "$scratch/curl"

# call <method> <path> [more of curl]: prints the answer; an error's sentence goes to stderr.
call() {
  method=$1 path=$2
  shift 2
  status=$(curl --silent --show-error --config "$scratch/curl" --retry 5 --retry-all-errors \
    --request "$method" --output "$scratch/answer" --write-out '%{http_code}' "$@" "$LAKEHELM_URL$path") || return 1
  case $status in
    2*) cat "$scratch/answer" ;;
    *) echo "$method $path: $status $(cat "$scratch/answer")" >&2; return 1 ;;
  esac
}

send() { # send <method> <path> <JSON> [more of curl]
  method=$1 path=$2 json=$3
  shift 3
  call "$method" "$path" --header 'Content-Type: application/json' --data-binary "$json" "$@"
}

# text: what comes in, as one JSON string, each of its lines with its end
text() {
  awk 'BEGIN { ORS = ""; print "\""; for (i = 1; i < 32; i++) code[sprintf("%c", i)] = sprintf("\\u%04x", i) }
    { for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        print (c == "\\" || c == "\"" ? "\\" c : c in code ? code[c] : c)
      }
      print "\\n" }
    END { print "\"" }'
}

# word <text>: the same for one line, without its end
word() { printf '%s\n' "$1" | text | sed 's/\\n"$/"/'; }

# field <name>: the first text of this name in what comes in
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }

# encoded <path>: as it stands in an address; slashes stay
encoded() {
  printf '%s\n' "$1" | LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
    { for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        printf (c ~ /[A-Za-z0-9._~\/-]/ ? c : sprintf("%%%%%02X", code[c]))
      } }'
}

deployment=
finish() { # finish <status> [why]
  [ -n "$deployment" ] || return 0
  why=null
  [ $# -lt 2 ] || why=$(printf '%s\n' "$2" | text)
  send POST "/api/v1/deployments/$deployment/finish" "{\"status\":\"$1\",\"error_message\":$why}" > /dev/null
  deployment=
}

cancel() {
  : > "$scratch/cancelled"
  wait
  finish cancelled "The workflow was cancelled." || true
  exit 130
}
trap cancel INT TERM

# tell <line>: to stdout, and to the log of the deployment
tell() {
  echo "$1"
  send POST "/api/v1/deployments/$deployment/log" "{\"log_chunk\":$(printf '%s\n' "$1" | text)}" > /dev/null
}

copy_workspace() {
  [ -d "$folder/workspace" ] || return 0
  (cd "$folder/workspace" && find . -type f | sed 's|^\./||' | sort) > "$scratch/files"
  while IFS= read -r file; do
    [ ! -e "$scratch/cancelled" ] || return 1
    call PUT "/api/v1/files/$(encoded "$file")" --header "X-Environment-Id: $environment" \
      --data-binary "@$folder/workspace/$file" > /dev/null || return 1
    tell "copied $file" || return 1
  done < "$scratch/files"
}

echo "== validate $alias"
send POST /api/automations "{\"alias\":$(word "$alias")}" > /dev/null 2> "$scratch/taken" || grep -q ': 409 ' "$scratch/taken" || {
  cat "$scratch/taken" >&2
  exit 1
}
call PUT "/api/automations/$alias/attempts/$attempt" --header 'Content-Type: application/yaml' \
  --data-binary "@$folder/definition.yaml" > /dev/null
send POST "/api/automations/$alias/validate-artifacts" "{\"attempt_id\":\"$attempt\"}" \
  --header "X-Environment-Id: $environment" > "$scratch/verdict"
if ! grep -q '"success":true' "$scratch/verdict"; then
  echo "$alias is not sound:" >&2
  sed 's/.*"validation_errors":\[\(.*\)\],"files_to_commit".*/\1/; s/","/"\n"/g' "$scratch/verdict" >&2
  exit 1
fi
echo "sound: $(field design_content_hash < "$scratch/verdict")"
[ "$only" != --validate-only ] || exit 0

echo "== deploy to $environment"
# The key makes a request that has to be sent twice announce one deployment.
send POST /api/v1/deployments/ \
  "{\"deployment_name\":$(word "deploy $alias $commit"),\"git_branch\":$(word "$branch"),\"git_commit_sha\":\"$commit\"}" \
  --header "X-Environment-Id: $environment" \
  --header "Idempotency-Key: ${CI_RUN_ID:-$$-$(date +%s)}-$alias-$environment" > "$scratch/deployment"
deployment=$(field id < "$scratch/deployment")
id=$deployment
send POST "/api/v1/deployments/$id/start" '{}' > /dev/null
# In the background, so that a signal is heard at once.
copy_workspace 2> "$scratch/complaint" &
if ! wait $!; then
  cat "$scratch/complaint" >&2
  finish failed "$(tail -n 5 "$scratch/complaint")"
  exit 1
fi
finish succeeded

echo "== release"
metadata="{\"version\":\"$commit\",\"git_branch\":$(word "$branch"),\"git_commit_sha\":\"$commit\",\"attempt_id\":\"$attempt\"}"
send POST /api/automations/sync-release \
  "{\"automation_alias\":$(word "$alias"),\"environment\":$(word "$environment"),\"action\":\"activate\",\"metadata\":$metadata}" \
  > "$scratch/release"
field message < "$scratch/release"
