#!/usr/bin/env bash
# Says to the steps behind it whether code scanning takes reports here: not where the repository has none, nor from a token
# without the right. Either is a warning, as the report is also in the log and in the comment.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The token stands in no list of processes.
(umask 077 && printf 'Authorization: Bearer %s\nAccept: application/vnd.github+json\n' "$GITHUB_TOKEN" >"$work/headers")
alerts="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/code-scanning/alerts?per_page=1"
status=$(curl -sS --max-time 60 -o "$work/said" -w '%{http_code}' -H @"$work/headers" "$alerts" || true)
possible=true
# A repository that never had a report answers 404.
if [ "$status" = 401 ] || [ "$status" = 403 ]; then
    possible=false
    echo "::warning title=momtool::nothing was uploaded to code scanning: give the job" \
        "'permissions: {contents: read, security-events: write}'; a private repository also needs GitHub Code Security;" \
        "'upload: false' in the action's 'with' ends this warning"
fi
echo "possible=$possible" >>"$GITHUB_OUTPUT"
