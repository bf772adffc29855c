#!/usr/bin/env bash
# Puts FILE into one comment of the pull request: the one that an earlier run of the same job made for the same PATHS, else a
# new one, if the file has something to say. Needs curl and jq.
set -euo pipefail
file=$1
number=$(jq -r '.pull_request.number // empty' "${GITHUB_EVENT_PATH:-/dev/null}" 2>/dev/null || true)
if [ -z "$number" ]; then echo "no pull request: nothing to comment on"; exit 0; fi
issues=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The token stands in no list of processes.
(umask 077 && printf 'Authorization: Bearer %s\nAccept: application/vnd.github+json\n' "$GITHUB_TOKEN" >"$work/headers")
ask() { curl -fsS --max-time 60 -H @"$work/headers" "$@"; }
give_up() {
    echo "::warning title=momtool::the comment was not written: give the job 'permissions: {pull-requests: write}';" \
        "a pull request from a fork has no right to it"
    exit 0
}

# Each job has a comment of its own, told by its mark.
key=$(printf '%s\n' "${GITHUB_WORKFLOW:-}" "${GITHUB_JOB:-}" "${PATHS:-}" | cksum | cut -d ' ' -f 1)
mark="<!-- momtool $key -->"
# Whose token it is: that of a job may not ask, and comments as a bot.
me=$(ask "$GITHUB_API_URL/user" 2>/dev/null | jq -r '.login // empty' 2>/dev/null || true)

id='' page=1
while [ -z "$id" ]; do
    ask "$issues/$number/comments?per_page=100&page=$page" >"$work/page" || give_up
    id=$(jq -r --arg mark "$mark" --arg me "$me" '[.[] | select(.body // "" | startswith($mark))
        | select(if $me == "" then .user.type == "Bot" else .user.login == $me end)][0].id // empty' "$work/page")
    if [ "$(jq length "$work/page")" -lt 100 ]; then break; fi
    page=$((page + 1))
done
if [ -z "$id" ] && grep -q '^<!-- momtool: nothing -->$' "$file"; then
    echo "nothing changed and nothing was found: no comment"
    exit 0
fi
jq -n --rawfile body "$file" --arg mark "$mark" '{body: ($body | sub("^<!-- momtool -->"; $mark))}' >"$work/body"
if [ -n "$id" ]; then
    ask -X PATCH --data @"$work/body" "$issues/comments/$id" >/dev/null || give_up
    echo "updated comment $id"
else
    ask -X POST --data @"$work/body" "$issues/$number/comments" >/dev/null || give_up
    echo "wrote a comment"
fi
