Feature: Pages of other sites do not control the robot
  Problems that users of the public robot reported, each by its thread: docs/compatibility.md lists all of them.

  @rm1423 @peer
  Scenario Outline: app running | a page of another site <what> | refused, the app is not disturbed
    Given a daemon with an awake robot
    And "steady_app" is running and moving
    When a browser sends the stop with the host "<host>" and the origin "<origin>"
    Then the daemon has refused it
    And the slot holds "steady_app" as "running"
    And it is still the same process

    Examples:
      | what                                 | host             | origin              |
      | sends a request (CSRF)               | DAEMON           | http://evil.example |
      | reaches it by its name (DNS rebinding) | evil.example:8000 | http://evil.example:8000 |
