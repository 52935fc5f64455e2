Feature: The robot goes where it is sent, or says where it goes instead
  Whoever sends it, every target passes the same gate; what was really sent is what the state reports.

  Background:
    Given a daemon with an awake robot

  Scenario: a goto arrives
    When the head is sent to yaw 20 degrees in 0.5 seconds
    Then the request is answered with 200
    And within 3 seconds the head is at yaw 20 degrees
    And a robot event "move_ended" tells "finished"
    And no robot event is a warning

  Scenario: a goto takes over from another without a jump
    Given the head is on its way to yaw 30 degrees in 2 seconds
    When the head is sent to yaw -30 degrees in 2 seconds
    Then within 5 seconds the head is at yaw -30 degrees
    And a robot event "move_ended" tells "superseded"
    And no joint was sent faster than 3 radians a second

  Scenario: a goto is stopped where it is
    Given the head is on its way to yaw 30 degrees in 2 seconds
    When the running move is stopped
    Then the request is answered with 200
    And within 2 seconds the joints are where they were sent
    And the head is between yaw 1 degrees and yaw 29 degrees

  Scenario: targets are refused while a goto runs
    Given the head is on its way to yaw 20 degrees in 1 seconds
    When the target yaw -20 degrees is set
    Then a robot event "target_refused" tells "Targets are refused while a move runs"
    And within 4 seconds the head is at yaw 20 degrees

  Scenario: an unreachable pose | the nearest one, and the robot says so
    When the head is sent to z 100 mm in 1 seconds
    Then the request is answered with 200
    And the answer tells "The head cannot reach the pose"
    And a robot event "target_clipped" tells "The head cannot reach the pose .* goes to a pose"
    And within 4 seconds the joints are where they were sent
    And the head is between z 5 mm and z 60 mm

  Scenario Outline: <number> for a number | refused, the robot stays
    When the head is sent to the yaw <number>
    Then the request is answered with 422 and the code "bad-request"
    And the servos are at the default position

    Examples:
      | number |
      | NaN    |
      | 1e999  |
      | null   |
      | "far"  |

  Scenario: a matrix that is no pose | refused, the robot stays
    When the head is sent to a matrix of zeros
    Then the request is answered with 422 and the code "target-refused"
    And the servos are at the default position

  Scenario: motors off and on again | nothing jumps
    When the motor mode is set to "disabled"
    Then within 3 seconds the head has sunk by 5 mm
    When the head is sent to yaw 20 degrees in 0.5 seconds
    Then the request is answered with 409 and the code "motors-off"
    When the robot is at rest
    And the motor mode is set to "enabled"
    Then for 1 seconds no joint of the head moves by more than 0.05 radians

  Scenario: gravity compensation | the head floats and can be led by hand
    When the motor mode is set to "gravity_compensation"
    Then for 2 seconds the head stays within 10 mm
    When somebody pushes the head
    Then the head has given way by 5 mm

  Scenario: to sleep and up again
    When the robot is sent to sleep
    Then within 10 seconds the motor mode is "disabled"
    And the head has sunk by 20 mm
    When the robot is woken
    Then within 10 seconds the servos are at the default position
    And no joint was sent faster than 5 radians a second

  Scenario: targets beyond every limit | no joint leaves its range
    When for 3 seconds targets far beyond every limit are set
    Then no joint was sent or measured beyond its limits
    And a robot event "target_clipped" tells "goes to"
