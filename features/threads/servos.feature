@wire @own-daemon
Feature: Faults of servos are seen and passed
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  @rm1163 @peer
  Scenario: servo overloaded | the fault stays | reported once, not for ever
    Given a daemon with an awake robot
    When the fault "overload:servo=left_antenna" is injected
    Then the daemon reports "overload", and for 8 seconds not again

  @rm1402 @peer
  Scenario: supply dips in motion | a servo turns its torque off (0x01) | reported, and the robot moves on
    Given a daemon with an awake robot
    When the fault "latch:servo=stewart_3" is injected
    And the head is sent to yaw 20 degrees in 1 seconds
    Then eventually the head is at yaw 20 degrees
    And eventually the robot has its torque and no fault

  @rm589 @peer
  Scenario: supply of 7.5 V, servos that allow 7.0 V | daemon start | the robot runs and moves
    Given a robot-sim with a supply of 7.5 V
    And a daemon with an awake robot
    When the head is sent to yaw 20 degrees in 1 seconds
    Then eventually the head is at yaw 20 degrees
    And eventually the robot is in state "running"
