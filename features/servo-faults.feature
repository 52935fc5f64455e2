Feature: Faults of servos and bus in status and events
  Every kind of fault of robot-sim, behind a tty: what the daemon's status and events say.

  @wire @own-daemon
  Rule: lost and damaged packets are repeated

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | the robot moves, bus errors are counted
      When the fault "<fault>" is injected
      And the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees
      And the status counts bus errors
      And no robot event is a fault

      Examples:
        | fault                  |
        | drop:rate=0.03         |
        | corrupt:rate=0.03      |

      @thorough
      Examples:
        | fault                  |
        | delay:rate=0.05,ms=25  |

    @thorough
    Scenario: garble | the robot moves, no fault event
      When the fault "garble:rate=0.2" is injected
      And the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees
      And no robot event is a fault

  @wire @own-daemon
  Rule: a lost link or servo is reported with the remedy and reconnected

    Background:
      Given a daemon with an awake robot

    Scenario: unplug | link reported lost, calls refused, robot running after replugging
      When the fault "unplug" is injected
      Then a robot event "phase" matches "The link to the robot, .*, is gone.*Plug the robot in again"
      And the status is "error" with an error that matches "Plug the robot in again|No robot|cannot be opened"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then the request is answered with 503 and the code "robot-not-ready"
      When the faults are cleared
      Then eventually the robot is in state "running"
      And eventually the motor mode is "enabled"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees

    @thorough
    Scenario: silent | servo named, robot running when it answers again
      When the fault "silent:servo=stewart_3,for=5" is injected
      Then a robot event "phase" matches "No answer from .*Servo 13 \(stewart_3\).* for 1 s"
      And the status is "error" with an error that matches "1 of 9 servos do not answer on .*: Servo 13 \(stewart_3\). Check their cables and ids"
      And eventually the robot is in state "running"

  @wire @own-daemon
  Rule: a condition that damages a servo is a fault with a remedy

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | reported with the remedy, cleared when the motors are turned on again
      When the fault "<fault>" is injected
      And the head is sent to <target> in 1 seconds
      Then a robot event "fault" matches "Servo <servo> reports <what>. <remedy>"
      And the status is "error" with an error that matches "Turn the motors on again"
      When the faults are cleared
      And the motor mode is set to "enabled" again
      Then eventually the robot is in state "running"
      And eventually the motor mode is "enabled"

      Examples:
        | fault                    | target   | servo            | what       | remedy                            |
        | overheat:servo=stewart_3 | z -30 mm | 13 \(stewart_3\) | overheated | Let it cool down for some minutes |

      @thorough
      Examples:
        | fault                    | target          | servo            | what     | remedy                                   |
        | overload:servo=stewart_3 | z -30 mm        | 13 \(stewart_3\) | overload | Take away what blocks or holds the joint |
        | stuck:servo=body_yaw     | yaw 170 degrees | 10 \(body_yaw\)  | overload | Take away what blocks or holds the joint |

    @thorough
    Scenario: undervoltage | warning, robot running
      When the fault "undervoltage:volts=3.2,for=3" is injected
      Then a robot event "fault" matches "reports input voltage out of range: 3.2 V. Check the power supply \(6.8 to 7.6 V\)"
      And eventually the robot is in state "running"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees

  @wire @own-daemon @rm1402
  Rule: a torque that is lost without a danger is turned on again

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | reported, torque back, head at its target
      When the fault "<fault>" is injected
      And the head is sent to yaw 20 degrees in 1 seconds
      Then a robot event "fault" matches "Servo 13 \(stewart_3\) <what>"
      And a robot event "fault" matches "Servo 13 \(stewart_3\) has its torque again"
      And eventually the head is at yaw 20 degrees
      And eventually the robot is in state "running"

      Examples:
        | fault                            | what                                                            |
        | latch:servo=stewart_3            | lost its torque and reports input voltage out of range \(0x01\) |

      @thorough
      Examples:
        | fault                            | what                                  |
        | brownout:servo=stewart_3,for=0.1 | lost its torque, as after a power cut |

  @wire @own-daemon @thorough
  Rule: wear shows in the measured angles

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | the robot moves, a joint stays off its target
      When the fault "<fault>" is injected
      And the head is sent to yaw 20 degrees in 1 seconds
      Then a robot event "move_ended" matches "finished"
      And a joint stays at least <radians> radians off its target
      And no robot event is a fault

      Examples:
        | fault                | radians |
        | friction:torque=0.2  | 0.01    |
        | cogging:torque=0.2   | 0.01    |

  @wire @own-daemon @thorough
  Rule: a robot with a fault at the start is not moved

    Scenario Outline: <fault> at the start | reported, moves refused
      Given a robot-sim with the fault "<fault>"
      And a daemon that waits for the robot
      Then the status is "error" with an error that matches "<words>"
      When wake_up is requested
      Then the request is answered with 503 and the code "robot-not-ready"

      Examples:
        | fault                   | words                                                                                 |
        | silent:servo=14         | 1 of 9 servos do not answer on .*: Servo 14 \(stewart_4\). Check their cables and ids |
        | undervoltage:volts=3.6  | Servo 10 \(body_yaw\) has 3.6 V; the robot runs with 3.7 to 7.8 V. Connect its power supply \(6.8 to 7.6 V\) |
