// What `npm start` and `npm test` run first: on Windows it says what to do, before the shell fails at the next command.
if (process.platform === "win32") {
  process.stderr.write(
    "The workbench runs on Linux and macOS. On Windows, use WSL (https://learn.microsoft.com/windows/wsl) or the container of docs/deploy.md.\n",
  );
  process.exitCode = 1;
}
