@spawn
Feature: Loss of the robot process
  The daemon reports that the robot process ended, starts another one and goes on.

  Rule: users of the robot get the reason and can go on

    Background:
      Given a daemon with an awake robot

    Scenario: robot process killed | app sending targets | reported, the app moves the robot again
      Given "steady_app" is running
      When the robot process is killed
      Then a robot event "phase" matches "The robot's process has ended \(SIGKILL\)\. Another is started"
      And eventually the robot is in state "running"
      And eventually the motor mode is "enabled"
      And the slot holds "steady_app" as "running"
      And it is still the same process
      And "steady_app" moves the robot
      When the stop is requested
      Then the slot is free with the state "done"
      And eventually the servos are at the default position

    Scenario: robot process killed | app in a goto | the goto fails with the reason, slot free
      Given "goto_app" is running and moving
      When the robot process is killed
      Then eventually the slot is free with the state "error"
      And its error matches "The robot's process has ended \(SIGKILL\)"
      And eventually the robot is in state "running"
      And "steady_app" can be started

    Scenario: robot process killed | slot free | the robot can be moved
      When the robot process is killed
      Then a robot event "phase" matches "The robot's process has ended"
      And eventually the robot is in state "running"
      And eventually the motor mode is "enabled"
      When the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees

    Scenario: robot process killed, then daemon killed | app running | app ended
      Given "ignores_sigint" is running
      When the robot process is killed
      Then a robot event "phase" matches "The robot's process has ended"
      And eventually the robot is in state "running"
      When the daemon receives SIGKILL
      Then eventually nothing of the app's process group is left

    Scenario: robot process killed, then daemon receives SIGTERM | app running | daemon exits, app ended
      Given "steady_app" is running
      When the robot process is killed
      And the daemon receives SIGTERM
      Then eventually the daemon has exited with code 0
      And nothing of the app's process group is left

    Scenario: daemon shutting down | robot process killed | daemon exits
      When the daemon receives SIGTERM
      And the robot process is killed
      Then eventually the daemon has exited with code 0

  Rule: a robot that keeps its torque holds its pose

    Scenario: robot process killed | robot-sim as robot | pose held, then the robot can be moved
      Given the robot is a robot-sim over tcp
      And a daemon with an awake robot
      When the head is sent to yaw 20 degrees in 1 seconds
      Then eventually the head is at yaw 20 degrees
      When the robot process is killed
      Then a robot event "phase" matches "The robot's process has ended"
      And eventually the robot is in state "running"
      And eventually the motor mode is "enabled"
      And eventually the head is at yaw 20 degrees
      When the head is sent to yaw 0 degrees in 1 seconds
      Then eventually the head is at yaw 0 degrees
