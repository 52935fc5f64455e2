# Writes the job's summary; a set-up that failed has said why itself.
set -u
options=(--artifact "$ARTIFACT")
if [ "$CERTIFY" = true ]; then
  options+=(--certification)
fi
if [ -n "$ASSISTANT" ] && [ -f "$OUT/check.json" ]; then
  "$ASSISTANT" ci summary "$OUT" "${options[@]}" >> "$GITHUB_STEP_SUMMARY"
fi
