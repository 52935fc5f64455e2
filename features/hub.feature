Feature: Apps from the hub
  Community apps are spaces of a hub. The daemon lists them, installs them as jobs, and leaves everything as it was when
  an install does not succeed.

  Background:
    Given a hub of our own, and an apps' environment of our own

  @own-daemon
  Scenario: app not installed | install request with the address of its space | installed, starts
    Given a daemon with an awake robot
    When the install of space "maker/look_around" is requested
    Then the request is answered with 200
    And the job ends as "done" in the stage "record"
    And "look_around" can be started
    And "look_around" moves the robot

  @own-daemon
  Scenario: app not installed | install request with the peer's app info | installed, by whatever hyphens
    Given a daemon with an awake robot
    When the install of "nod-along" is requested as the catalogue lists it
    Then the job ends as "done" in the stage "record"
    And "nod_along" is installed

  @own-daemon
  Scenario: app installed | its space moves on | told, and updated on request
    Given a daemon with an awake robot
    When the install of space "maker/look_around" is requested
    Then the job ends as "done" in the stage "record"
    And the list "installed" holds "look_around"
    And the list "local" does not hold "look_around"
    And no app has an update
    When space "maker/look_around" moves on
    Then "look_around" has an update
    When the update of "look_around" is requested
    Then the job ends as "done" in the stage "record"
    And no app has an update

  @own-daemon
  Scenario: app not installed | the space is no app | refused with the reason, nothing installed
    Given a daemon with an awake robot
    When the install of space "maker/nothing_here" is requested
    Then the job ends as "failed" in the stage "fetch"
    And its reason is "space-not-found" and tells "There is no maker/nothing_here"
    When the install of space "tinkerer/not_tagged" is requested
    Then the job ends as "failed" in the stage "fetch"
    And its reason is "app-invalid" and tells "robot_python_app"
    When the install of space "tinkerer/no_entry_point" is requested
    Then the job ends as "failed" in the stage "check"
    And its reason is "app-invalid" and tells "project.entry-points"
    When the install of space "tinkerer/wants_the_future" is requested
    Then the job ends as "failed" in the stage "install"
    And its reason is "dependency-conflict" and tells "robot-sdk>=99"
    And "wants_the_future" is not installed
    And "steady_app" can be started

  @own-daemon
  Scenario: any | install request for an address that is not of the hub | refused at once
    Given a daemon with an awake robot
    When the install of address "https://example.com/spaces/maker/look_around" is requested
    Then the request is answered with 422 and the code "address-refused"
    When the install of address "HUB/spaces/../../etc/passwd" is requested
    Then the request is answered with 422 and the code "address-refused"
    And no job was made

  @own-daemon
  Scenario: hub there, then away | catalogue asked | the whole list, then the same list with the reason
    Given a daemon with an awake robot
    Then the catalogue holds "wants_the_future", but not "not_tagged"
    And a search for "side to side" finds "look_around" alone
    When the hub goes away
    And the catalogue is asked again
    Then it still holds "look_around", and says that the hub is away

  @own-daemon
  Scenario: daemon start with a startup app | not installed but in the catalogue | installed before the wake-up, then running
    Given a daemon with the startup app "look_around"
    Then its installation shows while the robot sleeps
    And within 10 seconds the slot holds "look_around" as "running"
    And the robot is awake

  @spawn
  Scenario: install under way | daemon is killed with SIGKILL | the environment is as it was
    Given a daemon with an awake robot
    When an install of space "maker/look_around" is in the stage "install"
    And the daemon gets SIGKILL
    Then another daemon on the same data folder starts "steady_app"
    And "look_around" is not installed
    When the install of space "maker/look_around" is requested
    Then the job ends as "done" in the stage "record"
