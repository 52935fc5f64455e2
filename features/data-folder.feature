@spawn
Feature: One daemon for each data folder

  @da158
  Scenario: daemon running | a second one is started on its data folder | refused, the first not affected
    Given a daemon with an awake robot
    When robot-daemon is started on the same data folder
    Then eventually it has exited with code 1
    And its output matches "A robot-daemon \(process \d+\) at http://127\.0\.0\.1:\d+ uses the data folder .*--data-dir"
    And the daemon answers 1 requests

  Scenario: daemon running | an app is installed on the command line | the daemon installs it
    Given the daemon has a Python environment of its own
    And a daemon with an awake robot
    And "brief_app" is installed on the command line
    Then eventually it has exited with code 0
    And its output matches "through the robot-daemon of process \d+ at http://127\.0\.0\.1:\d+"
    And the daemon ran the job "install .*brief_app"

  Scenario: daemon running, its app too | that app is installed on the command line | refused, app untouched
    Given a daemon with an awake robot
    And "steady_app" is running
    And "steady_app" is installed on the command line
    Then eventually it has exited with code 1
    And its output matches "steady_app is running; stop it first"
    And it is still the same process

  Scenario Outline: first set-up | <signal> | one line of output, data folder empty
    Given robot-daemon is started on an empty data folder
    When it makes the Python environment and receives <signal>
    Then eventually it has exited with code <code>
    And its output matches "robot-daemon: interrupted by <signal>; nothing incomplete is left"
    And the data folder is empty

    Examples:
      | signal  | code |
      | SIGINT  | 130  |
      | SIGTERM | 143  |

  Scenario: daemon running | a person uses the shell commands | the daemon of the data folder answers
    Given a daemon with an awake robot
    When robot-daemon runs "status" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "at http://127\.0\.0\.1:\d+/\nsimulated robot: running\nno app has run"
    When robot-daemon runs "list" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "steady_app +\d"
    When robot-daemon runs "start steady_app" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "steady_app: running"
    When robot-daemon runs "start steady_app" on the same data folder
    Then eventually it has exited with code 1
    And its output matches "steady_app runs already: robot-daemon restart stops it first"
    When robot-daemon runs "stop other_app" on the same data folder
    Then eventually it has exited with code 1
    And its output matches "other_app does not run: steady_app runs"
    When robot-daemon runs "logs no_such_app" on the same data folder
    Then eventually it has exited with code 1
    And its output matches "No app named"
    When robot-daemon runs "logs steady_app" on the same data folder
    Then eventually it has exited with code 0
    When robot-daemon runs "logs --follow steady_app" on the same data folder
    And it receives SIGINT after its output matches "started .*steady_app"
    Then eventually it has exited with code 0
    When robot-daemon runs "restart --json" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "\"name\":\"steady_app\""
    When robot-daemon runs "stop steady_app" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "steady_app: ended"
    When robot-daemon runs "stop" on the same data folder
    Then eventually it has exited with code 1
    When robot-daemon runs "remove no_such_app" on the same data folder
    Then eventually it has exited with code 1
    And its output matches "no_such_app"

  @own-daemon
  Scenario: robot asleep, startup app configured | a person starts another app | robot awake, that app running
    Given a daemon that leaves the robot asleep, with the startup app "steady_app"
    When robot-daemon runs "start sleepy_app" on the same data folder
    Then eventually it has exited with code 0
    And its output matches "sleepy_app: running"
    And the slot holds "sleepy_app" as "running"
    And the robot is awake

  Scenario: no daemon | a person asks for the status | an error that says how to start one
    When robot-daemon runs "status" on the same data folder
    Then eventually it has exited with code 1
    And its output matches "No robot-daemon uses the data folder .*robot-daemon --sim, or name another with --data-dir or --url"
