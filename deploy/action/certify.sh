# Runs the app with simulated robots. Also writes what is attested about the verdict.
set -u
code=0
# Options are words, so they are split.
# shellcheck disable=SC2086
"$ASSISTANT" certify "$APP" --out "$OUT" --annotations $OPTIONS || code=$?
case "$code" in
  0) verdict=conformant ;;
  1 | 4) verdict=not-conformant ;;
  5) verdict=inconclusive ;;
  *) verdict=error ;;
esac
echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
if [ -f "$OUT/verdict.json" ]; then
  "$ASSISTANT" ci attestation "$OUT" > "$OUT/attestation.json"
fi
exit "$code"
