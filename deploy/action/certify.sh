# Runs the app with simulated robots. A whole certification has a predicate, which is attested.
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
if [ -f "$OUT/predicate.json" ]; then
  echo "predicate=$OUT/predicate.json" >> "$GITHUB_OUTPUT"
fi
exit "$code"
