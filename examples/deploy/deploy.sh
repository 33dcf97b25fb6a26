#!/bin/sh
# Deploys one automation to one environment and records the deployment in Lakehelm:
#
#   deploy.sh <environment> <folder with a definition.yaml> [--validate-only]
#
# 1. validates the design. This deploys nothing; with --validate-only, for pull requests, the script stops here
# 2. creates and starts a deployment
# 3. copies the files in workspace/ and streams its output to the deployment's log
# 4. finishes the deployment
# 5. activates the release
#
# LAKEHELM_URL and LAKEHELM_TOKEN are the server and the token. GIT_BRANCH and GIT_COMMIT are what you deploy (default: from
# git). CI_RUN_ID identifies the CI run: requests that are sent again create no second deployment.
# Needs sh, curl, awk and sed.
set -eu

environment=${1:?name an environment}
folder=${2:?name a folder}
only=${3:-}
: "${LAKEHELM_URL:?must be the address of Lakehelm}" "${LAKEHELM_TOKEN:?must be a token for it}"
alias=$(basename "$folder")
branch=${GIT_BRANCH:-$(git rev-parse --abbrev-ref HEAD)}
commit=${GIT_COMMIT:-$(git rev-parse HEAD)}
attempt=ci-$commit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Pass the token in a file: every user of the machine can see command lines.
umask 077
printf 'header = "Authorization: Bearer %s"\n' "$LAKEHELM_TOKEN" > "$scratch/curl"

# call <method> <path> [curl options]: prints the response; errors go to stderr
call() {
  method=$1 path=$2
  shift 2
  status=$(curl --silent --show-error --config "$scratch/curl" --retry 5 --retry-all-errors \
    --request "$method" --output "$scratch/response" --write-out '%{http_code}' "$@" "$LAKEHELM_URL$path") || return 1
  case $status in
    2*) cat "$scratch/response" ;;
    *) echo "$method $path: $status $(cat "$scratch/response")" >&2; return 1 ;;
  esac
}

send() { # send <method> <path> <JSON> [curl options]
  method=$1 path=$2 json=$3
  shift 3
  call "$method" "$path" --header 'Content-Type: application/json' --data-binary "$json" "$@"
}

# json_text: stdin as one JSON string, with a line feed after each line
json_text() {
  awk 'BEGIN { ORS = ""; print "\""; for (i = 1; i < 32; i++) code[sprintf("%c", i)] = sprintf("\\u%04x", i) }
    { for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        print (c == "\\" || c == "\"" ? "\\" c : c in code ? code[c] : c)
      }
      print "\\n" }
    END { print "\"" }'
}

# json_word <text>: one line as a JSON string, without a line feed
json_word() { printf '%s\n' "$1" | json_text | sed 's/\\n"$/"/'; }

# field <name>: the first JSON string with this name in stdin
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }

# url_path <path>: percent-encoded except for slashes
url_path() {
  printf '%s\n' "$1" | LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
    { for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        printf (c ~ /[A-Za-z0-9._~\/-]/ ? c : sprintf("%%%%%02X", code[c]))
      } }'
}

deployment=
finish() { # finish <status> [reason]
  [ -n "$deployment" ] || return 0
  reason=null
  [ $# -lt 2 ] || reason=$(printf '%s\n' "$2" | json_text)
  send POST "/api/v1/deployments/$deployment/finish" "{\"status\":\"$1\",\"error_message\":$reason}" > /dev/null
  deployment=
}

cancel() {
  : > "$scratch/cancelled"
  wait
  finish cancelled "The workflow was cancelled." || true
  exit 130
}
trap cancel INT TERM

# log <line>: to stdout and to the deployment's log
log() {
  echo "$1"
  send POST "/api/v1/deployments/$deployment/log" "{\"log_chunk\":$(printf '%s\n' "$1" | json_text)}" > /dev/null
}

copy_workspace() {
  [ -d "$folder/workspace" ] || return 0
  (cd "$folder/workspace" && find . -type f | sed 's|^\./||' | sort) > "$scratch/files"
  while IFS= read -r file; do
    [ ! -e "$scratch/cancelled" ] || return 1
    call PUT "/api/v1/files/$(url_path "$file")" --header "X-Environment-Id: $environment" \
      --data-binary "@$folder/workspace/$file" > /dev/null || return 1
    log "copied $file" || return 1
  done < "$scratch/files"
}

echo "== validate $alias"
send POST /api/automations "{\"alias\":$(json_word "$alias")}" > /dev/null 2> "$scratch/exists" || grep -q ': 409 ' "$scratch/exists" || {
  cat "$scratch/exists" >&2
  exit 1
}
call PUT "/api/automations/$alias/attempts/$attempt" --header 'Content-Type: application/yaml' \
  --data-binary "@$folder/definition.yaml" > /dev/null
send POST "/api/automations/$alias/validate-artifacts" "{\"attempt_id\":\"$attempt\"}" \
  --header "X-Environment-Id: $environment" > "$scratch/result"
if ! grep -q '"success":true' "$scratch/result"; then
  echo "The design of $alias is not valid:" >&2
  sed 's/.*"validation_errors":\[\(.*\)\],"files_to_commit".*/\1/; s/","/"\n"/g' "$scratch/result" >&2
  exit 1
fi
echo "valid: $(field design_content_hash < "$scratch/result")"
[ "$only" != --validate-only ] || exit 0

echo "== deploy to $environment"
# With the key, a request that is sent again creates no second deployment.
send POST /api/v1/deployments/ \
  "{\"deployment_name\":$(json_word "deploy $alias $commit"),\"git_branch\":$(json_word "$branch"),\"git_commit_sha\":\"$commit\"}" \
  --header "X-Environment-Id: $environment" \
  --header "Idempotency-Key: ${CI_RUN_ID:-$$-$(date +%s)}-$alias-$environment" > "$scratch/deployment"
deployment=$(field id < "$scratch/deployment")
id=$deployment
send POST "/api/v1/deployments/$id/start" '{}' > /dev/null
# In the background, so that the trap handles a signal at once.
copy_workspace 2> "$scratch/errors" &
if ! wait $!; then
  cat "$scratch/errors" >&2
  finish failed "$(tail -n 5 "$scratch/errors")"
  exit 1
fi
finish succeeded

echo "== release"
metadata="{\"version\":\"$commit\",\"git_branch\":$(json_word "$branch"),\"git_commit_sha\":\"$commit\",\"attempt_id\":\"$attempt\"}"
send POST /api/automations/sync-release \
  "{\"automation_alias\":$(json_word "$alias"),\"environment\":$(json_word "$environment"),\"action\":\"activate\",\"metadata\":$metadata}" \
  > "$scratch/release"
field message < "$scratch/release"
