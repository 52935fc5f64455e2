Feature: The end of the daemon is the end of its app

  @spawn
  Scenario: daemon gets SIGTERM | app running
    Given a daemon with an awake robot
    And "steady_app" is running
    When the daemon gets SIGTERM
    Then within 10 seconds the daemon has ended with code 0
    And nothing of the app's process group is left

  @spawn
  Scenario Outline: daemon is killed with SIGKILL | <app> running
    Given a daemon with an awake robot
    And "<app>" is running
    When the daemon gets SIGKILL
    Then within 2 seconds nothing of the app's process group is left
    And within 5 seconds the robot's own process is gone
    And another daemon on the same data folder starts "steady_app"

    Examples:
      | app            |
      | steady_app     |
      | ignores_sigint |

  @spawn
  Scenario: somebody asks for the daemon's end | app running
    Given a daemon with an awake robot
    And "steady_app" is running
    When somebody asks the daemon to stop
    Then within 10 seconds the daemon has ended with code 0
    And nothing of the app's process group is left

  @spawn
  Scenario: somebody asks for a restart | app running
    Given a daemon with an awake robot
    And "steady_app" is running
    When somebody asks the daemon to restart
    Then within 20 seconds the same daemon has a robot process of its own again
    And nothing of the app's process group is left
    And the robot is awake
    And "steady_app" is running
