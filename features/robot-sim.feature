Feature: robot-sim as robot
  The real programs, connected by a tty or TCP. `npm run features -- --pty` and `-- --tcp` run every scenario this way.

  @spawn @own-daemon
  Scenario Outline: robot-sim over <transport> | start and stop request | app moves the robot, robot at default
    Given the robot is a robot-sim over <transport>
    And a daemon with an awake robot
    When the start of "steady_app" is requested
    Then the request is answered with 200
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free with the state "done"
    And eventually the servos are at the default position

    Examples:
      | transport |
      | pty       |
      | tcp       |

  @spawn @own-daemon
  Scenario: no robot, then one | daemon start | one line that names --sim, dashboard served, robot running when it is connected
    Given a daemon on a serial port that is not there
    Then the daemon printed one line that matches "cannot be opened .*--sim"
    And the status is "error" with an error that matches "cannot be opened"
    And the dashboard is served
    When a robot-sim takes the place of that port
    Then eventually the robot is in state "running"
    And the robot is awake
