Feature: Move by an offset and see
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  @rm187
  Scenario: head turned | two moves relative to where it is | the offsets add up
    Given a daemon with an awake robot
    When the head is sent by yaw 10 degrees in 1 seconds
    Then eventually the head is at yaw 10 degrees
    When the robot stands still
    And the head is sent by yaw 10 degrees in 1 seconds
    Then eventually the head is at yaw 20 degrees

  @own-daemon @sim @rm330
  Scenario: simulated robot | a webcam writes its picture to a file | the robot's camera shows each new picture
    Given a daemon whose camera is a file that a webcam writes
    Then the camera shows a "red" picture
    When the webcam writes a "blue" picture
    Then the camera shows a "blue" picture

  @own-daemon @sim @rm771
  Scenario: camera broken | start request | the app runs, and what is wrong is named where a picture is asked for
    Given a daemon whose camera is a file that a webcam writes
    When the webcam writes half a picture
    Then the camera answers with "camera-unavailable" and names the file
    When the start of "steady_app" is requested
    Then "steady_app" moves the robot
