Feature: The startup app

  @own-daemon @rm638 @peer
  Scenario: daemon start with a startup app | wake-up | app running
    Given a daemon with the startup app "steady_app"
    Then eventually the slot holds "steady_app" as "running"
    And the robot is awake
    And "steady_app" moves the robot

  @own-daemon
  Scenario: robot asleep, startup app configured | touch of an antenna | robot awake, app running
    Given a daemon that leaves the robot asleep, with the startup app "steady_app"
    When the right antenna is pushed
    Then eventually the slot holds "steady_app" as "running"
    And the robot is awake

  @own-daemon
  Scenario: app running | touch of an antenna | the startup app does not replace it
    Given a daemon that leaves the robot asleep, with the startup app "steady_app"
    And "sleepy_app" is running
    When the right antenna is pushed
    Then the slot holds "sleepy_app" as "running"
    And it is still the same process

  @rm251
  Scenario: robot awake | touch of an antenna through the interface | reported to apps and clients
    Given a daemon with an awake robot
    When the left antenna is pushed
    Then a robot event "antenna_touched" matches "The left antenna was touched"
