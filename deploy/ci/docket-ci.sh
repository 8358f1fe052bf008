#!/usr/bin/env bash
# Runs a prompt on a pull request (GitHub) or merge request (GitLab), as docs/ci.md describes. All that it takes comes
# from variables. It ends with the exit code of `docket run`.
set -euo pipefail

# A prompt with its files is one request of at most 2 MiB.
max_diff=1500000

fail() {
  printf 'docket-ci: %s\n' "$1" >&2
  exit 2
}

# Prints a value of the event that GitHub stores as a file; nothing where it has none.
github_event() {
  node -e '
    const event = JSON.parse(require("node:fs").readFileSync(process.env.GITHUB_EVENT_PATH, "utf8"))
    const value = process.argv[1].split(".").reduce((at, key) => at?.[key], event)
    if (value !== undefined && value !== null) process.stdout.write(String(value))' "$1"
}

# Sets `base`, the commit that the change is compared with, and `foreign`, whether it comes from another repository.
read_change() {
  foreign=yes
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    base=$(github_event pull_request.base.sha)
    local head_repository own_repository
    # A fork that was removed since has no repository.
    head_repository=$(github_event pull_request.head.repo.id)
    own_repository=$(github_event pull_request.base.repo.id)
    if [ -n "$head_repository" ] && [ "$head_repository" = "$own_repository" ]; then foreign=no; fi
  elif [ "${GITLAB_CI:-}" = true ]; then
    base=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}
    local source=${CI_MERGE_REQUEST_SOURCE_PROJECT_ID:-}
    if [ -n "$source" ] && [ "$source" = "${CI_MERGE_REQUEST_PROJECT_ID:-}" ]; then foreign=no; fi
  else
    fail 'this is neither GitHub Actions nor GitLab CI'
  fi
  [ -n "$base" ] || fail 'this job has no pull or merge request: run it for these events only'
  [[ $base =~ ^[0-9a-f]{40,64}$ ]] || fail 'the base of the request is no commit'
}

# Makes the directory for what is left. One that is in the checkout already may lead anywhere.
make_out() {
  if [ -z "${DOCKET_OUT:-}" ] && [ -n "${RUNNER_TEMP:-}" ]; then
    out=$(mktemp -d "$RUNNER_TEMP/docket.XXXXXX")
  else
    out=${DOCKET_OUT:-docket-out}
    mkdir -- "$out" 2>/dev/null || fail "$out cannot be made: it is there already, or what it lies in is not. Name another with DOCKET_OUT"
  fi
}

write_prompt() {
  if [ -n "${DOCKET_PROMPT_FILE:-}" ] && [ "$foreign" = yes ]; then
    # As it is without the change: strangers could make it a link to what only the job may read.
    git show "$base:$DOCKET_PROMPT_FILE" >"$out/prompt.md" || fail "the target branch has no $DOCKET_PROMPT_FILE"
  elif [ -n "${DOCKET_PROMPT_FILE:-}" ]; then
    cat -- "$DOCKET_PROMPT_FILE" >"$out/prompt.md"
  else
    printf '%s\n' "${DOCKET_PROMPT:-}" >"$out/prompt.md"
  fi
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false diff --no-ext-diff --no-textconv "$base...HEAD" >"$out/change.diff" ||
    fail 'the base of the request is not in this checkout: fetch the whole history (fetch-depth: 0, GIT_DEPTH: 0)'
  if [ "$(wc -c <"$out/change.diff")" -gt "$max_diff" ]; then
    head -c "$max_diff" "$out/change.diff" >"$out/cut.diff"
    mv "$out/cut.diff" "$out/change.diff"
    printf '\n(The attached diff is cut at %s bytes.)\n' "$max_diff" >>"$out/prompt.md"
  fi
}

# A home of this job alone: settings come from DOCKET_CONFIG, and nothing that the machine has.
make_home() {
  home=$(mktemp -d)
  # What runs may still write there.
  trap 'if [ -n "${service:-}" ] && kill "$service" 2>/dev/null; then wait "$service" || true; fi; rm -rf "$home"' EXIT
  mkdir -p "$home/.config/docket"
  if [ -n "${DOCKET_CONFIG:-}" ]; then printf '%s' "$DOCKET_CONFIG" >"$home/.config/docket/docket.json"; fi
}

# A job of GitLab has its token in the address of the remote; one of GitHub can do without.
drop_credentials() {
  local address config
  address=$(git config --local --get remote.origin.url || true)
  if [[ $address == *://*@* ]]; then git remote set-url origin "${address%%://*}://${address#*@}"; fi
  # Submodules have settings of their own.
  while IFS= read -r -d '' config; do
    if git config --file "$config" --list | grep -qiE "$holds_credentials"; then
      fail 'the checkout of a fork holds credentials: check out with persist-credentials: false'
    fi
  done < <(find "$(git rev-parse --absolute-git-dir)" -type f \( -name config -o -name config.worktree \) -print0)
}
# Headers, helpers, other files with settings, and addresses with a name or token.
holds_credentials='^(http\.(.*\.)?extraheader|include\.|includeif\.|credential\.)|https?://[^/=[:space:]]*@'

run_on_server() {
  set -- --server "$DOCKET_SERVER" "$@"
  if [ -n "${DOCKET_PROJECT:-}" ]; then set -- --project "$DOCKET_PROJECT" "$@"; fi
  docket run "$@" <"$out/prompt.md" >"$out/run.jsonl" || code=$?
  link=$(result url)
}

# Starts a service for this job by the command in `docket`, runs the prompt there, and exports the session.
run_here() {
  local data hello session
  data=$home/data
  hello=$home/hello
  "${docket[@]}" serve --no-web --json --port 0 --data "$data" --project "$PWD" >"$hello" 2>"$home/log" &
  service=$!
  until grep -q '"url"' "$hello"; do
    kill -0 "$service" 2>/dev/null || fail "no service started: $(tail -n 1 "$home/log")"
    sleep 0.1
  done
  "${docket[@]}" run --data "$data" "$@" <"$out/prompt.md" >"$out/run.jsonl" || code=$?
  session=$(result sessionID)
  if [ -n "$session" ]; then
    "${docket[@]}" export "$session" --data "$data" --sanitize --out "$out/session.json"
    "${docket[@]}" export "$session" --data "$data" --sanitize --format markdown --out "$out/session.md"
  fi
}

# Prints a field of the last line of the run: a text, else nothing.
result() {
  node -e '
    const lines = require("node:fs").readFileSync(process.argv[1], "utf8").trim().split("\n")
    const value = JSON.parse(lines.at(-1) || "{}")[process.argv[2]]
    if (typeof value === "string") process.stdout.write(value)' "$out/run.jsonl" "$1"
}

# Leaves the link, the outcome and the answer where the CI shows them. Only what Docket itself says goes where lines count.
leave_results() {
  local outcome
  outcome=$(result outcome)
  result text >"$out/answer.md"
  [[ $link =~ ^https?://[^[:space:]]+$ ]] || link=
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    printf 'link=%s\noutcome=%s\nexit-code=%s\ndirectory=%s\n' "$link" "${outcome:-none}" "$code" "$out" >>"$GITHUB_OUTPUT"
    { if [ -n "$link" ]; then printf '[The session on the desk](%s)\n\n' "$link"; fi; cat "$out/answer.md"; } >>"$GITHUB_STEP_SUMMARY"
  else
    printf 'DOCKET_LINK=%s\nDOCKET_OUTCOME=%s\nDOCKET_EXIT_CODE=%s\n' "$link" "${outcome:-none}" "$code" >"$out/docket.env"
  fi
  printf 'docket-ci: %s%s\n' "${outcome:-no result}" "${link:+, see $link}"
}

# GitHub reads commands from lines of the log. What an agent writes there must not be one.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  silence=$(node -e 'process.stdout.write(require("node:crypto").randomUUID())')
  printf '::stop-commands::%s\n' "$silence"
fi

read_change
make_out
: >"$out/run.jsonl"
write_prompt
make_home
code=0
link=
set -- --format json --permission "${DOCKET_PERMISSION:-deny}" --file "$out/change.diff"
if [ -n "${DOCKET_AGENT:-}" ]; then set -- --agent "$DOCKET_AGENT" "$@"; fi
if [ -n "${DOCKET_MODEL:-}" ]; then set -- --model "$DOCKET_MODEL" "$@"; fi
if [ "$foreign" = yes ]; then
  drop_credentials
  printf 'docket-ci: the change comes from another repository: read-only, and without secrets\n'
  # No variable of the job but where programs are.
  docket=(env -i PATH="$PATH" HOME="$home" LANG="${LANG:-C.UTF-8}" CI=true docket)
  run_here "$@" --preset plan --permission deny
elif [ -n "${DOCKET_SERVER:-}" ]; then
  [ -n "${DOCKET_KEY:-}" ] || fail 'DOCKET_SERVER needs a key of it in DOCKET_KEY'
  run_on_server "$@"
else
  # With the variables of the job: among them are keys of models.
  docket=(env HOME="$home" docket)
  run_here "$@"
fi
if [ -n "${silence:-}" ]; then printf '::%s::\n' "$silence"; fi
leave_results
exit "$code"
