#!/usr/bin/env bash
# Runs lock --check, lint and test on the models that MODELS names, one a line; all that can be said is said before it
# ends with the worst status.
set -uo pipefail
worst=0
note() { if [ "$1" -gt "$worst" ]; then worst=$1; fi; }
models=()
while IFS= read -r model; do
    if [ -n "$model" ]; then models+=("$model"); fi
done <<<"${MODELS:-}"
if [ ${#models[@]} -eq 0 ]; then
    while IFS= read -r -d '' model; do models+=("$model"); done < <(
        find . \( -name .build -o -name .git -o -name Pods -o -name Carthage \) -prune \
            -o -name '*.xcdatamodeld' -print0 | sort -z
    )
fi
if [ ${#models[@]} -eq 0 ]; then
    echo "::error::there is no model here; name some in 'models'"
    exit 66
fi
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
for model in "${models[@]}"; do
    # A model without a lock has shipped no version yet.
    if [ ! -e "$model.lock" ]; then continue; fi
    momtool lock "$model" --check --format github
    note $?
done
momtool lint "${models[@]}" --fail-on "${FAIL_ON:-warning}" --format github \
    --format sarif="${SARIF:-momtool.sarif}" --format markdown=momtool-summary.md
note $?
if [ -e momtool-summary.md ]; then cat momtool-summary.md >>"$summary" && rm momtool-summary.md; fi
if [ -n "${CASES:-}" ]; then
    momtool test "$CASES" --format github --format markdown=momtool-summary.md
    note $?
    if [ -e momtool-summary.md ]; then cat momtool-summary.md >>"$summary" && rm momtool-summary.md; fi
fi
exit "$worst"
