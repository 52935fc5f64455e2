Feature: Stop an app and go on
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  Background:
    Given a daemon with an awake robot

  @rm1401 @peer
  Scenario: app in the middle of a move | stop request | the next move is accepted and made
    Given "goto_app" is running and moving
    When the stop is requested
    And the robot stands still
    And the head is sent to yaw -20 degrees in 1 seconds
    Then the request is answered with 200
    And eventually the head is at yaw -20 degrees

  @rm1400 @peer
  Scenario: app running | stop request | the robot stays upright with its motors on
    Given "steady_app" is running and moving
    When the stop is requested
    And the robot stands still
    Then for 4 seconds the head stays within 10 mm
    And eventually the motor mode is "enabled"

  @rm446 @peer @thorough
  Scenario: app running | start of another one | one app has the robot, the first is not disturbed
    Given "steady_app" is running and moving
    When the start of "goto_app" is requested
    Then the slot holds "steady_app" as "running"
    And it is still the same process
    And "steady_app" moves the robot

  @rm570 @peer
  Scenario: app running | a person moves the head meanwhile | the move is made, then the app goes on
    Given "steady_app" is running and moving
    # On its way: the app goes on as soon as the move has ended, before friction lets the head reach the last degrees.
    When the head is sent to yaw 30 degrees in 4 seconds
    Then the request is answered with 200
    And eventually the head is at yaw 20 degrees
    And "steady_app" moves the robot
    And eventually the head is at yaw 0 degrees

  @rm570
  Scenario: app running | a goto and a recorded move are made meanwhile | each to its end without a jump
    Given "steady_app" is running and moving
    When the head is sent to yaw 30 degrees in 1 seconds
    Then a robot event "move_ended" matches "goto has arrived"
    When the recorded move "built-in/nod" is played
    Then the request is answered with 200
    And a robot event "move_ended" matches "recorded has arrived"
    And no joint was sent faster than 12 radians a second
    And "steady_app" moves the robot

  @rm944 @peer
  Scenario: app running | robot put to sleep and woken up | the app can be started and moves the robot
    Given "steady_app" is running and moving
    When goto_sleep is requested
    Then eventually the motor mode is "disabled"
    When wake_up is requested
    Then eventually the motor mode is "enabled"
    When the robot stands still
    And the start of "steady_app" is requested
    Then "steady_app" moves the robot

  @rm944
  Scenario: app running | robot put to sleep | the app's log says why the app was stopped
    Given "steady_app" is running and moving
    When goto_sleep is requested
    Then the slot is free with the state "done"
    And "steady_app" printed "sleep"

  @rm1188 @peer
  Scenario: app running since the start | a phone connects | it sees the robot move, ends the app and starts another
    Given "steady_app" is running
    Then "steady_app" moves the robot
    When the stop is requested
    And the start of "goto_app" is requested
    Then the request is answered with 200
    And eventually the slot holds "goto_app" as "running"
    And nothing of the app's process group is left
    And "goto_app" moves the robot
