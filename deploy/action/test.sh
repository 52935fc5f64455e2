# Runs the app's own tests, where it has any.
set -u
"$ASSISTANT" test "$APP"
