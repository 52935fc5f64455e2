# Writes the job's summary; a set-up that failed has said why itself.
set -u
if [ -n "$ASSISTANT" ] && [ -f "$OUT/check.json" ]; then
  "$ASSISTANT" ci summary "$OUT" --artifact "$ARTIFACT" >> "$GITHUB_STEP_SUMMARY"
fi
