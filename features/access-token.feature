Feature: Access token
  A daemon with an access token gives it to its apps.

  @own-daemon
  Scenario: daemon with a token | start request with the token | app connected
    Given a daemon that asks for a token, with an awake robot
    When the start of "steady_app" is requested
    Then the request is answered with 200
    And the slot holds "steady_app" as "running"
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free with the state "done"
