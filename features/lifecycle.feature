Feature: The app slot
  The lifecycle table of the contract, one scenario for each row.

  Background:
    Given a daemon with an awake robot

  Scenario: slot free | start request | app running
    When the start of "steady_app" is requested
    Then the request is answered with 200
    And the slot holds "steady_app" as "running"
    And "steady_app" moves the robot

  @rm446
  Scenario: app running | start request | refused, app untouched
    Given "steady_app" is running
    When the start of "goto_app" is requested
    Then the request is answered with 409 and the detail "An app is already running"
    And the slot holds "steady_app" as "running"
    And it is still the same process
    And "steady_app" moves the robot

  Scenario: app running | start request for the same app | refused, app untouched
    Given "steady_app" is running
    When the start of "steady_app" is requested
    Then the request is answered with 409 and the detail "An app is already running"
    And it is still the same process

  Scenario: app running | stop request | slot free, robot at default
    Given "steady_app" is running and moving
    When the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"
    And "steady_app" printed "left by stop_event"
    And nothing of the app's process group is left
    And eventually the servos are at the default position

  Scenario: app running | stop request during a goto | goto cancelled, robot at default
    Given "goto_app" is running and moving
    When the stop is requested
    Then the slot is free with the state "done"
    And the servos are at the default position
    And the servos stay at the default position

  Scenario: app running | subprocess exits by itself | slot free, robot at default
    When the start of "brief_app" is requested
    Then eventually the slot is free with the state "done"
    And eventually the servos are at the default position

  Scenario: app running | subprocess crashes | slot free, the reason shown, robot at default
    When the start of "crash_in_run" is requested
    Then eventually the slot is free with the state "error"
    And its error matches "the antenna is made of cheese"
    And eventually the servos are at the default position
    And "steady_app" can be started

  Scenario: app running | subprocess is killed | slot free, robot at default
    Given "steady_app" is running
    When its process is killed with SIGKILL
    Then eventually the slot is free with the state "error"
    And its error matches "SIGKILL"
    And eventually the servos are at the default position

  Scenario: app running | restart request | the same app in a new process, from the default pose
    Given "steady_app" is running and moving
    When the restart is requested
    Then the request is answered with 200
    And eventually the slot holds "steady_app" as "running"
    And it is another process
    And "steady_app" moves the robot

  Scenario: app restarting | start request for another app | refused, the app is restarted
    Given "steady_app" is running and moving
    When the restart is requested and, before it is answered, the start of "goto_app"
    Then one request is answered with 200
    And the other request is answered with 409 and the detail "An app is already running"
    And eventually the slot holds "steady_app" as "running"

  Scenario: app restarting | stop request | slot free for good, robot at default
    Given "steady_app" is running and moving
    When the restart is requested and, before it is answered, the stop
    Then one request is answered with 200
    And the other request is answered with 409 and the code "start-cancelled"
    And the slot is free with the state "done"
    And the servos are at the default position
    And the servos stay at the default position

  Scenario: app restarted in place | stop request | slot free for good, robot at default
    Given "steady_app" is running and moving
    When the restart in place is requested
    And the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"
    And the servos are at the default position
    And the servos stay at the default position

  Scenario: app running | start request that replaces it | the other app running
    Given "steady_app" is running and moving
    When the start of "goto_app" in place of the running app is requested
    Then the request is answered with 200
    And eventually the slot holds "goto_app" as "running"
    And nothing of the app's process group is left

  Scenario: app running | start request for an unknown app that replaces it | refused, app untouched
    Given "steady_app" is running
    When the start of "no_such_app" in place of the running app is requested
    Then the request is answered with 404 and the code "app-not-found"
    And the slot holds "steady_app" as "running"
    And it is still the same process

  @rm944
  Scenario: app running | sleep requested | app stopped, slot free, robot asleep
    Given "steady_app" is running and moving
    When goto_sleep is requested
    Then the slot is free with the state "done"
    And nothing of the app's process group is left
    And eventually the motor mode is "disabled"

  @own-daemon @short-grace-period
  Scenario: app running, ignores SIGINT | stop request | killed after the grace period
    Given "ignores_sigint" is running
    When the stop is requested
    Then the request is answered with 200
    And the slot is free
    And nothing of the app's process group is left

  Scenario: slot free | two start requests at the same time | one app running, one request refused
    When the starts of "steady_app" and "goto_app" are requested at the same time
    Then one request is answered with 200
    And the other request is answered with 409 and the detail "An app is already running"

  Scenario: slot free | start request for an unknown app | refused
    When the start of "no_such_app" is requested
    Then the request is answered with 404 and the code "app-not-found"
    And the slot is free

  Scenario: slot free | stop request | refused
    When the stop is requested
    Then the request is answered with 409 and the code "no-app-running"

  Scenario: app running | two stop requests at the same time | both answered, slot free
    Given "steady_app" is running
    When the stop is requested twice at the same time
    Then both requests are answered with 200
    And the slot is free with the state "done"
