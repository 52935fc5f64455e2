Feature: Apps from the hub
  Community apps are spaces of a hub. The daemon lists them and installs them as jobs. A failed install leaves the
  environment unchanged.

  Background:
    Given a development hub and a separate apps' environment

  @own-daemon @thorough
  Scenario: app not installed | install request with the address of its space | installed, starts
    Given a daemon with an awake robot
    When the install of space "maker/look_around" is requested
    Then the request is answered with 200
    And the job ends as "done" in the stage "record"
    And "look_around" can be started
    And "look_around" moves the robot

  @own-daemon @thorough
  Scenario: app not installed | install request with the entry of the catalogue | installed, hyphens normalised
    Given a daemon with an awake robot
    When the install of "nod-along" is requested as the catalogue lists it
    Then the job ends as "done" in the stage "record"
    And "nod_along" is installed

  @own-daemon @thorough
  Scenario: app installed | its space gets a new commit | update listed and installed on request
    Given a daemon with an awake robot
    When the install of space "maker/look_around" is requested
    Then the job ends as "done" in the stage "record"
    And the list "installed" holds "look_around"
    And the list "local" does not hold "look_around"
    And no app has an update
    When space "maker/look_around" gets a new commit
    Then "look_around" has an update
    When the update of "look_around" is requested
    Then the job ends as "done" in the stage "record"
    And no app has an update

  @own-daemon
  Scenario: app not installed | install request for an invalid app | job failed with the reason, nothing installed
    Given a daemon with an awake robot
    When the install of space "maker/nothing_here" is requested
    Then the job ends as "failed" in the stage "fetch"
    And its error code is "space-not-found" and its error contains "There is no maker/nothing_here"
    When the install of space "tinkerer/not_tagged" is requested
    Then the job ends as "failed" in the stage "fetch"
    And its error code is "app-invalid" and its error contains "robot_python_app"
    When the install of space "tinkerer/no_entry_point" is requested
    Then the job ends as "failed" in the stage "check"
    And its error code is "app-invalid" and its error contains "project.entry-points"
    When the install of space "tinkerer/wants_the_future" is requested
    Then the job ends as "failed" in the stage "install"
    And its error code is "dependency-conflict" and its error contains "robot-sdk>=99"
    And "wants_the_future" is not installed
    And "steady_app" can be started

  @own-daemon
  Scenario: any | install request for an address outside the hub | refused
    Given a daemon with an awake robot
    When the install of address "https://example.com/spaces/maker/look_around" is requested
    Then the request is answered with 422 and the code "address-refused"
    When the install of address "HUB/spaces/../../etc/passwd" is requested
    Then the request is answered with 422 and the code "address-refused"
    And no job was made

  @own-daemon
  Scenario: hub online, then offline | catalogue request | full list, then the cached list with the reason
    Given a daemon with an awake robot
    Then the catalogue holds "wants_the_future", but not "not_tagged"
    And a search for "side to side" finds "look_around" alone
    When the hub stops
    And the catalogue is refreshed
    Then the catalogue still holds "look_around" and reports the hub as offline

  @own-daemon
  Scenario: daemon start with a startup app | not installed but in the catalogue | installed before the wake-up, then running
    Given a daemon with the startup app "look_around"
    Then its install job is visible while the robot sleeps
    And eventually the slot holds "look_around" as "running"
    And the robot is awake

  @spawn
  Scenario: install running | daemon is killed with SIGKILL | environment unchanged
    Given a daemon with an awake robot
    When an install of space "maker/look_around" is in the stage "install"
    And the daemon receives SIGKILL
    Then another daemon on the same data folder starts "steady_app"
    And "look_around" is not installed
    When the install of space "maker/look_around" is requested
    Then the job ends as "done" in the stage "record"
