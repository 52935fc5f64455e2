Feature: What the daemon and its apps cost
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  Background:
    Given a daemon with an awake robot

  @spawn @rm1165 @peer
  Scenario: daemon running | apps come and go | its memory stays small
    When "steady_app" is started and stopped 5 times
    Then the processes of the daemon have less than 600 MB

  @spawn @sim @ca548
  Scenario: simulated robot with a camera | nobody looks | no picture is drawn
    When 30 pictures of the camera are read
    Then for 5 seconds the processes of the daemon use less than 60 % of a core

  @rm679 @peer
  Scenario: app that waits | it runs | it leaves the processor to others
    Given "sleepy_app" is running
    Then for 5 seconds the app uses less than 40 % of a core

  @rm679
  Scenario: app that keeps a core busy | it runs | the daemon answers and ends it
    Given "spins" is running
    Then the daemon answers 20 requests
    When the head is sent to yaw 20 degrees in 1 seconds
    Then eventually the head is at yaw 20 degrees
    When the stop is requested
    Then the request is answered with 200
    And the slot is free
    And nothing of the app's process group is left
