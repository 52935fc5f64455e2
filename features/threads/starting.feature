Feature: Start a robot and an app, and see why it fails
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  @spawn @sim @da21 @peer
  Scenario: nothing installed but the package | robot-daemon --sim | a simulated robot that runs and is awake
    Given a daemon with an awake robot
    Then eventually the robot is in state "running"
    And the robot is awake

  @sim @rm652 @peer
  Scenario: simulated robot without MuJoCo | motors off | the head sinks by its weight
    Given a daemon with an awake robot
    When the motor mode is set to "disabled"
    Then eventually the head has sunk by 5 mm

  @rm309 @peer
  Scenario: app crashes | a person asks for its status | the error has the reason
    Given a daemon with an awake robot
    When the start of "crash_in_run" is requested
    Then eventually the slot is free with the state "error"
    And its error matches "the antenna is made of cheese"

  @rm1308 @peer
  Scenario: a program imports the SDK | no web server and no client of a hub is loaded with it
    Then the import of the SDK loads none of "fastapi, uvicorn, scipy, huggingface_hub, cv2"

  @own-daemon @rm1376 @peer
  Scenario: SDK newer than the daemon | it sends what the daemon does not know | the versions are named, other calls go on
    Given a daemon with an awake robot
    When the SDK "python_sdk/99.1.0 (linux)" connects and sends a message "set_wings"
    Then it receives an error that matches "set_wings.*99\.1\.0"
    And the daemon's log matches "set_wings.*99\.1\.0"
    And its other messages still move the robot
