@spawn
Feature: The data folder has one daemon at a time

  Scenario: daemon running | another is started on its data folder | refused, the first goes on
    Given a daemon with an awake robot
    When robot-daemon is started on the same data folder
    Then within 20 seconds it has ended with code 1
    And it told "A robot-daemon \(process \d+\) at http://127\.0\.0\.1:\d+ uses the data folder .*--data-dir"
    And the daemon answers 1 requests within 5 seconds

  Scenario: daemon running | an app is installed on the command line | the daemon installs it
    Given the daemon has a Python environment of its own
    And a daemon with an awake robot
    And "brief_app" is installed on the command line
    Then within 120 seconds it has ended with code 0
    And it told "over the robot-daemon of process \d+ at http://127\.0\.0\.1:\d+"
    And the daemon did the job "install .*brief_app"

  Scenario: daemon running, its app too | that app is installed on the command line | refused, the app goes on
    Given a daemon with an awake robot
    And "steady_app" is running
    And "steady_app" is installed on the command line
    Then within 60 seconds it has ended with code 1
    And it told "steady_app is running; stop it first"
    And it is still the same process

  Scenario Outline: first set-up | <signal> | one line, nothing half-made
    Given robot-daemon is started on an empty data folder
    When it makes the Python environment and gets <signal>
    Then within 30 seconds it has ended with code <code>
    And it told "robot-daemon: interrupted by <signal>; nothing half-made is left"
    And the data folder is empty

    Examples:
      | signal  | code |
      | SIGINT  | 130  |
      | SIGTERM | 143  |
