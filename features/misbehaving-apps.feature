Feature: Misbehaving apps and broken environments free the slot
  Cases that the lifecycle table of the contract leaves open.

  Background:
    Given a daemon with an awake robot

  Scenario: app importing | it raises an error | slot free, traceback shown
    When the start of "crash_at_import" is requested
    Then eventually the slot is free with the state "error"
    And its error matches "Error"
    And "steady_app" can be started

  Scenario: app importing | stop request | slot free
    Given "slow_import" is started
    When the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"
    And "steady_app" can be started

  Scenario: app starting | stop request | slot free
    When the start of "steady_app" is requested and, as soon as it holds the slot, the stop
    Then eventually the slot is free with the state "done"
    And "steady_app" can be started

  Scenario: app exits | a grandchild keeps its output open | slot free, grandchild ended
    When the start of "grandchild_holds_stdout" is requested
    Then eventually the slot is free with the state "done"
    And all processes that "grandchild_holds_stdout" printed have ended

  Scenario: app exits | it leaves children, one ignores SIGTERM | slot free, children ended
    When the start of "children_left_behind" is requested
    Then eventually the slot is free with the state "done"
    And all processes that "children_left_behind" printed have ended

  Scenario: app running | it prints a megabyte without a newline | later output is read
    Given "no_newline" is running
    Then "no_newline" printed "running"
    When the stop is requested
    Then the slot is free with the state "done"

  Scenario: app running | it floods its output | the daemon answers, the app can be stopped
    Given "output_flood" is running
    Then the daemon answers 20 requests
    When the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"

  Scenario: robot returning to default | start request | app running
    Given "goto_app" is running and moving
    When the stop is requested and, before it is answered, the start of "steady_app"
    Then eventually the slot holds "steady_app" as "running"
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free with the state "done"

  @own-daemon
  Scenario: disk full | app writes its log | app runs and stops
    Given the log of "steady_app" is on a full disk
    And "steady_app" is running
    When the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"

  @own-daemon
  Scenario: Python of the environment missing | start request | refused with the remedy
    Given the Python of the apps' environment is missing
    When the start of "steady_app" is requested
    Then the request is answered with 500 and the code "app-start-failed"
    And the slot is free

  @own-daemon
  Scenario: port of the app's page taken | start request | app ends immediately, its error names the port
    Given another program listens on port 8043
    When the start of "paged_app" is requested
    Then eventually the slot is free with the state "error"
    And its error matches "8043"

  @own-daemon @port-8042
  Scenario: port of the example's page taken | start request | app running, its page at another port
    Given another program listens on port 8042
    When the start of "hello_robot" is requested
    Then eventually the slot holds "hello_robot" as "running"
    And "hello_robot" moves the robot

  @own-daemon
  Scenario: app running | robot fails | state reported, the app can be stopped
    Given "sleepy_app" is running
    When the robot is unplugged
    Then eventually the robot is in state "error"
    When the stop is requested
    Then the request is answered with 200
    And the slot is free with the state "done"

  @spawn
  Scenario: daemon started with SIGINT ignored | stop request | the app gets SIGINT
    Given a daemon that was started with SIGINT ignored
    And "steady_app" is running and moving
    When the stop is requested
    Then the slot is free with the state "done"
    And "steady_app" printed "left by stop_event"
