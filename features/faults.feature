Feature: What the user is told when the robot is not well
  Every kind of fault that robot-sim knows, on a robot-sim behind a tty: what the daemon's status and events say.

  @wire @own-daemon
  Rule: what the bus does to packets is made up for

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | the robot moves all the same, the status counts
      When the fault "<fault>" begins
      And the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees
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
    Scenario: garble | noise between packets goes unnoticed
      When the fault "garble:rate=0.2" begins
      And the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees
      And no robot event is a fault

  @wire @own-daemon
  Rule: what is lost is told, with what to do, and found again

    Background:
      Given a daemon with an awake robot

    Scenario: unplug | the link is gone, calls are refused, and the robot goes on after replugging
      When the fault "unplug:for=2" begins
      Then a robot event "phase" tells "The link to the robot, .*, is gone.*Plug the robot in again"
      And the status is "error" and tells "Plug the robot in again|No robot|cannot be opened"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then the request is answered with 503 and the code "robot-not-ready"
      And within 10 seconds the robot is in state "running"
      And within 3 seconds the motor mode is "enabled"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees

    @thorough
    Scenario: silent | the servo is named, and found again
      When the fault "silent:servo=stewart_3,for=5" begins
      Then a robot event "phase" tells "No answer from .*Servo 13 \(stewart_3\).* for 1 s"
      And the status is "error" and tells "1 of 9 servos do not answer on .*: Servo 13 \(stewart_3\). Check their cables and ids"
      And within 15 seconds the robot is in state "running"

  @wire @own-daemon
  Rule: what hurts a servo is a fault with a remedy

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | told, and over once it has been seen to
      When the fault "<fault>" begins
      And the head is sent to yaw 30 degrees in 1 seconds
      Then a robot event "fault" tells "Servo 13 \(stewart_3\) reports <what>. <remedy>"
      And the status is "error" and tells "Turn the motors on again"
      When the faults end
      And the motor mode is set to "enabled" again
      Then within 5 seconds the robot is in state "running"
      And within 3 seconds the motor mode is "enabled"

      Examples:
        | fault                                | what       | remedy                                    |
        | overheat:servo=stewart_3             | overheated | Let it cool down for some minutes         |

      @thorough
      Examples:
        | fault                                | what       | remedy                                    |
        | overload:servo=stewart_3             | overload   | Take away what blocks or holds the joint  |
        | stuck:servo=stewart_3                | overload   | Take away what blocks or holds the joint  |

    @thorough
    Scenario: undervoltage | a warning, and the robot goes on
      When the fault "undervoltage:volts=3.2,for=3" begins
      Then a robot event "fault" tells "reports input voltage out of range. Check the power supply \(5 V\)"
      And within 1 seconds the robot is in state "running"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees

  @wire @own-daemon @thorough
  Rule: what only wears is to be seen in the state

    Background:
      Given a daemon with an awake robot

    Scenario Outline: <fault> | the robot moves, measured beside sent
      When the fault "<fault>" begins
      And the head is sent to yaw 20 degrees in 1 seconds
      Then a robot event "move_ended" tells "finished"
      And a joint stays at least <radians> radians beside where it was sent
      And no robot event is a fault

      Examples:
        | fault                | radians |
        | friction:torque=0.2  | 0.01    |
        | cogging:torque=0.2   | 0.01    |

  @wire @own-daemon @thorough
  Rule: a robot that is not well at the start is not moved

    Scenario Outline: <fault> | told before anything moves
      Given a robot-sim with the fault "<fault>"
      And a daemon that waits for the robot
      Then the status is "error" and tells "<words>"
      When the robot is woken
      Then the request is answered with 503 and the code "robot-not-ready"

      Examples:
        | fault                   | words                                                                                 |
        | silent:servo=14         | 1 of 9 servos do not answer on .*: Servo 14 \(stewart_4\). Check their cables and ids |
        | undervoltage:volts=3.6  | Servo 10 \(body_yaw\) has 3.6 V; it needs 3.7 to 7 V. Connect the robot's power supply |
