/** Sets the variables by which apps find their daemon; they inherit the daemon's environment (contract, section 2.5). */
export function setDaemonAddress(env: NodeJS.ProcessEnv, { url, token }: { url: string; token: string | null }): void {
  env.ROBOT_DAEMON_URL = url;
  if (token !== null) env.ROBOT_DAEMON_TOKEN = token;
}
