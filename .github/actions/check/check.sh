#!/usr/bin/env bash
# Runs momtool check on the paths that PATHS names, one a line, and adds the table to the summary of the job.
set -uo pipefail
paths=()
while IFS= read -r path; do
    if [ -n "$path" ]; then paths+=("$path"); fi
done <<<"${PATHS:-}"
words=()
if [ -n "${AGAINST:-}" ]; then words+=(--against "$AGAINST"); fi
if [ "${RELEASE:-false}" = true ]; then words+=(--release); fi
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
momtool check ${paths[@]+"${paths[@]}"} ${words[@]+"${words[@]}"} --fail-on "${FAIL_ON:-warning}" --format github \
    --format sarif="${SARIF:-momtool.sarif}" --format markdown=momtool-summary.md
status=$?
if [ -e momtool-summary.md ]; then cat momtool-summary.md >>"$summary" && rm momtool-summary.md; fi
if [ "$status" -eq 66 ]; then echo "::error::there is nothing to check here; name folders or models in 'paths'"; fi
exit "$status"
