Feature: A daemon that exits ends its app

  @spawn
  Scenario: app running | daemon receives SIGTERM | daemon exits, app ended
    Given a daemon with an awake robot
    And "steady_app" is running
    When the daemon receives SIGTERM
    Then eventually the daemon has exited with code 0
    And nothing of the app's process group is left

  @spawn
  Scenario Outline: <app> running | daemon is killed with SIGKILL | app ended, data folder free
    Given a daemon with an awake robot
    And "<app>" is running
    When the daemon receives SIGKILL
    Then eventually nothing of the app's process group is left
    And eventually the robot process has ended
    And another daemon on the same data folder starts "steady_app"

    Examples:
      | app            |
      | steady_app     |
      | ignores_sigint |

  @spawn
  Scenario: app running | stop of the daemon over HTTP | daemon exits, app ended
    Given a daemon with an awake robot
    And "steady_app" is running
    When the daemon is asked over HTTP to stop
    Then eventually the daemon has exited with code 0
    And nothing of the app's process group is left

  @spawn
  Scenario: app running | restart of the daemon over HTTP | new robot process, app ended
    Given a daemon with an awake robot
    And "steady_app" is running
    When the daemon is asked over HTTP to restart
    Then eventually the same daemon has a new robot process
    And nothing of the app's process group is left
    And the robot is awake
    And "steady_app" is running
