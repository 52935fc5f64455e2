Feature: Moves and targets
  Every target passes the same limits. The state reports the targets after the limits.

  Background:
    Given a daemon with an awake robot

  Scenario: goto | the head arrives
    When the head is sent to yaw 20 degrees in 0.5 seconds
    Then the request is answered with 200
    And eventually the head is at yaw 20 degrees
    And a robot event "move_ended" matches "finished"
    And no robot event is a warning

  Scenario: goto during a goto | the second takes over without a jump
    Given the head is on its way to yaw 30 degrees in 5 seconds
    When the head is sent to yaw -30 degrees in 2 seconds
    Then eventually the head is at yaw -30 degrees
    And a robot event "move_ended" matches "superseded"
    And no joint was sent faster than 3 radians a second

  Scenario: goto | stop of the move | the head stays where it is
    Given the head is on its way to yaw 30 degrees in 10 seconds
    When the running move is stopped
    Then the request is answered with 200
    And eventually the joints are at their targets
    And the head is between yaw 1 degrees and yaw 29 degrees

  Scenario: goto | set_target | target refused
    Given the head is on its way to yaw 20 degrees in 5 seconds
    When the target yaw -20 degrees is set
    Then a robot event "target_refused" matches "Targets are refused while a move runs"
    And eventually the head is at yaw 20 degrees

  Scenario: goto to an unreachable pose | nearest reachable pose, reported
    When the head is sent to z 100 mm in 1 seconds
    Then the request is answered with 200
    And the answer matches "The head cannot reach the pose"
    And a robot event "target_clipped" matches "The head cannot reach the pose .* goes to a pose"
    And eventually the joints are at their targets
    And the head is between z 5 mm and z 60 mm

  Scenario Outline: goto to <number> | refused, no motion
    When the head is sent to the yaw <number>
    Then the request is answered with 422 and the code "bad-request"
    And the servos are at the default position

    Examples:
      | number |
      | NaN    |
      | 1e999  |
      | null   |
      | "far"  |

  Scenario: goto to a matrix that is not a pose | refused, no motion
    When the head is sent to a matrix of zeros
    Then the request is answered with 422 and the code "target-refused"
    And the servos are at the default position

  Scenario: motors off, then on | no joint jumps
    When the motor mode is set to "disabled"
    Then eventually the head has sunk by 5 mm
    When the head is sent to yaw 20 degrees in 0.5 seconds
    Then the request is answered with 409 and the code "motors-off"
    When the robot stands still
    And the motor mode is set to "enabled"
    Then for 1 seconds no joint of the head moves by more than 0.05 radians

  Scenario: gravity compensation | the head holds its pose and can be moved by hand
    When the motor mode is set to "gravity_compensation"
    Then for 2 seconds the head stays within 10 mm
    When the head is pushed
    Then the head has moved by at least 5 mm

  Scenario: goto_sleep, then wake_up | default pose
    When goto_sleep is requested
    Then eventually the motor mode is "disabled"
    And the head has sunk by 20 mm
    When wake_up is requested
    Then eventually the servos are at the default position
    And no joint was sent faster than 5 radians a second

  Scenario: targets beyond all limits | no joint leaves its range
    When for 3 seconds targets far beyond every limit are set
    Then no joint was sent or measured beyond its limits
    And a robot event "target_clipped" matches "goes to"
