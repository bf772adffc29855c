#!/usr/bin/env bash
# Runs momtool check on the paths that PATHS names, one a line, and adds the table to the summary of the job.
set -uo pipefail
paths=()
while IFS= read -r path; do
    if [ -n "$path" ]; then paths+=("$path"); fi
done <<<"${PATHS:-}"
words=()
against=${AGAINST:-}
# A pull request is compared with the branch that it goes to, if the checkout has it.
if [ -z "$against" ] && [ -n "${GITHUB_BASE_REF:-}" ] \
    && git rev-parse -q --verify "origin/$GITHUB_BASE_REF^{commit}" >/dev/null; then
    against=origin/$GITHUB_BASE_REF
fi
if [ -n "$against" ] && ! git rev-parse -q --verify "$against^{commit}" >/dev/null \
    && [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    echo "::error title=momtool::the checkout has no '$against': give actions/checkout 'fetch-depth: 0'"
    exit 66
fi
missing=''
if [ -z "$against" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    missing="nothing is compared with '$GITHUB_BASE_REF': the checkout lacks it; give actions/checkout 'fetch-depth: 0'"
    echo "::warning title=momtool::${missing//%/%25}"
fi
if [ -n "$against" ]; then words+=(--against "$against"); fi
if [ "${RELEASE:-false}" = true ]; then words+=(--release); fi
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
momtool check ${paths[@]+"${paths[@]}"} ${words[@]+"${words[@]}"} --fail-on "${FAIL_ON:-warning}" --format github \
    --format sarif="${SARIF:-momtool.sarif}" --comment momtool-comment.md
status=$?
# The comment then shows another step than that of the pull request, which its readers must know.
if [ -n "$missing" ] && [ -e momtool-comment.md ]; then
    {
        head -n 1 momtool-comment.md
        printf '\n> [!WARNING]\n> %s. What changed is told from the version before the current one.\n\n' "$missing"
        tail -n +2 momtool-comment.md
    } >momtool-comment.new && mv momtool-comment.new momtool-comment.md
fi
if [ -e momtool-comment.md ]; then cat momtool-comment.md >>"$summary"; fi
if [ "$status" -eq 66 ]; then echo "::error::there is nothing to check here; name folders or models in 'paths'"; fi
exit "$status"
