Feature: The robot is a byte stream
  The real programs, one behind the other. `npm run features -- --pty` and `-- --tcp` run every scenario this way.

  @spawn @own-daemon
  Scenario Outline: a robot-sim over <outlet> | an app runs, the robot moves, the stop brings it home
    Given the robot is a robot-sim over <outlet>
    And a daemon with an awake robot
    When the start of "steady_app" is requested
    Then the request is answered with 200
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free, its app "done"
    And within 2 seconds of the request the servos are at the default position

    Examples:
      | outlet |
      | pty    |
      | tcp    |

  @spawn @own-daemon
  Scenario: no robot | one line that names --sim, a dashboard, and the robot as soon as it is there
    Given a daemon on a serial port that is not there
    Then the daemon printed one line that tells "cannot be opened .*--sim"
    And the status is "error" and tells "cannot be opened"
    And the dashboard is served
    When a robot-sim takes the place of that port
    Then within 10 seconds the robot is in state "running"
    And the robot is awake
