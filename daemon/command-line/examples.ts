import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";

/** The text below the help of each command; `run` is the daemon itself, the command without a name. */
export const EXAMPLES = {
  run: `
Examples:
  robot-daemon --sim                            the simulated robot, dashboard at http://127.0.0.1:8000/
  robot-daemon --sim --startup-app hello_robot  and start an app once the robot is awake
  robot-daemon install ./my_app                 install an app from its folder
  robot-daemon install ${PUBLIC_HUB}/spaces/USER/APP_NAME
  robot-daemon                                  the robot on the USB port

Environment variables:
  ROBOT_PYTHON                                  the Python that apps run with (default: python3)
  HF_TOKEN                                      opens private spaces of the hub
  ROBOT_DAEMON_TOKEN                            token of the daemon at --url
`,
  install: `
Examples:
  robot-daemon install                          the app in the working directory
  robot-daemon install ./my_app
  robot-daemon install ${PUBLIC_HUB}/spaces/USER/APP_NAME
  robot-daemon install ./my_app --isolated      in an environment of its own
`,
  list: `
Examples:
  robot-daemon list
  robot-daemon list --json                      for programs
`,
  status: `
Examples:
  robot-daemon status
  robot-daemon status --url http://127.0.0.1:8001
`,
  start: `
Examples:
  robot-daemon start my_app
  robot-daemon start                            the app in the working directory
  robot-daemon start my_app --replace           stops the running app, then starts this one
`,
  stop: `
Example:
  robot-daemon stop
`,
  restart: `
Example:
  robot-daemon restart
`,
  logs: `
Examples:
  robot-daemon logs                             of the app that runs or ran last
  robot-daemon logs my_app --lines 200 --follow
`,
  "reset-data": `
Example:
  robot-daemon reset-data my_app
`,
  remove: `
Example:
  robot-daemon remove my_app
`,
  link: `
Example:
  robot-daemon link --data-dir /var/lib/robot-daemon   of the daemon that uses this data folder
`,
  uninstall: `
Examples:
  robot-daemon uninstall                        what is there, and how to remove it
  robot-daemon uninstall --purge                removes all apps and settings; asks first
`,
  scan: `
Examples:
  robot-daemon scan
  robot-daemon scan --serialport tcp://127.0.0.1:5555
`,
  "test-robot": `
Example:
  echo '{"advance": 1}' | robot-daemon test-robot
`,
  "setup-servo": `
Examples:
  robot-daemon setup-servo stewart_3            the servo that is alone on the bus
  robot-daemon setup-servo right_antenna --id 1 --serialport /dev/ttyACM0
`,
} as const;
