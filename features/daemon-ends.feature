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
