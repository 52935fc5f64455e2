# Installs the programs, from a package or from the action's own repository, and says how to run them.
set -eu
if [ -n "$PACKAGE" ]; then
  tools="$RUNNER_TEMP/robot-app-tools"
  npm install --no-audit --no-fund --prefix "$tools" "$PACKAGE"
  assistant="$tools/node_modules/.bin/robot-app-assistant"
else
  if [ ! -d "$ACTION_PATH/dist/assistant" ]; then
    (cd "$ACTION_PATH" && npm ci --no-audit --no-fund && npm run build)
  fi
  assistant="$ACTION_PATH/bin/robot-app-assistant.mjs"
fi
"$assistant" --version
echo "assistant=$assistant" >> "$GITHUB_OUTPUT"
