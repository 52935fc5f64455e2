# Checks the app: annotations at the lines, SARIF and JSON among the files of the report.
set -u
# A job may use the action for several apps: the verdict of the one before is not this app's.
rm -rf "$OUT"
mkdir -p "$OUT"
echo "folder=$OUT" >> "$GITHUB_OUTPUT"
code=0
"$ASSISTANT" check "$APP" --format github --out "$OUT" || code=$?
case "$code" in
  0) verdict=conformant ;;
  1) verdict=not-conformant ;;
  *) verdict=error ;;
esac
echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
exit "$code"
