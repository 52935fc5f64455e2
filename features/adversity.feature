Feature: Apps and machines that misbehave do not keep the slot
  The rows that nobody wrote down. Each of them has broken a daemon somewhere.

  Background:
    Given a daemon with an awake robot

  Scenario: app crashes while it is imported | slot free, traceback shown
    When the start of "crash_at_import" is requested
    Then within 5 seconds the slot is free, its app "error"
    And its error tells "Error"
    And "steady_app" can be started

  Scenario: app is stopped while it imports | slot free
    Given "slow_import" is started
    When the stop is requested
    Then the request is answered with 200
    And the slot is free, its app "done"
    And "steady_app" can be started

  Scenario: app is stopped at the moment it is started | slot free
    When the start of "steady_app" is requested and, as soon as it holds the slot, the stop
    Then within 5 seconds the slot is free, its app "done"
    And "steady_app" can be started

  Scenario: a grandchild holds the app's output | the app's end frees the slot
    When the start of "grandchild_holds_stdout" is requested
    Then within 5 seconds the slot is free, its app "done"
    And no process that "grandchild_holds_stdout" named is left

  Scenario: an app leaves children behind, one deaf to SIGTERM | none is left
    When the start of "children_left_behind" is requested
    Then within 8 seconds the slot is free, its app "done"
    And no process that "children_left_behind" named is left

  Scenario: a megabyte without a newline and a progress bar | the app is watched on
    Given "no_newline" is running
    Then "no_newline" printed "running"
    When the stop is requested
    Then the slot is free, its app "done"

  Scenario: a flood of output | the daemon answers and the app can be stopped
    Given "output_flood" is running
    Then the daemon answers 20 requests within 5 seconds
    When the stop is requested
    Then the request is answered with 200
    And the slot is free, its app "done"

  Scenario: start during the return to default | the new app is kept, not lost
    Given "goto_app" is running and moving
    When the stop is requested and, before it is answered, the start of "steady_app"
    Then within 5 seconds the slot holds "steady_app" as "running"
    And "steady_app" moves the robot
    When the stop is requested
    Then the slot is free, its app "done"

  @own-daemon
  Scenario: the disk takes no log | the app runs and stops all the same
    Given the log of "steady_app" is on a full disk
    And "steady_app" is running
    When the stop is requested
    Then the request is answered with 200
    And the slot is free, its app "done"

  @own-daemon
  Scenario: the environment breaks between install and start | refused with what to do
    Given the Python of the apps' environment has gone
    When the start of "steady_app" is requested
    Then the request is answered with 500 and the code "app-start-failed"
    And the slot is free

  @own-daemon
  Scenario: the port of the app's page is taken | the app ends at once and says so
    Given another program listens on port 8042
    When the start of "hello_robot" is requested
    Then within 5 seconds the slot is free, its app "error"
    And its error tells "8042"

  @own-daemon
  Scenario: the robot fails while an app runs | told, and the app can be stopped
    Given "sleepy_app" is running
    When the robot is unplugged
    Then within 3 seconds the robot is in state "error"
    When the stop is requested
    Then the request is answered with 200
    And the slot is free, its app "done"

  @spawn
  Scenario: the daemon inherited an ignored SIGINT | its app hears SIGINT all the same
    Given a daemon that was started with SIGINT ignored
    And "steady_app" is running
    When the stop is requested
    Then the slot is free, its app "done"
    And "steady_app" printed "left by stop_event"
