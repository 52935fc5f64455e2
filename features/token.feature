Feature: A daemon that asks for a token
  On the network the daemon answers to its token only, which its own apps get without anybody doing anything for it.

  @own-daemon
  Scenario: daemon with a token | start request with it | the app finds the daemon and gets in
    Given a daemon that asks for a token, with an awake robot
    When the start of "steady_app" is requested
    Then the request is answered with 200
    And the slot holds "steady_app" as "running"
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free, its app "done"
