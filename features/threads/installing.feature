Feature: Find, install, change and reset apps
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  @own-daemon @rm683
  Scenario: hub with 120 apps | the catalogue | all of them, those without likes too
    Given a hub with 120 apps
    And a daemon with an awake robot
    Then the catalogue has 120 apps

  @own-daemon @rm1290 @da304
  Scenario: app that needs one version of a package | install of an app that needs another | refused with the way out, the first app still starts
    Given a development hub and a separate apps' environment
    And the package index has "vision-parts" in the versions "1.0" and "2.0"
    And a daemon with an awake robot
    When an app "sees_faces" that needs "vision-parts==1.0" is installed
    Then the job ends as "done" in the stage "record"
    When an app "sees_hands" that needs "vision-parts==2.0" is installed
    Then the job ends as "failed" in the stage "verify"
    And its error code is "dependency-conflict" and its error contains "sees-faces"
    And its error code is "dependency-conflict" and its error contains "isolated"
    And "sees_hands" is not installed
    And "sees_faces" can be started

  @spawn @own-daemon @rm668
  Scenario: environment that its user may not write | install on the command line | the folder and the remedy are named, nothing is changed
    Given an apps' environment that its user may not change
    When "brief_app" is installed on the command line by that user
    Then eventually it has exited with code 1
    And its output matches "may not change the apps' environment .*apps_venv .*nothing was changed.*chown"

  @own-daemon @rm489
  Scenario: app with a mistake | publish | refused with the finding, nothing is published
    Given a development hub and a separate apps' environment
    When "my_app" is created from the template "default"
    And its author breaks its entry point
    Then its publication is refused with "PKG-\d+"
    And the hub has no space "maker/my_app"

  @own-daemon @ca246
  Scenario: app installed from a folder | its files change, restart request | the change runs, without an install
    Given a development hub and a separate apps' environment
    And a daemon with an awake robot
    When "my_app" is created from the template "default"
    And it is installed editable from its folder
    Then the job ends as "done" in the stage "record"
    And "my_app" can be started
    When its author makes it print "the second edition"
    And the restart is requested
    Then the request is answered with 200
    And eventually "my_app" printed "the second edition"

  @spawn @own-daemon @da277
  Scenario: app with stale data | reset on the command line | its data is gone, it stays installed, other apps keep theirs
    Given "steady_app" and "goto_app" have written data
    And a daemon with an awake robot
    When robot-daemon runs "reset-data steady_app" on the same data folder
    Then eventually it has exited with code 0
    And "steady_app" has no data
    And "goto_app" has data
    And "steady_app" is installed
    And "steady_app" can be started
