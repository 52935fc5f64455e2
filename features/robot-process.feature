@spawn
Feature: The loss of the robot's own process
  The process of the control loop is killed; the daemon tells, starts another and goes on.

  Rule: whoever uses the robot is told, and goes on with another process

    Background:
      Given a daemon with an awake robot

    Scenario: robot process killed | app in its control loop | told, and the same app goes on with the robot
      Given "steady_app" is running
      When the robot's process is killed
      Then a robot event "phase" tells "The robot's process has ended \(SIGKILL\)\. Another is started"
      And within 10 seconds the robot is in state "running"
      And within 3 seconds the motor mode is "enabled"
      And the slot holds "steady_app" as "running"
      And it is still the same process
      And "steady_app" moves the robot
      When the stop is requested
      Then the slot is free, its app "done"
      And the servos are at the default position

    Scenario: robot process killed | app in a long move | the move fails with the reason, which frees the slot
      Given "goto_app" is running and moving
      When the robot's process is killed
      Then within 5 seconds the slot is free, its app "error"
      And its error tells "The robot's process has ended \(SIGKILL\)"
      And within 10 seconds the robot is in state "running"
      And "steady_app" can be started

    Scenario: robot process killed | nobody moves the robot | it is moved as before
      When the robot's process is killed
      Then a robot event "phase" tells "The robot's process has ended"
      And within 10 seconds the robot is in state "running"
      And within 3 seconds the motor mode is "enabled"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees

    Scenario: robot process killed | app running | the daemon killed next takes the app along
      Given "ignores_sigint" is running
      When the robot's process is killed
      Then a robot event "phase" tells "The robot's process has ended"
      And within 10 seconds the robot is in state "running"
      When the daemon gets SIGKILL
      Then within 3 seconds nothing of the app's process group is left

    Scenario: robot process killed | the daemon is ended while another starts | nothing is left
      Given "steady_app" is running
      When the robot's process is killed
      And the daemon gets SIGTERM
      Then within 15 seconds the daemon has ended with code 0
      And nothing of the app's process group is left

    Scenario: robot process killed | the daemon is laying it to rest | the daemon ends all the same
      When the daemon gets SIGTERM
      And the robot's process is killed
      Then within 10 seconds the daemon has ended with code 0

  Rule: a robot that keeps its torque meanwhile is not moved

    Scenario: robot process killed | robot-sim for a robot | held where it is, then moved as before
      Given the robot is a robot-sim over tcp
      And a daemon with an awake robot
      When the head is sent to yaw 20 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 20 degrees
      When the robot's process is killed
      Then a robot event "phase" tells "The robot's process has ended"
      And within 10 seconds the robot is in state "running"
      And within 3 seconds the motor mode is "enabled"
      And within 1 seconds the head is at yaw 20 degrees
      When the head is sent to yaw 0 degrees in 1 seconds
      Then within 5 seconds the head is at yaw 0 degrees
